#include <cmath>

#include "contact/narrow.h"

namespace trammel::contact {

bool box_axis(const Convex& A, const Convex& B, double margin, Vec3& n, double& gap, bool& edges) {
  const Vec3 d = B.X.p - A.X.p;
  const Mat3 R = A.X.R.transpose() * B.X.R;
  const Vec3 t_A = A.X.R.transpose() * d, t_B = B.X.R.transpose() * d;
  const Mat3 Q = R.cwiseAbs();
  const double slack = 1e-11 * (A.size.sum() + B.size.sum());
  double best = -1e300;
  int which = 0;
  const Vec3 s_A = t_A.cwiseAbs() - A.size - Q * B.size;
  const Vec3 s_B = t_B.cwiseAbs() - B.size - Q.transpose() * A.size;
  for (int i = 0; i < 3; ++i)
    if (s_A[i] > best + slack) best = s_A[i], which = i;
  for (int i = 0; i < 3; ++i)
    if (s_B[i] > best + slack) best = s_B[i], which = 3 + i;
  const double far_off = margin + slack;  // with what rounding makes of a gap at the margin
  if (best > far_off) return false;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      constexpr int kNext[] = {1, 2, 0}, kAfter[] = {2, 0, 1};
      const int i1 = kNext[i], i2 = kAfter[i], j1 = kNext[j], j2 = kAfter[j];
      const double far = std::abs(t_A[i2] * R(i1, j) - t_A[i1] * R(i2, j));
      const double reach = A.size[i1] * Q(i2, j) + A.size[i2] * Q(i1, j) + B.size[j1] * Q(i, j2) +
                           B.size[j2] * Q(i, j1);
      const double raw = far - reach;  // times the sine of the edges' angle: no less deep than it
      if (raw <= 0 && raw <= best + slack) continue;
      const double sine2 = R(i1, j) * R(i1, j) + R(i2, j) * R(i2, j);
      if (sine2 < 1e-14) continue;  // parallel: faces part them as well
      const double s = raw / std::sqrt(sine2);
      if (s > far_off) return false;
      if (s > best + slack + 1e-4 * slack / std::sqrt(sine2)) best = s, which = 6 + 3 * i + j;
    }
  gap = best;
  edges = which >= 6;
  if (which < 3)
    n = A.X.R.col(which) * (t_A[which] < 0 ? -1.0 : 1.0);
  else if (which < 6)
    n = B.X.R.col(which - 3) * (t_B[which - 3] < 0 ? -1.0 : 1.0);
  else {
    n = A.X.R.col((which - 6) / 3).cross(B.X.R.col((which - 6) % 3)).normalized();
    if (n.dot(d) < 0) n = -n;
  }
  return true;
}

}  // namespace trammel::contact

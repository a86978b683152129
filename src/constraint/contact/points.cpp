#include "constraint/contact/points.h"

#include <algorithm>

#include "math/index.h"
#include "math/parallel.h"
#include "solve/product.h"

namespace trammel::constraint {

namespace {
constexpr std::array<std::size_t, 2> kSides{0, 1};

Six rates_of_coupled(const ContactColumns& c, std::span<const double> u) {
  Six out = Six::Zero();
  for (const std::size_t side : kSides)
    for (int k = 0; k < 6; ++k)
      for (int j = 0; j < c.n[side]; ++j)
        out[k] += c.c[side][at(k * c.n[side] + j)] * u[at(c.u[side] + j)];
  return out;
}

/// How fast the place on B moves against that on A.
Vec3 velocity_of(const ContactArms& arms, std::span<const double> u) {
  Vec3 v = Vec3::Zero();
  const auto of = [&](int first, const Vec3& r) -> Vec3 {
    return vec3(u.data() + first) + vec3(u.data() + first + 3).cross(r);
  };
  if (arms.u_a >= 0) v -= of(arms.u_a, arms.r_a);
  if (arms.u_b >= 0) v += of(arms.u_b, arms.r_b);
  return v;
}

void add_impulses_of_coupled(const ContactColumns& c, const Six& p, std::span<double> P) {
  for (const std::size_t side : kSides)
    for (int k = 0; k < 6; ++k)
      for (int j = 0; j < c.n[side]; ++j)
        P[at(c.u[side] + j)] += p[k] * c.c[side][at(k * c.n[side] + j)];
}

/// Of the points of a pair.
PairImpulse sum_of_pair(const PointSet& set, std::size_t first, std::size_t end, const double* p) {
  PairImpulse sum{set.arms[first].u_a, set.arms[first].u_b, Vec3::Zero(), Vec3::Zero(),
                  Vec3::Zero()};
  for (std::size_t i = first; i < end; ++i) {
    const double* x = p + 6 * i;
    const Vec3 &n = set.points[i].n, &t = set.t[i], &s = set.s[i];
    const Vec3 f = x[0] * n + x[1] * t + x[2] * s, torque = x[3] * n + x[4] * t + x[5] * s;
    sum.force += f;
    sum.torque_a += set.arms[i].r_a.cross(f) + torque;
    sum.torque_b += set.arms[i].r_b.cross(f) + torque;
  }
  return sum;
}
}  // namespace

std::vector<int> points_of_group(const PointSet& set, int group) {
  return {set.coupled.begin() + set.group[at(group)],
          set.coupled.begin() + set.group[at(group + 1)]};
}

Vec3 force_of(const PointSet& set, std::size_t i, const Six& x) {
  return x[0] * set.points[i].n + x[1] * set.t[i] + x[2] * set.s[i];
}

Vec3 torque_of(const PointSet& set, std::size_t i, const Six& x) {
  return x[3] * set.points[i].n + x[4] * set.t[i] + x[5] * set.s[i];
}

Six in_axes_of(const PointSet& to, std::size_t i, const PointSet& from, std::size_t k,
               const Six& x) {
  const Vec3 a = x[1] * from.t[k] + x[2] * from.s[k], b = x[4] * from.t[k] + x[5] * from.s[k];
  Six out;
  out << x[0], to.t[i].dot(a), to.s[i].dot(a), x[3], to.t[i].dot(b), to.s[i].dot(b);
  return out;
}

Six along_axes(const PointSet& set, std::size_t i, const Vec3& v, const Vec3& w) {
  const Vec3 &n = set.points[i].n, &t = set.t[i], &s = set.s[i];
  Six out;
  out << n.dot(v), t.dot(v), s.dot(v), n.dot(w), t.dot(w), s.dot(w);
  return out;
}

Six rates_at(const PointSet& set, std::size_t i, std::span<const double> u) {
  if (set.column[i] >= 0) return rates_of_coupled(set.columns[at(set.column[i])], u);
  const ContactArms& arms = set.arms[i];
  Vec3 w = Vec3::Zero();
  if (arms.u_a >= 0) w -= vec3(u.data() + arms.u_a + 3);
  if (arms.u_b >= 0) w += vec3(u.data() + arms.u_b + 3);
  return along_axes(set, i, velocity_of(arms, u), w);
}

double normal_rate_at(const PointSet& set, std::size_t i, std::span<const double> u) {
  if (set.column[i] >= 0) return rates_of_coupled(set.columns[at(set.column[i])], u)[0];
  return set.points[i].n.dot(velocity_of(set.arms[i], u));
}

Six slip_at(const PointSet& set, std::size_t i, std::span<const double> u) {
  return rates_at(set, i, u) + set.own[i];
}

void slips(const PointSet& set, std::span<const double> u, std::vector<Six>& out) {
  out.resize(set.size());
  parallel::for_pieces(count(set.points), kContactGrain, [&](int first, int last) {
    for (std::size_t i = at(first); i < at(last); ++i) out[i] = slip_at(set, i, u);
  });
}

void slips_of(const PointSet& set, std::span<const int> points, std::span<const double> u,
              std::vector<Six>& out) {
  parallel::for_pieces(count(points), kContactGrain, [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      const std::size_t i = at(points[at(k)]);
      out[i] = slip_at(set, i, u);
    }
  });
}

void add_impulses(const PointSet& set, std::size_t i, const Six& p, std::span<double> P) {
  if (set.column[i] >= 0) return add_impulses_of_coupled(set.columns[at(set.column[i])], p, P);
  const Vec3 f = force_of(set, i, p), torque = torque_of(set, i, p);
  const ContactArms& arms = set.arms[i];
  if (arms.u_a >= 0) {
    double* of = P.data() + arms.u_a;
    vec3(of) -= f;
    vec3(of + 3) -= arms.r_a.cross(f) + torque;
  }
  if (arms.u_b >= 0) {
    double* of = P.data() + arms.u_b;
    vec3(of) += f;
    vec3(of + 3) += arms.r_b.cross(f) + torque;
  }
}

void add_all_impulses(const PointSet& set, const double* p, std::vector<PairImpulse>& pairs,
                      std::span<double> P) {
  const int n = count(set.pair) - 1;
  pairs.resize(at(std::max(n, 0)));
  parallel::for_pieces(n, kContactGrain / 4, [&](int first, int last) {
    for (int k = first; k < last; ++k)
      pairs[at(k)] = sum_of_pair(set, at(set.pair[at(k)]), at(set.pair[at(k) + 1]), p);
  });
  for (const PairImpulse& sum : pairs) {
    if (sum.u_a >= 0) {
      vec3(P.data() + sum.u_a) -= sum.force;
      vec3(P.data() + sum.u_a + 3) -= sum.torque_a;
    }
    if (sum.u_b >= 0) {
      vec3(P.data() + sum.u_b) += sum.force;
      vec3(P.data() + sum.u_b + 3) += sum.torque_b;
    }
  }
}

}  // namespace trammel::constraint

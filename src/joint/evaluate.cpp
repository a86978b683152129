#include "joint/evaluate.h"

#include <algorithm>
#include <cmath>

#include "joint/material.h"
#include "joint/own.h"
#include "math/rotation.h"

namespace trammel::joint {

namespace {

void sample_curve(const Ends& ends, int order, Arc& arc, Sample& out) {
  const Mat3 M = ends.A.T_WO->A * ends.A.X_OF->R;  // frame A to world
  const Vec3 E0 = ends.B.T_WO->p + out.r_B - ends.A.T_WO->p - out.r_A;
  auto x = [&](Feature f) -> Vec3& { return out.x[idx(f)]; };
  constexpr int kMost = 20;          // iterations after which only rounding may be left
  constexpr double kRounded = 1e-9;  // more than it leaves, relative
  out.lost = true;
  for (int k = 0;; ++k) {
    ends.track->eval(arc.s, static_cast<std::size_t>(arc.piece), order, out.curve);
    const Mat3 C = M * out.curve.C, C_s = M * (skew(out.curve.Omega) * out.curve.C);
    const Vec3 r = M * out.curve.p;
    x(Feature::E) = E0 - r;
    for (int i = 0; i < 3; ++i) {
      x(Feature::Cx + i) = C.col(i);
      out.x_s[static_cast<std::size_t>(i)] = C_s.col(i);
    }
    const double T2 = C.col(0).squaredNorm(), bend = C_s.col(0).dot(x(Feature::E));
    out.h_s = bend - T2;
    if (!(bend < 0.5 * T2)) break;  // too near the centre of curvature
    const double ds = -x(Feature::Cx).dot(x(Feature::E)) / out.h_s;
    // of sharp curves shares of their radius [m]
    const double unit = 1 / std::max(1., out.curve.Omega.norm()), size = unit + std::abs(arc.s),
                 close = order > 1 ? 1e-15 * size : 1e-8 * unit;
    arc.s += ds;
    if (std::abs(ds) > close && k < kMost) continue;
    // the rest to first order: the error, kappa ds^2, is below rounding
    x(Feature::E) -= ds * C.col(0);
    for (int i = 0; i < 3; ++i) x(Feature::Cx + i) += ds * C_s.col(i);
    out.r_C = out.r_A + r + ds * C.col(0);
    out.lost = !(std::abs(ds) <= std::max(close, kRounded * size));
    break;
  }
  if (out.lost) out.r_C = out.r_A;
}

void pull_A(const Ends& ends, const Sample& at, const Gradient& g, double* J) {
  const body::MotionKind motion_kind = ends.A.motion_kind;
  std::fill_n(J, body::motion_size(motion_kind), 0.0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(g.n); ++i) {
    const Feature f = g.feature[i];
    if (on_B(f)) continue;
    const auto own = [&] { return material_A(ends, at, f).c; };
    if (is_vector(f))
      body::add_point(motion_kind, f == Feature::D ? at.r_A : at.r_C, own, -g.cov[i], J);
    else
      body::add_direction(motion_kind, at.x[idx(f)], own, g.cov[i], J);
  }
}

void pull_B(const Ends& ends, const Sample& at, const Gradient& g, double* J) {
  const body::MotionKind motion_kind = ends.B.motion_kind;
  std::fill_n(J, body::motion_size(motion_kind), 0.0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(g.n); ++i) {
    const Feature f = g.feature[i];
    const auto own = [&] { return material_B(ends, f); };
    if (is_vector(f))
      body::add_point(motion_kind, at.r_B, own, g.cov[i], J);
    else if (on_B(f))
      body::add_direction(motion_kind, at.x[idx(f)], own, g.cov[i], J);
  }
}

/// Neither end can strain: the covectors as forces and moments.
void pull_wrenches(const Sample& at, const Gradient& g, double* J_A, double* J_B) {
  Vec3 f_A = Vec3::Zero(), t_A = f_A, f_B = f_A, t_B = f_A;
  for (std::size_t i = 0; i < static_cast<std::size_t>(g.n); ++i) {
    const Feature f = g.feature[i];
    const Vec3& cov = g.cov[i];
    if (is_vector(f)) {
      f_B += cov;
      t_A -= (f == Feature::D ? at.r_A : at.r_C).cross(cov);
    } else {
      (on_B(f) ? t_B : t_A) += at.x[idx(f)].cross(cov);
    }
  }
  f_A = -f_B;
  t_B += at.r_B.cross(f_B);
  vec3(J_A) = f_A;
  vec3(J_A + 3) = t_A;
  vec3(J_B) = f_B;
  vec3(J_B + 3) = t_B;
}

}  // namespace

void sample(const Ends& ends, unsigned features, int order, Arc& arc, Sample& out) {
  const body::Transform &a = *ends.A.T_WO, &b = *ends.B.T_WO;
  for (int i = 0; i < 3; ++i) {
    if (has(features, Feature::Ax + i)) out.x[idx(Feature::Ax + i)] = a.A * ends.A.X_OF->R.col(i);
    if (has(features, Feature::Bx + i)) out.x[idx(Feature::Bx + i)] = b.A * ends.B.X_OF->R.col(i);
  }
  out.r_A = a.A * ends.A.X_OF->p;
  out.r_B = b.A * ends.B.X_OF->p;
  out.x[idx(Feature::D)] = (b.p - a.p) + (out.r_B - out.r_A);
  out.lost = false;
  if (has(features, Feature::E)) sample_curve(ends, order, arc, out);
}

double value(const Row& row, const Sample& at, const Arc& arc) {
  const Function& f = *row.fn;
  if (f.plain) return dot(row.of[0], at);
  if (f.own != nullptr) return f.own->value(row, at, arc);
  if (f.h.value == nullptr) return 0;
  const std::array<double, 2> p = products(row, at);
  return f.h.value(p[0], p[1]) - row.rest();
}

Gradient gradient(const Row& row, const Sample& at) {
  Gradient g;
  const auto add = [&](Feature f, const Vec3& cov) {
    const auto i = static_cast<std::size_t>(g.n++);
    g.feature[i] = f;
    g.cov[i] = cov;
  };
  if (row.fn->plain) {
    add(row.of[0].u, at.x[idx(row.of[0].v)]);
    add(row.of[0].v, at.x[idx(row.of[0].u)]);
  } else if (row.fn->own != nullptr) {
    row.fn->own->gradient(row, at, g);
    return g;
  } else {
    const Partials h = partials(row, at);
    for (std::size_t i = 0; i < static_cast<std::size_t>(row.products()); ++i) {
      const Product& p = row.of[i];
      add(p.u, h.d[i] * at.x[idx(p.v)]);
      add(p.v, h.d[i] * at.x[idx(p.u)]);
    }
  }
  if (row.on_curve()) follow_curve(at, 0, g);
  return g;
}

void follow_curve(const Sample& at, double g_s, Gradient& g) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(g.n); ++i)
    g_s += g.cov[i].dot(slope(at, g.feature[i]));
  const double c = -g_s / at.h_s;
  for (const auto& [f, of] : {std::pair(Feature::Cx, Feature::E), {Feature::E, Feature::Cx}}) {
    g.feature[static_cast<std::size_t>(g.n)] = f;
    g.cov[static_cast<std::size_t>(g.n++)] = c * at.x[idx(of)];
  }
}

Contact contact(const Row& row, const Sample& at) {
  return {at.x[idx(row.direction())], row.fn->touch->at(row, at)};
}

namespace {
void pull_contact(const Ends& ends, const Sample& at, const Contact& c, double* J_A, double* J_B) {
  const Vec3 from_B = at.r_B + c.r, from_A = at.r_A + at.x[idx(Feature::D)] + c.r;
  const auto put = [](const End& end, const Vec3& r, const Vec3& cov, double* J) {
    if (J == nullptr) return;
    std::fill_n(J, body::motion_size(end.motion_kind), 0.0);
    const auto own = [&] { return Vec3(end.T_WO->A.inverse() * r); };
    body::add_point(end.motion_kind, r, own, cov, J);
  };
  put(ends.A, from_A, -c.d, J_A);
  put(ends.B, from_B, c.d, J_B);
}
}  // namespace

void strain_jacobian(const Row& row, const Ends& ends, const Sample& at, double* J_A) {
  const std::size_t u = idx(row.of[0].u), v = idx(row.of[0].v);
  const Mat3& R = ends.A.X_OF->R;
  std::fill_n(J_A, 3, 0.);
  for (int i = 0; i < 3; ++i)
    vec3(J_A + 3 + 3 * i) = 0.5 * at.x[u][i] * R.col(static_cast<int>(v)) +
                            0.5 * at.x[v][i] * R.col(static_cast<int>(u));
}

void jacobian(const Row& row, const Ends& ends, const Sample& at, double* J_A, double* J_B) {
  if (row.holonomic()) return pull_back(ends, at, gradient(row, at), J_A, J_B);
  pull_contact(ends, at, contact(row, at), J_A, J_B);
}

void pull_back(const Ends& ends, const Sample& at, const Gradient& g, double* J_A, double* J_B) {
  if (J_A && J_B && !body::can_strain(ends.A.motion_kind) && !body::can_strain(ends.B.motion_kind))
    return pull_wrenches(at, g, J_A, J_B);
  if (J_A != nullptr) pull_A(ends, at, g, J_A);
  if (J_B != nullptr) pull_B(ends, at, g, J_B);
}

}  // namespace trammel::joint

// Contact by a barrier in the energy formulation: potentials, gradients, second derivatives.
#include "form/energy_contact.h"

#include <algorithm>
#include <cmath>

#include "form/contact_surfaces.h"
#include "form/energy_carriers.h"
#include "form/energy_contact_way.h"
#include "math/index.h"
#include "math/parallel.h"
#include "model/reactions.h"

namespace trammel::form::energy {

namespace {

namespace barrier = contact::barrier;
constexpr double kParted = 0.2;     // of the barrier's distance: what guards lead to at least
constexpr int kContactGrain = 128;  // candidates in one go

double begins_at(const Mechanism& m) {
  return m.settings.barrier.distance * m.settings.barrier.distance;
}

bool is_free(const Mechanism& m, int object) { return m.model->objects[at(object)].block >= 0; }

std::size_t pair_index(const Contact& c, int a, int b) {
  return at(std::min(a, b)) * c.object.size() + at(std::max(a, b));
}

bool on_half_space(const Contact& c, const barrier::Candidate& k) {
  return c.movers[at(k.b)].surface->half_space;
}

barrier::Stiffness stiffness(const Mechanism& m, const Contact& c, const barrier::Candidate& k) {
  barrier::Stiffness out{begins_at(m), c.scale[pair_index(c, k.a, k.b)]};
  if (k.split != 2) return out;
  const auto& a = c.movers[at(k.a)].surface->corners;
  const auto& b = c.movers[at(k.b)].surface->corners;
  out.parallel = barrier::parallel_below((a[at(k.corner[1])] - a[at(k.corner[0])]).norm(),
                                         (b[at(k.corner[3])] - b[at(k.corner[2])]).norm());
  return out;
}

/// Where a candidate's corners were evaluated last.
barrier::Four places_of(const Contact& c, const barrier::Candidate& k) {
  barrier::Four x;
  for (int i = 0; i < 4; ++i)
    x[at_(i)] = c.corners[at(i < k.split ? k.a : k.b)][at(k.corner[at_(i)])];
  return on_half_space(c, k) ? barrier::on_plane(x) : x;
}

/// The same in the axes of their objects. Half-spaces are on the ground, whose axes are the
/// world's.
barrier::Four own(const Contact& c, const barrier::Candidate& k) {
  barrier::Four x = on_half_space(c, k) ? places_of(c, k) : barrier::Four{};
  for (int i = 0; i < (on_half_space(c, k) ? 1 : 4); ++i)
    x[at_(i)] = c.movers[at(i < k.split ? k.a : k.b)].surface->corners[at(k.corner[at_(i)])];
  return x;
}

void place_corners(const std::vector<body::Transform>& T_WO, Contact& c) {
  for (std::size_t i = 0; i < c.movers.size(); ++i) {
    const body::Transform& T = T_WO[at(c.object[i])];
    const std::vector<Vec3>& x = c.movers[i].surface->corners;
    c.corners[i].resize(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) c.corners[i][k] = T.p + T.A * x[k];
  }
}

/// Splits twelve numbers of a pair among its two objects.
void split(const barrier::Candidate& k, const barrier::Four& x, const barrier::Vec12& v,
           body::Covector& a, body::Covector& b) {
  for (int i = 0; i < 4; ++i) {
    body::Covector& to = i < k.split ? a : b;
    to.f += v.segment<3>(3 * i);
    to.F += v.segment<3>(3 * i) * x[at_(i)].transpose();
  }
}

/// Energy of one pair of primitives: what lifts the lesser of both bodies by the barrier's width,
/// by its weight and by its inertia over a step.
double natural_stiffness(const Mechanism& m, double a, double mass_a, double mass_b) {
  const double lesser = std::min(mass_a, mass_b), width = m.settings.barrier.distance;
  if (!std::isfinite(lesser)) return 0;
  const double g = vec3(m.params->values.data() + model::kGravityParam).norm();
  return lesser * width * (g + width / a);
}

Vec3 slip_speed(const Slip& s, const std::vector<body::Transform>& y, int o, const Vec3& x) {
  const body::Transform &at_y = y[at(o)], &now = s.now[at(o)];
  Vec3 v = s.rate * (at_y.p - now.p + (at_y.A - now.A) * x);
  if (s.back != 0) {
    const body::Transform& before = s.before[at(o)];
    v += s.back * (before.p - now.p + (before.A - now.A) * x);
  }
  return v;
}

/// The slip velocity in the plane of contact, of b past a [m/s].
Eigen::Vector2d slip_of(const Slip& s, const std::vector<body::Transform>& y, const Rubbing& r) {
  return r.tangents.transpose() * (slip_speed(s, y, r.b, r.on_b) - slip_speed(s, y, r.a, r.on_a));
}

/// What says which corner, edge or face it is, see contact::feature_of().
std::array<int, 2> feature_of_corners(std::vector<int> c) {
  std::sort(c.begin(), c.end());
  const auto low = [](int i) { return i % contact::kFace; };
  if (c.size() < 3) return {low(c.front()), low(c.back())};
  return {low(c[0] + 31 * c[1] + 961 * c[2]), contact::kFace};
}

/// The friction of a close pair by its normal force; the point is midway between both.
Rubbing rubbing_of(const std::vector<body::Transform>& T_WO, const Contact& c, const ClosePair& p,
                   double mu) {
  const barrier::Candidate& k = c.candidates[at(p.candidate)];
  const contact::Point at_pair = point_of(c, p);
  const Vec3 point = 0.5 * (at_pair.p_A + at_pair.p_B);
  Rubbing out{c.object[at(k.a)],   c.object[at(k.b)], Vec3::Zero(), Vec3::Zero(), {},
              mu * p.energy.force, at_pair,           k.a > k.b};
  const auto own_axes = [&](int o) {
    const body::Transform& T = T_WO[at(o)];
    return Vec3(T.A.inverse() * (point - T.p));
  };
  out.on_a = own_axes(out.a);
  out.on_b = own_axes(out.b);
  const Vec3 n = p.energy.at.r.normalized();
  out.tangents.col(0) = n.unitOrthogonal();
  out.tangents.col(1) = n.cross(out.tangents.col(0));
  return out;
}

void take_rubbing(const std::vector<body::Transform>& T_WO, Contact& c) {
  c.rubbing.clear();
  if (!c.surfaces->friction) return;
  for (const ClosePair& p : c.close) {
    const barrier::Candidate& k = c.candidates[at(p.candidate)];
    const double mu = c.surfaces->friction(std::min(k.a, k.b), std::max(k.a, k.b));
    if (mu > 0 && p.energy.force > 0) c.rubbing.push_back(rubbing_of(T_WO, c, p, mu));
  }
}

double greatest(const std::vector<Rubbing>& all) {
  double most = 0;
  for (const Rubbing& r : all) most = std::max(most, r.force);
  return most;
}

/// Pairs of surfaces that are close.
std::vector<std::pair<int, int>> touching(const Contact& c) {
  std::vector<std::pair<int, int>> out;
  for (const ClosePair& p : c.close) {
    const barrier::Candidate& k = c.candidates[at(p.candidate)];
    out.emplace_back(std::min(k.a, k.b), std::max(k.a, k.b));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// Finds what is close where all stand, steps of h being made.
void stand(const Mechanism& m, const model::KinematicsCache& now, double h, Contact& c) {
  std::vector<double> mass;
  for (const int o : c.object)
    mass.push_back(is_free(m, o) ? mass_met(m, now, at(o))
                                 : std::numeric_limits<double>::infinity());
  for (int a = 0; a < count(c.object); ++a)
    for (int b = a + 1; b < count(c.object); ++b)
      c.scale[pair_index(c, a, b)] = m.settings.barrier.stiffness > 0
                                         ? m.settings.barrier.stiffness
                                         : natural_stiffness(m, h * h, mass[at(a)], mass[at(b)]);
  set_out(m, now.T_WO, {}, c);
  take_close(m, now.T_WO, c);
}

body::Covector at_point(const Vec3& f, const Vec3& x) { return {f, f * x.transpose()}; }

void add_covector(body::Covector& to, const body::Covector& c) {
  to.f += c.f;
  to.F += c.F;
}

}  // namespace

Contact make_contact(const Mechanism& m) {
  Contact out;
  out.surfaces = m.settings.surfaces ? m.settings.surfaces : surfaces_of(*m.model);
  if (!out.surfaces) return out;
  for (const ContactSurfaces::Of& s : out.surfaces->all) {
    out.object.push_back(s.object);
    out.movers.push_back({s.surface.get(), {}});
  }
  for (const int o : out.object) out.chords |= m.model->objects[at(o)].jacobian >= 0;
  out.corners.resize(out.movers.size());
  out.scale.assign(out.movers.size() * out.movers.size(), 0);
  return out;
}

bool begin_contact(const Mechanism& m, const Problem& problem, const Past& past, Contact& c) {
  if (!c.any()) return true;
  const Aim& aim = problem.aim;
  c.slip = {aim.rate, aim.two_steps ? aim.back * aim.rate : 0, past.now.at.T_WO, {}};
  if (aim.two_steps) c.slip.before = past.before.at.T_WO;
  stand(m, past.now.at, aim.t - past.now.at.t, c);
  c.at_start = touching(c);
  take_rubbing(past.now.at.T_WO, c);
  return std::isfinite(barrier_energy(c));
}

double stored_in_contact(const Mechanism& m, const model::KinematicsCache& at, double h,
                         Contact& c) {
  if (!c.any() || !(h > 0)) return 0;
  stand(m, at, h, c);
  return barrier_energy(c);
}

ContactForces contact_forces(const Mechanism& m, const model::KinematicsCache& cache,
                             const Contact& c) {
  const std::vector<body::Transform>& T_WO = cache.T_WO;
  ContactForces out;
  std::vector<body::Covector> of[2];
  for (auto& v : of) v.resize(T_WO.size());
  add_barrier_covectors(c, of[0]);
  add_friction_covectors(m, T_WO, c, of[1]);
  for (auto* v : {&out.barrier, &out.friction}) v->assign(at(m.model->n_u), 0);
  std::vector<Eigen::Matrix<double, 6, 1>> wrench(T_WO.size(), Eigen::Matrix<double, 6, 1>::Zero());
  for (std::size_t o = 0; o < T_WO.size(); ++o) {
    const model::Object& object = m.model->objects[o];
    for (std::size_t k = 0; k < 2; ++k) {
      body::Covector& force = of[k][o];
      force.f *= -1;
      force.F *= -1;
      std::vector<double>& to = k == 0 ? out.barrier : out.friction;
      body::add_resultant(T_WO[o], force, wrench[o].data());
      if (object.block >= 0)
        pull_back(m, cache, o, force, to.data() + m.model->blocks[at(object.block)].v);
      if (object.moves_freely()) continue;
      double w[6] = {};  // what is on the ground, or a system, is, the other way, on what moves
      body::add_resultant(T_WO[o], force, w);
      out.outside.force -= vec3(w);
      out.outside.moment -= vec3(w + 3) + T_WO[o].p.cross(vec3(w));
    }
  }
  if (m.settings.impulses)
    for (const int o : model::touching_objects(*m.model))
      out.wrenches.insert(out.wrenches.end(), wrench[at(o)].begin(), wrench[at(o)].end());
  return out;
}

double renew_friction(const Mechanism& m, const std::vector<body::Transform>& T_WO, Contact& c) {
  const std::vector<Rubbing> before = c.rubbing;
  take_close(m, T_WO, c);
  take_rubbing(T_WO, c);
  const double most = std::max(greatest(before), greatest(c.rubbing));
  if (before.size() != c.rubbing.size()) return most > 0 ? 1 : 0;
  double change = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    change = std::max(change, std::abs(before[i].force - c.rubbing[i].force));
  return most > 0 ? change / most : 0;
}

double contact_energy(const Mechanism& m, const std::vector<body::Transform>& T_WO, Contact& c) {
  if (!c.any()) return 0;
  place_corners(T_WO, c);
  std::vector<double> part((c.candidates.size() + kContactGrain - 1) / kContactGrain, 0);
  parallel::for_each(count(part), [&](int piece) {
    const int first = piece * kContactGrain,
              last = std::min(first + kContactGrain, count(c.candidates));
    for (int i = first; i < last; ++i) {
      const barrier::Candidate& k = c.candidates[at(i)];
      part[at(piece)] += barrier::pair_value(places_of(c, k), k.split == 2, stiffness(m, c, k));
    }
  });
  double sum = 0;
  for (const double x : part) sum += x;
  const double v = m.settings.barrier.slip_speed;
  for (const Rubbing& r : c.rubbing)
    sum += r.force / c.slip.rate * barrier::friction(slip_of(c.slip, T_WO, r).norm(), v).f;
  return sum;
}

double barrier_energy(const Contact& c) {
  double sum = 0;
  for (const ClosePair& p : c.close) sum += p.energy.value;
  return sum;
}

void take_close(const Mechanism& m, const std::vector<body::Transform>& T_WO, Contact& c) {
  place_corners(T_WO, c);
  c.close.clear();
  std::vector<std::vector<ClosePair>> part((c.candidates.size() + kContactGrain - 1) /
                                           kContactGrain);
  parallel::for_each(count(part), [&](int piece) {
    const int first = piece * kContactGrain,
              last = std::min(first + kContactGrain, count(c.candidates));
    for (int i = first; i < last; ++i) {
      const barrier::Candidate& k = c.candidates[at(i)];
      const barrier::PairEnergy e =
          barrier::pair_energy(places_of(c, k), k.split == 2, stiffness(m, c, k));
      if (e.at.D < begins_at(m)) part[at(piece)].push_back({i, e});
    }
  });
  for (const auto& p : part) c.close.insert(c.close.end(), p.begin(), p.end());
}

void add_barrier_covectors(const Contact& c, std::vector<body::Covector>& out) {
  for (const ClosePair& p : c.close) {
    const barrier::Candidate& k = c.candidates[at(p.candidate)];
    split(k, own(c, k), p.energy.gradient, out[at(c.object[at(k.a)])], out[at(c.object[at(k.b)])]);
  }
}

Vec3 friction_force(const Mechanism& m, const std::vector<body::Transform>& T_WO, const Contact& c,
                    const Rubbing& r) {
  const Eigen::Vector2d slip = slip_of(c.slip, T_WO, r);
  const double speed = slip.norm();
  if (!(speed > 0)) return Vec3::Zero();
  const double slope = barrier::friction(speed, m.settings.barrier.slip_speed).d;
  return r.tangents * (-r.force * slope / speed * slip);
}

void add_friction_covectors(const Mechanism& m, const std::vector<body::Transform>& T_WO,
                            const Contact& c, std::vector<body::Covector>& out) {
  for (const Rubbing& r : c.rubbing) {
    const Vec3 f = friction_force(m, T_WO, c, r);
    if (f.isZero(0)) continue;
    add_covector(out[at(r.b)], at_point(-f, r.on_b));
    add_covector(out[at(r.a)], at_point(f, r.on_a));
  }
}

contact::Point point_of(const Contact& c, const ClosePair& p) {
  const barrier::Candidate& k = c.candidates[at(p.candidate)];
  const barrier::Four x = places_of(c, k);
  Vec3 sides[2] = {Vec3::Zero(), Vec3::Zero()};
  double weights[2] = {0, 0};
  std::vector<int> corners[2];
  for (int i = 0; i < 4; ++i) {
    const int side = i < k.split ? 0 : 1;
    sides[side] += p.energy.at.w[at_(i)] * x[at_(i)];
    weights[side] += p.energy.at.w[at_(i)];
    if (p.energy.at.w[at_(i)] != 0) corners[side].push_back(k.corner[at_(i)]);
  }
  const auto of_a = feature_of_corners(corners[0]), of_b = feature_of_corners(corners[1]);
  contact::Point out{k.a,
                     k.b,
                     contact::feature_of(of_a[0], of_a[1], of_b[0], of_b[1]),
                     sides[0] / weights[0],
                     sides[1] / weights[1],
                     Vec3::Zero(),
                     p.energy.at.r.norm()};
  out.n = (out.p_B - out.p_A) / out.gap;
  return k.a < k.b ? out : contact::swapped(out);
}

std::vector<CurvatureTerm> curvature_terms(const Mechanism& m,
                                           const std::vector<body::Transform>& T_WO,
                                           const Contact& c) {
  std::vector<CurvatureTerm> out;
  std::vector<barrier::RankOne> terms;
  for (const ClosePair& p : c.close) {
    const barrier::Candidate& k = c.candidates[at(p.candidate)];
    const barrier::Four x = own(c, k);
    terms.clear();
    barrier::add_curvature(places_of(c, k), k.split == 2, stiffness(m, c, k), p.energy, true,
                           terms);
    for (const barrier::RankOne& t : terms) {
      out.push_back({c.object[at(k.a)], c.object[at(k.b)], t.factor, {}, {}});
      split(k, x, t.v, out.back().on_a, out.back().on_b);
    }
  }
  for (const Rubbing& r : c.rubbing) {
    const Eigen::Vector2d slip = slip_of(c.slip, T_WO, r);
    const double speed = slip.norm(), v = m.settings.barrier.slip_speed;
    const barrier::Function f = barrier::friction(speed, v);
    const Eigen::Vector2d along = speed > 0 ? Eigen::Vector2d(slip / speed)
                                            : Eigen::Vector2d(Eigen::Vector2d::UnitX()),
                          across(-along.y(), along.x());
    const double slope = speed > 1e-9 * v ? f.d / speed : 2 / v;
    const auto add = [&](double factor, const Eigen::Vector2d& way) {
      const Vec3 d = r.tangents * way;
      if (factor > 0)
        out.push_back(
            {r.a, r.b, r.force * c.slip.rate * factor, at_point(-d, r.on_a), at_point(d, r.on_b)});
    };
    add(f.dd, along);
    add(slope, across);
  }
  return out;
}

namespace {

/// The guard of a pair that would touch where it is closest as `closest` says.
Guard guard_of(const Mechanism& m, const Contact& c, const barrier::Candidate& k,
               const barrier::Closest& closest, const barrier::Four& now) {
  Guard g{k, 0, {c.object[at(k.a)], c.object[at(k.b)], 1, {}, {}}};
  const Vec3 n = closest.r.normalized();
  barrier::Vec12 v;
  for (int i = 0; i < 4; ++i) {
    v.segment<3>(3 * i) = closest.w[at_(i)] * n;
    g.spare += closest.w[at_(i)] * n.dot(now[at_(i)] - now[0]);
  }
  // what is very near must part again, or what turns beside it holds up all
  const double width = m.settings.barrier.distance;
  if (g.spare > 0) g.spare -= std::max(0.5 * std::min(g.spare, width), kParted * width);
  split(k, own(c, k), v, g.way.on_a, g.way.on_b);
  return g;
}

barrier::Closest closest_of(const barrier::Candidate& k, const barrier::Four& x) {
  return k.split == 2 ? barrier::edge_edge(x) : barrier::point_triangle(x);
}

}  // namespace

bool add_guards(const Mechanism& m, const std::vector<body::Transform>& T_WO, Contact& c,
                std::vector<Guard>& guards) {
  place_corners(T_WO, c);
  bool fresh = false;
  for (const barrier::Hit& h : c.hits) {
    const barrier::Candidate& k = c.candidates[at(h.candidate)];
    const barrier::Four now = places_of(c, k);
    Guard g = guard_of(m, c, k, closest_of(k, barrier::places(c.movers, k, h.way)), now);
    if (!(g.spare > 0)) g = guard_of(m, c, k, closest_of(k, now), now);  // it has turned much
    const auto same = std::find_if(guards.begin(), guards.end(), [&](const Guard& other) {
      return other.pair.a == k.a && other.pair.b == k.b && other.pair.split == k.split &&
             other.pair.corner == k.corner;
    });
    if (same != guards.end()) {
      *same = g;
    } else {
      guards.push_back(g);
      fresh = true;
    }
  }
  return fresh;
}

double least_distance(const Contact& c) {
  double least = std::numeric_limits<double>::infinity();
  for (const ClosePair& p : c.close) least = std::min(least, std::sqrt(p.energy.at.D));
  return least;
}

bool newly_close(const Contact& c) {
  const auto now = touching(c);
  return !std::includes(c.at_start.begin(), c.at_start.end(), now.begin(), now.end());
}

}  // namespace trammel::form::energy

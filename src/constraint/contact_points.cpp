#include "constraint/contact_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "math/index.h"
#include "math/parallel.h"
#include "solve/product.h"
#include "solve/tied.h"

namespace trammel::constraint {

namespace {
constexpr double kMargin = 0.01;  // smallest margin, as a share of the shape's least extent

std::vector<contact::Placed> placed(const model::ContactScene& scene) {
  std::vector<contact::Placed> out;
  for (const model::ContactShape& s : scene.shapes) out.push_back({s.object, s.X_OS, s.shape});
  return out;
}

/// The least times a power of two, so that margins, and with them the points found at the end of a
/// step, mostly hold for the next one as well.
double rounded_up(double margin, double least) {
  if (!(margin > least)) return least;
  if (!(least > 0)) return margin;
  int power = 0;
  const double part = std::frexp(margin / least, &power);
  return std::ldexp(least, part == 0.5 ? power - 1 : power);
}

/// A tangent that follows from the normal alone.
Vec3 tangent_of(const Vec3& n) {
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(n[i]) < std::abs(n[least])) least = i;
  return n.cross(Vec3::Unit(least)).normalized();
}
}  // namespace

ContactSurfaces::ContactSurfaces(const model::Kinematics& kin)
    : kin_(kin), detector_(placed(kin.model().contacts), model::pair_rule(kin.model())) {
  const model::Model& m = kin.model();
  const solve::Graph& graph = kin.graph();
  ties_ = solve::tied_blocks(graph);
  for (std::size_t b = 0; b < graph.blocks.size(); ++b)
    tied_.push_back(graph.first_end[b] >= 0 || graph.blocks[b].form != solve::MassForm::split ||
                    graph.blocks[b].n != 6);
  for (const model::Object& o : m.objects)
    if (o.block >= 0 && o.jacobian >= 0) tied_[at(o.block)] = 1;
  any_tied_ = std::any_of(tied_.begin(), tied_.end(), [](unsigned char t) { return t; });
  for (const model::Object& o : m.objects) {
    const bool is_free = o.block >= 0 && !tied_[at(o.block)];
    free_.push_back(is_free ? n_free() : -1);
    if (!is_free) continue;
    free_u_.push_back(m.blocks[at(o.block)].v);
    free_block_.push_back(o.block);
  }
  for (const model::ContactShape& s : m.contacts.shapes) {
    const contact::Extent e = contact::extent(s.shape);
    reach_.push_back(s.X_OS.p.norm() + e.reach);
    least_.push_back(kMargin * e.least);
    runs_.push_back(m.objects[at(s.object)].moved || s.surface_velocity != Vec3::Zero());
  }
  X_WO_.resize(m.objects.size());
}

Vec3 ContactSurfaces::place(const contact::Point& p) const {
  const auto moves = [&](int shape) {
    return kin_.model().objects[at(object_of(shape))].block >= 0;
  };
  if (!moves(p.A)) return p.p_B;
  return moves(p.B) ? place_of(p) : p.p_A;
}

int ContactSurfaces::object_of(int shape) const {
  return kin_.model().contacts.shapes[at(shape)].object;
}

int ContactSurfaces::block_of(int shape) const {
  return kin_.model().objects[at(object_of(shape))].block;
}

bool ContactSurfaces::in_balance(int shape) const {
  const model::Object& o = kin_.model().objects[at(object_of(shape))];
  return o.block >= 0 && o.jacobian < 0;
}

double ContactSurfaces::least_extent(const contact::Point& p) const {
  double out = std::numeric_limits<double>::infinity();
  for (const int shape : {p.A, p.B})
    if (least_[at(shape)] > 0) out = std::min(out, least_[at(shape)] / kMargin);
  return out;
}

const model::ContactLaw& ContactSurfaces::law(const contact::Point& point) const {
  return kin_.model().contacts.law(point.A, point.B);
}

std::string ContactSurfaces::name(const contact::Point& point) const {
  const model::Model& m = kin_.model();
  return m.objects[at(object_of(point.A))].name + ", " + m.objects[at(object_of(point.B))].name;
}

std::vector<double> ContactSurfaces::margins(double h, const model::KinematicsCache& at_,
                                             const std::vector<double>& u) const {
  const model::Model& m = kin_.model();
  const double fall = h * h * vec3(kin_.params().values.data() + model::kGravityParam).norm();
  std::vector<double> out(reach_.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const model::Object& o = m.objects[at(m.contacts.shapes[i].object)];
    double speed = 0;
    if (o.moved) {
      const body::Rate& r = at_.rate[at(m.contacts.shapes[i].object)];
      speed = r.v.norm() + r.A.norm() * reach_[i];
    } else if (o.block >= 0) {
      Motion room;
      const double* v = motion_of(m.contacts.shapes[i].object, at_, u, room);
      const int n = body::motion_size(o.motion_kind);
      speed = vec3(v).norm() + Eigen::Map<const VecX>(v + 3, n - 3).norm() * reach_[i];
    }
    out[i] = rounded_up(2 * (h * speed + (o.block >= 0 ? fall : 0)), least_[i]);
  }
  return out;
}

const double* ContactSurfaces::motion_of(int object, const model::KinematicsCache& at_,
                                         const std::vector<double>& u, Motion& room) const {
  const model::Object& o = kin_.model().objects[at(object)];
  const model::Block& b = kin_.model().blocks[at(o.block)];
  const double* v = u.data() + b.v;
  if (o.jacobian < 0) return v;
  const double* J = at_.jacobian.data() + o.jacobian;
  room.fill(0);
  for (int i = 0; i < body::motion_size(o.motion_kind); ++i)
    for (int j = 0; j < b.n; ++j) room[at(i)] += J[i * b.n + j] * v[j];
  return room.data();
}

bool ContactSurfaces::is_rigid(const contact::Point& p) const {
  const auto of = [&](int shape) {
    const model::Object& o = kin_.model().objects[at(object_of(shape))];
    return o.block < 0 || (o.jacobian < 0 && !body::can_strain(o.motion_kind));
  };
  return of(p.A) && of(p.B);
}

Vec3 ContactSurfaces::slip(const contact::Point& p, const model::KinematicsCache& at_,
                           const std::vector<double>& u) const {
  const Vec3 x = place(p);
  const auto of = [&](int shape) -> Vec3 {
    if (block_of(shape) < 0) return Vec3::Zero();
    const double* v = u.data() + kin_.model().blocks[at(block_of(shape))].v;
    return vec3(v) + vec3(v + 3).cross(x - at_.T_WO[at(object_of(shape))].p);
  };
  return of(p.B) - of(p.A);
}

void ContactSurfaces::tie(const contact::Point& p, Forest& islands) const {
  const int a = block_of(p.A), b = block_of(p.B);
  if (a >= 0 && b >= 0) islands.unite(a, b);
}

int ContactSurfaces::island_of(const contact::Point& p, Forest& islands) const {
  return islands.root(block_of(p.A) >= 0 ? block_of(p.A) : block_of(p.B));
}

/// Parts the points into lean and bound ones, by the islands that contacts and rows make.
void ContactSurfaces::sort(ContactList& list) {
  list.island.clear();
  if (any_tied_) return sort_by_islands(list);
  list.bound.clear();
  list.group.assign(1, 0);
  list.lean.resize(list.size());
  std::iota(list.lean.begin(), list.lean.end(), 0);
}

void ContactSurfaces::find_islands(ContactList& list) {
  if (list.island.size() != list.size()) sort_by_islands(list);
}

void ContactSurfaces::sort_by_islands(ContactList& list) {
  islands_ = ties_;
  for (std::size_t k = 0; k + 1 < list.pair.size(); ++k)
    tie(list.points[at(list.pair[k])], islands_);
  std::vector<unsigned char> tied(islands_.size(), 0);
  for (std::size_t b = 0; b < islands_.size(); ++b)
    if (tied_[b]) tied[at(islands_.root(static_cast<int>(b)))] = 1;
  list.lean.clear();
  list.bound.clear();
  list.island.resize(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    list.island[i] = island_of(list.points[i], islands_);
    (tied[at(list.island[i])] ? list.bound : list.lean).push_back(static_cast<int>(i));
  }
  const auto island = [&](int i) { return list.island[at(i)]; };
  std::stable_sort(list.bound.begin(), list.bound.end(),
                   [&](int i, int k) { return island(i) < island(k); });
  list.group.clear();
  for (int k = 0; k < count(list.bound); ++k)
    if (k == 0 || island(list.bound[at(k)]) != island(list.bound[at(k - 1)]))
      list.group.push_back(k);
  list.group.push_back(count(list.bound));
}

/// The velocity of the surface at x that does not follow from unknowns.
Vec3 ContactSurfaces::own_velocity(int shape, const Vec3& x,
                                   const model::KinematicsCache& at_) const {
  const model::ContactShape& s = kin_.model().contacts.shapes[at(shape)];
  const model::Object& o = kin_.model().objects[at(s.object)];
  const body::Transform& T = at_.T_WO[at(s.object)];
  Vec3 v = Vec3::Zero();
  if (o.moved) {
    const body::Rate& r = at_.rate[at(s.object)];
    v += r.v + r.A * T.A.inverse() * (x - T.p);
  }
  return v;
}

/// How fast a surface runs around its shape, along it where the normal is n.
Vec3 ContactSurfaces::belt_velocity(int shape, const Vec3& n,
                                    const model::KinematicsCache& at_) const {
  const model::ContactShape& s = kin_.model().contacts.shapes[at(shape)];
  if (s.surface_velocity == Vec3::Zero()) return Vec3::Zero();
  const Vec3 v = at_.T_WO[at(s.object)].A * (s.X_OS.R * s.surface_velocity);
  return v - n * n.dot(v);
}

/// The velocity at x, on the mean of a step of h, of an object that moves by itself from T to end.
/// What turns with it and touches it is carried as a whole: about its origin, `about`, along the
/// chord of that one's way. For all else the surface runs: a roller's does not sink.
Vec3 ContactSurfaces::mean_velocity(double h, const body::Transform& T, const body::Transform& end,
                                    const Vec3& w, const Vec3& w_other, const Vec3& about,
                                    const Vec3& x) {
  if (!turns_with(w_other, w)) return (end.p - T.p) / h + w.cross(x - T.p);
  const Vec3 chord = end.p + end.A * (T.A.transpose() * (about - T.p)) - about;
  return chord / h + w.cross(x - about);
}

void ContactSurfaces::take_mean_motion(double h, const model::KinematicsCache& at_,
                                       const std::vector<double>& u, ContactList& list,
                                       std::vector<Vec3>& shift) const {
  constexpr double kTurns = 2;  // [rad] in a step: beyond, the rates say it, not the places
  shift.clear();
  if (kin_.model().prescribed.empty()) return;
  shift.assign(list.size(), Vec3::Zero());
  struct End {
    body::Transform T;
    Vec3 w;
  };
  std::map<int, End> ends;  // of objects
  for (const model::Moved& m : kin_.model().prescribed) {
    End& end = ends[m.object];
    body::Rate rate;
    body::Bias bias;
    m.motion.at(at_.t + h, end.T, rate, bias);
    const auto spin = [&](const body::Transform& T, const body::Rate& r) {
      return body::angular_velocity(kin_.model().objects[at(m.object)].motion_kind, T, r);
    };
    const body::Transform& T = at_.T_WO[at(m.object)];
    end.w = 0.5 * (spin(T, at_.rate[at(m.object)]) + spin(end.T, rate));
    if (h * end.w.norm() > kTurns) continue;
    const Eigen::AngleAxisd turn(Mat3(end.T.A * T.A.transpose()));
    end.w = turn.angle() / h * turn.axis();
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const contact::Point& p = list.points[i];
    Vec3 more = Vec3::Zero();
    for (const bool b : {false, true}) {
      const int object = object_of(b ? p.B : p.A), other = b ? p.A : p.B;
      if (!kin_.model().objects[at(object)].moved) continue;
      const body::Transform& T = at_.T_WO[at(object)];
      const body::Rate& r = at_.rate[at(object)];
      const End& end = ends.at(object);
      const Vec3& x = b ? p.p_B : p.p_A;
      const Vec3 mean = mean_velocity(h, T, end.T, end.w, twist_of(other, at_, u).w,
                                      at_.T_WO[at(object_of(other))].p, x);
      more += (b ? 1 : -1) * (mean - r.v - r.A * (T.A.transpose() * (x - T.p)));
    }
    shift[i] = {p.n.dot(more), list.t[i].dot(more), list.s[i].dot(more)};
    list.own[i] += shift[i];
  }
}

void ContactSurfaces::make_frames(const model::KinematicsCache& at_, ContactList& list) const {
  const std::size_t n = list.size();
  list.t.resize(n);
  list.s.resize(n);
  list.own.assign(n, Vec3::Zero());
  parallel::for_pieces(static_cast<int>(n), kContactGrain, [&](int first, int last) {
    for (std::size_t i = at(first); i < at(last); ++i) {
      const contact::Point& p = list.points[i];
      if (i > at(first) && p.n == list.points[i - 1].n) {
        list.t[i] = list.t[i - 1];
        list.s[i] = list.s[i - 1];
      } else {
        list.t[i] = tangent_of(p.n);
        list.s[i] = p.n.cross(list.t[i]);
      }
      if (!runs_[at(p.A)] && !runs_[at(p.B)]) continue;
      const Vec3 v = own_velocity(p.B, p.p_B, at_) - own_velocity(p.A, p.p_A, at_) +
                     belt_velocity(p.B, p.n, at_) - belt_velocity(p.A, p.n, at_);
      list.own[i] = {p.n.dot(v), list.t[i].dot(v), list.s[i].dot(v)};
    }
  });
}

void ContactSurfaces::make_lean(const model::KinematicsCache& at_, ContactList& list) {
  const solve::Graph& graph = kin_.graph();
  bodies_.assign(free_u_.size() + 1, {});
  for (std::size_t k = 0; k < free_block_.size(); ++k) {
    const double* inv = at_.inv_mass.data() + graph.blocks[at(free_block_[k])].mass;
    bodies_[k] = {inv[0], Eigen::Map<const Mat3>(inv + 1)};  // symmetric
  }
  lean_points_.resize(list.lean.size());
  list.arms.resize(list.size());
  parallel::for_pieces(count(list.lean), kContactGrain, [&](int first, int last) {
    for (int k = first; k < last; ++k)
      lean_points_[at(k)] = lean_point(at_, list, at(list.lean[at(k)]));
  });
  list.system.build_of(bodies_, lean_points_);
}

/// A point as its solver sees it; notes its arms.
solve::ContactPoint ContactSurfaces::lean_point(const model::KinematicsCache& at_,
                                                ContactList& list, std::size_t i) const {
  const contact::Point& p = list.points[i];
  const Vec3 x = place(p);
  const model::ContactLaw& l = law(p);
  const int a = body_of(p.A), b = body_of(p.B);
  ContactArms& arms = list.arms[i];
  arms.u_a = a < 0 ? -1 : unknown(a);
  arms.u_b = b < 0 ? -1 : unknown(b);
  arms.r_a = x - at_.T_WO[at(object_of(p.A))].p;
  arms.r_b = x - at_.T_WO[at(object_of(p.B))].p;
  return {a < 0 ? n_free() : a,
          b < 0 ? n_free() : b,
          arms.r_a,
          arms.r_b,
          p.n,
          list.t[i],
          list.s[i],
          l.friction,
          l.rolling,
          l.spinning};
}

ContactColumns ContactSurfaces::columns(const ContactList& list, std::size_t i,
                                        const model::KinematicsCache& at_) const {
  const contact::Point& p = list.points[i];
  const Vec3 x = place(p);
  ContactColumns out;
  for (const int side : {0, 1}) {
    const int object = object_of(side ? p.B : p.A);
    const model::Object& o = kin_.model().objects[at(object)];
    if (o.block < 0) continue;
    const model::Block& b = kin_.model().blocks[at(o.block)];
    const body::Transform& T = at_.T_WO[at(object)];
    const Vec3 own = T.A.inverse() * (x - T.p);
    out.u[at(side)] = b.v;
    out.n[at(side)] = b.n;
    out.c[at(side)].assign(6 * at(b.n), 0);
    for (int k = 0; k < 6; ++k) {
      const Vec3 d = (side ? 1 : -1) * (k % 3 == 0 ? p.n : k % 3 == 1 ? list.t[i] : list.s[i]);
      const Vec3 none = Vec3::Zero();
      kin_.add_wrench(object, own, k < 3 ? d : none, k < 3 ? none : d, at_,
                      out.c[at(side)].data() + k * b.n - b.v);
    }
  }
  return out;
}

void ContactSurfaces::find_points(const model::KinematicsCache& at_, std::span<const double> margin,
                                  std::vector<contact::Point>& out) {
  for (std::size_t i = 0; i < X_WO_.size(); ++i)
    X_WO_[i] = {at_.T_WO[i].p, body::rotation(kin_.model().objects[i].motion_kind, at_.T_WO[i].A)};
  detector_.find(X_WO_, margin, out);
}

void ContactSurfaces::find(const model::KinematicsCache& at_, std::span<const double> margin,
                           ContactList& list) {
  find_points(at_, margin, list.points);
  prepare(at_, list);
}

/// Makes all that follows from the points.
void ContactSurfaces::prepare(const model::KinematicsCache& at_, ContactList& list) {
  ++list.version;
  list.pair.clear();
  for (std::size_t i = 0; i < list.size(); ++i)
    if (i == 0 || list.points[i].A != list.points[i - 1].A ||
        list.points[i].B != list.points[i - 1].B)
      list.pair.push_back(static_cast<int>(i));
  list.pair.push_back(count(list.points));
  make_frames(at_, list);
  sort(list);
  make_lean(at_, list);
  list.columns.clear();
  list.column.assign(list.size(), -1);
  for (const int i : list.bound) {
    list.column[at(i)] = count(list.columns);
    list.columns.push_back(columns(list, at(i), at_));
  }
}

Six rates_of_bound(const ContactList& list, std::size_t i, std::span<const double> u) {
  const ContactColumns& c = list.columns[at(list.column[i])];
  Six out = Six::Zero();
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
    for (int k = 0; k < 6; ++k)
      for (int j = 0; j < c.n[side]; ++j)
        out[k] += c.c[side][at(k * c.n[side] + j)] * u[at(c.u[side] + j)];
  return out;
}

Six rates_at(const ContactList& list, std::size_t i, std::span<const double> u) {
  if (list.column[i] >= 0) return rates_of_bound(list, i, u);
  const ContactArms& arms = list.arms[i];
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
  if (arms.u_a >= 0) {
    const double* of = u.data() + arms.u_a;
    v -= vec3(of) + vec3(of + 3).cross(arms.r_a);
    w -= vec3(of + 3);
  }
  if (arms.u_b >= 0) {
    const double* of = u.data() + arms.u_b;
    v += vec3(of) + vec3(of + 3).cross(arms.r_b);
    w += vec3(of + 3);
  }
  const Vec3 &n = list.points[i].n, &t = list.t[i], &s = list.s[i];
  Six out;
  out << n.dot(v), t.dot(v), s.dot(v), n.dot(w), t.dot(w), s.dot(w);
  return out;
}

void add_impulses_of_bound(const ContactList& list, std::size_t i, const Six& p,
                           std::span<double> P) {
  const ContactColumns& c = list.columns[at(list.column[i])];
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
    for (int k = 0; k < 6; ++k)
      for (int j = 0; j < c.n[side]; ++j)
        P[at(c.u[side] + j)] += p[k] * c.c[side][at(k * c.n[side] + j)];
}

void add_impulses(const ContactList& list, std::size_t i, const Six& p, std::span<double> P) {
  if (list.column[i] >= 0) return add_impulses_of_bound(list, i, p, P);
  const contact::Point& point = list.points[i];
  const Vec3 f = p[0] * point.n + p[1] * list.t[i] + p[2] * list.s[i],
             torque = p[3] * point.n + p[4] * list.t[i] + p[5] * list.s[i];
  const ContactArms& arms = list.arms[i];
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

void add_all_impulses(const ContactList& list, const double* p, std::vector<PairImpulse>& pairs,
                      std::span<double> P) {
  const int n = count(list.pair) - 1;
  pairs.resize(at(std::max(n, 0)));
  parallel::for_pieces(n, kContactGrain / 4, [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      const ContactArms& first_arms = list.arms[at(list.pair[at(k)])];
      PairImpulse sum{first_arms.u_a, first_arms.u_b, Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
      for (std::size_t i = at(list.pair[at(k)]); i < at(list.pair[at(k) + 1]); ++i) {
        const double* x = p + 6 * i;
        const Vec3 &normal = list.points[i].n, &t = list.t[i], &s = list.s[i];
        const Vec3 f = x[0] * normal + x[1] * t + x[2] * s,
                   torque = x[3] * normal + x[4] * t + x[5] * s;
        sum.force += f;
        sum.torque_a += list.arms[i].r_a.cross(f) + torque;
        sum.torque_b += list.arms[i].r_b.cross(f) + torque;
      }
      pairs[at(k)] = sum;
    }
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

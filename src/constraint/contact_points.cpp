#include "constraint/contact_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/index.h"
#include "solve/product.h"

namespace trammel::constraint {

namespace {
constexpr double kMargin = 0.01;  // smallest margin, as a share of the shape's least extent

std::vector<contact::Placed> placed(const model::ContactScene& scene) {
  std::vector<contact::Placed> out;
  for (const model::ContactShape& s : scene.shapes) out.push_back({s.object, s.X_OS, s.shape});
  return out;
}

/// A tangent that follows from the normal alone.
Vec3 tangent_of(const Vec3& n) {
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(n[i]) < std::abs(n[least])) least = i;
  return n.cross(Vec3::Unit(least)).normalized();
}

/// Blocks that a graph's rows tie together, as a forest of parents.
std::vector<int> ties(const solve::Graph& graph) {
  std::vector<int> parent(graph.blocks.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[at(i)] != i) i = parent[at(i)] = parent[at(parent[at(i)])];
    return i;
  };
  for (const solve::Graph::Group& g : graph.groups)
    for (int e = g.end + 1; e < g.end + g.n_ends; ++e) {
      const int a = root(graph.ends[at(g.end)].block), b = root(graph.ends[at(e)].block);
      parent[at(std::max(a, b))] = std::min(a, b);
    }
  return parent;
}
}  // namespace

ContactSurfaces::ContactSurfaces(const model::Kinematics& kin)
    : kin_(kin), detector_(placed(kin.model().contacts), model::pair_rule(kin.model())) {
  const model::Model& m = kin.model();
  const solve::Graph& graph = kin.graph();
  tree_ = ties(graph);
  for (std::size_t b = 0; b < graph.blocks.size(); ++b)
    tied_.push_back(graph.first_end[b] >= 0 || graph.blocks[b].form != solve::MassForm::split ||
                    graph.blocks[b].n != 6);
  for (const model::Object& o : m.objects) {
    const bool is_free = o.block >= 0 && o.jacobian < 0 && !tied_[at(o.block)];
    free_.push_back(is_free ? n_free() : -1);
    if (!is_free) continue;
    free_u_.push_back(m.blocks[at(o.block)].v);
    free_block_.push_back(o.block);
  }
  for (const model::ContactShape& s : m.contacts.shapes) {
    const contact::Extent e = contact::extent(s.shape);
    reach_.push_back(s.X_OS.p.norm() + e.reach);
    least_.push_back(kMargin * e.least);
  }
  bodies_.resize(free_u_.size() + 1);
  X_WO_.resize(m.objects.size());
}

int ContactSurfaces::object_of(int shape) const {
  return kin_.model().contacts.shapes[at(shape)].object;
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
      const model::Block& b = m.blocks[at(o.block)];
      const bool embedded = o.jacobian < 0;
      const double* v = u.data() + b.v;
      if (embedded)
        speed = vec3(v).norm() + Eigen::Map<const VecX>(v + 3, b.n - 3).norm() * reach_[i];
    }
    out[i] = std::max(least_[i], 2 * (h * speed + (o.block >= 0 ? fall : 0)));
  }
  return out;
}

int ContactSurfaces::root(int i) {
  while (parent_[at(i)] != i) i = parent_[at(i)] = parent_[at(parent_[at(i)])];
  return i;
}

/// Parts the points into lean and bound ones, by the islands that contacts and rows make.
void ContactSurfaces::sort(ContactList& list) {
  const model::Model& m = kin_.model();
  parent_ = tree_;
  const auto block = [&](int shape) { return m.objects[at(object_of(shape))].block; };
  for (const contact::Point& p : list.points) {
    const int a = block(p.A), b = block(p.B);
    if (a < 0 || b < 0) continue;
    const int ra = root(a), rb = root(b);
    parent_[at(std::max(ra, rb))] = std::min(ra, rb);
  }
  std::vector<unsigned char> tied(parent_.size(), 0);
  for (std::size_t b = 0; b < parent_.size(); ++b)
    if (tied_[b]) tied[at(root(static_cast<int>(b)))] = 1;
  list.lean.clear();
  list.bound.clear();
  list.island.resize(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const contact::Point& p = list.points[i];
    const int b = block(p.A) >= 0 ? block(p.A) : block(p.B);
    list.island[i] = root(b);
    (tied[at(root(b))] ? list.bound : list.lean).push_back(static_cast<int>(i));
  }
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
  if (s.surface_velocity != Vec3::Zero()) v += T.A * (s.X_OS.R * s.surface_velocity);
  return v;
}

void ContactSurfaces::make_frames(const model::KinematicsCache& at_, ContactList& list) const {
  const std::size_t n = list.size();
  list.t.resize(n);
  list.s.resize(n);
  list.own.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const contact::Point& p = list.points[i];
    list.t[i] = tangent_of(p.n);
    list.s[i] = p.n.cross(list.t[i]);
    const Vec3 v = own_velocity(p.B, p.p_B, at_) - own_velocity(p.A, p.p_A, at_);
    list.own[i] = {p.n.dot(v), list.t[i].dot(v), list.s[i].dot(v)};
  }
}

void ContactSurfaces::make_lean(const model::KinematicsCache& at_, ContactList& list) {
  const solve::Graph& graph = kin_.graph();
  for (std::size_t k = 0; k < free_block_.size(); ++k) {
    const double* inv = at_.inv_mass.data() + graph.blocks[at(free_block_[k])].mass;
    bodies_[k] = {inv[0], Eigen::Map<const Mat3>(inv + 1)};  // symmetric
  }
  lean_points_.clear();
  for (const int i : list.lean) {
    const contact::Point& p = list.points[at(i)];
    const Vec3 x = place_of(p);
    const model::ContactLaw& l = law(p);
    const auto body = [&](int shape) { return body_of(shape) < 0 ? n_free() : body_of(shape); };
    lean_points_.push_back({body(p.A), body(p.B), x - at_.T_WO[at(object_of(p.A))].p,
                            x - at_.T_WO[at(object_of(p.B))].p, p.n, list.t[at(i)], list.s[at(i)],
                            l.friction, l.rolling, l.spinning});
  }
  list.system.build(bodies_, lean_points_);
}

ContactColumns ContactSurfaces::columns(const ContactList& list, std::size_t i,
                                        const model::KinematicsCache& at_) const {
  const contact::Point& p = list.points[i];
  const Vec3 x = place_of(p);
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

void ContactSurfaces::find(const model::KinematicsCache& at_, std::span<const double> margin,
                           ContactList& list) {
  for (std::size_t i = 0; i < X_WO_.size(); ++i)
    X_WO_[i] = {at_.T_WO[i].p, body::rotation(kin_.model().objects[i].motion_kind, at_.T_WO[i].A)};
  detector_.find(X_WO_, margin, list.points);
  prepare(at_, list);
}

/// Makes all that follows from the points.
void ContactSurfaces::prepare(const model::KinematicsCache& at_, ContactList& list) {
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

Six rates_at(const ContactSurfaces& surfaces, const ContactList& list, std::size_t i,
             const model::KinematicsCache& at_, std::span<const double> u) {
  if (list.column[i] >= 0) return rates_of_bound(list, i, u);
  const contact::Point& p = list.points[i];
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
  for (const int side : {0, 1}) {
    const int shape = side ? p.B : p.A, body = surfaces.body_of(shape);
    if (body < 0) continue;
    const double* of = u.data() + surfaces.unknown(body);
    const Vec3 r = place_of(p) - at_.T_WO[at(surfaces.object_of(shape))].p;
    const double sign = side ? 1 : -1;
    v += sign * (vec3(of) + vec3(of + 3).cross(r));
    w += sign * vec3(of + 3);
  }
  Six out;
  out << p.n.dot(v), list.t[i].dot(v), list.s[i].dot(v), p.n.dot(w), list.t[i].dot(w),
      list.s[i].dot(w);
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

void add_impulses(const ContactSurfaces& surfaces, const ContactList& list, std::size_t i,
                  const model::KinematicsCache& at_, const Six& p, std::span<double> P) {
  if (list.column[i] >= 0) return add_impulses_of_bound(list, i, p, P);
  const contact::Point& point = list.points[i];
  const Vec3 f = p[0] * point.n + p[1] * list.t[i] + p[2] * list.s[i],
             torque = p[3] * point.n + p[4] * list.t[i] + p[5] * list.s[i];
  for (const int side : {0, 1}) {
    const int shape = side ? point.B : point.A, body = surfaces.body_of(shape);
    if (body < 0) continue;
    const Vec3 r = place_of(point) - at_.T_WO[at(surfaces.object_of(shape))].p;
    double* of = P.data() + surfaces.unknown(body);
    const double sign = side ? 1 : -1;
    vec3(of) += sign * f;
    vec3(of + 3) += sign * (r.cross(f) + torque);
  }
}

}  // namespace trammel::constraint

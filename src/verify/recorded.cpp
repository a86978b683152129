#include "verify/recorded.h"

#include <algorithm>

#include "body/kinds.h"
#include "math/rotation.h"

namespace trammel::verify {

namespace {

Mat3 matrix(const double* rows) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(rows);
}

Mat3 axes(const double* q) { return Quat(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix(); }

}  // namespace

Recorded::Recorded(const io::ResultsReader& results) : results_(&results), times_(results.time()) {
  gravity = vec3(table("/model/gravity").values.data());
  if (const io::Series* s = series("/joints/coordinates"))
    for (const std::string& item : s->items)
      coordinate_index_.emplace(item, static_cast<int>(coordinate_index_.size()));
  take_bodies(table("/model/bodies"));
  take_joints(table("/model/joints"));
  take_laws(table("/model/laws"));
  for (const std::string& name : table("/model/loads").labels.at("body"))
    loads.push_back(body(name));
  if (const io::Series* s = series("/contacts/impulse"))
    for (const std::string& name : s->items) touching.push_back(body(name));
  touches = series("/contacts/state") != nullptr && touching.empty();
  impulses = !touches && (series("/joints/impulse") != nullptr || joints.empty());
  for (const io::Event& e : results.events())
    for (RecordedJoint& j : joints)
      if (j.name == e.subject && (e.kind == "break" || e.kind == "derail" || e.kind == "open end"))
        j.gone = std::min(j.gone, e.t);
}

void Recorded::take_bodies(const io::Constants& t) {
  for (std::size_t i = 0; i < t.items.size(); ++i) {
    const double* x = t.values.data() + t.columns.size() * i;
    const body::Kind* kind = body::find_kind(t.labels.at("kind")[i]);
    RecordedBody b;
    b.name = t.items[i];
    b.can_strain = kind && kind->can_strain;
    if (const io::Series* s = b.can_strain ? series("/bodies/affine") : nullptr)
      b.map =
          static_cast<int>(std::find(s->items.begin(), s->items.end(), b.name) - s->items.begin());
    b.massive = kind && kind->massive && (!kind->can_strain || b.map >= 0);
    b.mass = x[0];
    b.com = vec3(x + 1);
    b.inertia << x[4], x[7], x[8], x[7], x[5], x[9], x[8], x[9], x[6];
    body_index_.emplace(b.name, static_cast<int>(bodies.size()));
    bodies.push_back(std::move(b));
  }
}

void Recorded::take_joints(const io::Constants& t) {
  for (std::size_t i = 0; i < t.items.size(); ++i) {
    const double* x = t.values.data() + t.columns.size() * i;
    const auto text = [&](const char* label) { return t.labels.at(label)[i]; };
    RecordedJoint j;
    j.name = t.items[i];
    j.type = text("type");
    j.loose = text("loose");
    const std::string track = text("track");
    j.along = !track.empty();
    if (j.along) j.s = coordinate(j.name + ".s");
    for (const io::Constants& points : results_->header().constants)
      if (j.along && points.path == "/model/tracks/" + track) j.line = Line(points);
    j.a = body(text("a"));
    j.b = body(text("b"));
    j.X_a = {vec3(x), axes(x + 3)};
    j.X_b = {vec3(x + 7), axes(x + 10)};
    j.distance = x[14];
    j.meaning = find_meaning(j.type);
    if (j.type == kStrain && j.a >= 0)
      bodies[static_cast<std::size_t>(j.a)].strains = !j.loose.empty();
    joints.push_back(std::move(j));
  }
  for (RecordedJoint& j : joints)
    for (const int end : {j.a, j.b}) {
      if (end < 0) continue;
      const RecordedBody& b = bodies[static_cast<std::size_t>(end)];
      j.blind |= b.can_strain && b.map < 0;
      j.strains |= b.strains;
    }
}

void Recorded::take_laws(const io::Constants& t) {
  std::unordered_map<std::string, std::size_t> joint;
  for (std::size_t j = 0; j < joints.size(); ++j) joint.emplace(joints[j].name, j);
  for (std::size_t i = 0; i < t.items.size(); ++i) {
    const std::string &name = t.labels.at("joint")[i], &of = t.labels.at("coordinate")[i];
    if (const auto j = joint.find(name); j != joint.end())
      joints[j->second].laws.push_back({of, i, coordinate(name + "." + of)});
  }
}

int Recorded::body(const std::string& name) const {
  const auto it = body_index_.find(name);
  return it == body_index_.end() ? -1 : it->second;
}

int Recorded::coordinate(const std::string& name) const {
  const auto it = coordinate_index_.find(name);
  return it == coordinate_index_.end() ? -1 : it->second;
}

const io::Constants& Recorded::table(const char* path) const {
  for (const io::Constants& t : results_->header().constants)
    if (t.path == path) return t;
  throw io::ResultsError(results_->path() + ": it holds no " + path);
}

const io::Series* Recorded::series(const char* path) const {
  for (const io::Series& s : results_->series())
    if (s.path == path) return &s;
  return nullptr;
}

/// One frame of a series; empty where there is none.
std::vector<double> Recorded::row(const char* path, std::size_t k) const {
  const io::Series* s = series(path);
  if (!s) return {};
  return results_->read_rows(static_cast<std::size_t>(s - results_->series().data()), k, 1);
}

RecordedFrame Recorded::frame(std::size_t k) const {
  RecordedFrame out;
  out.t = times_[k];
  const auto p = row("/bodies/position", k), q = row("/bodies/orientation", k),
             v = row("/bodies/velocity", k), w = row("/bodies/angular_velocity", k),
             A = row("/bodies/affine", k), dA = row("/bodies/affine_rate", k);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    RecordedBodyState s;
    s.R = axes(q.data() + 4 * i);
    s.v = vec3(v.data() + 3 * i);
    s.w = vec3(w.data() + 3 * i);
    s.A = s.R;
    s.dA = skew(s.w) * s.R;
    if (const int map = bodies[i].map; map >= 0) {
      s.A = matrix(A.data() + 9 * map);
      s.dA = matrix(dA.data() + 9 * map);
    }
    s.p = vec3(p.data() + 3 * i) + s.A * bodies[i].com;
    out.body.push_back(s);
  }
  const auto reaction = row("/joints/reactions", k), impulse = row("/joints/impulse", k);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    RecordedJointState s{Vec3::Zero(), Vec3::Zero(), {}};
    if (const std::size_t r = 6 * j; r + 6 <= reaction.size()) {  // couplings, strains: no such
      s.force = vec3(reaction.data() + r);
      s.torque = vec3(reaction.data() + r + 3);
    }
    for (std::size_t i = 0; i < 3; ++i)
      s.impulse[i] = impulses ? Vec3(vec3(impulse.data() + 9 * j + 3 * i)) : Vec3::Zero();
    out.joint.push_back(s);
  }
  const auto load = row("/loads/impulse", k);
  for (std::size_t i = 0; i < load.size() / 6; ++i)
    out.load.push_back({vec3(load.data() + 6 * i), vec3(load.data() + 6 * i + 3)});
  const auto touch = row("/contacts/impulse", k);
  for (std::size_t i = 0; i < touch.size() / 6; ++i)
    out.touch.push_back({vec3(touch.data() + 6 * i), vec3(touch.data() + 6 * i + 3)});
  out.law = row("/laws/force", k);
  out.coordinate = row("/joints/coordinates", k);
  out.rate = row("/joints/rates", k);
  return out;
}

Frames Recorded::frames(const RecordedJoint& j, const RecordedFrame& at) const {
  const auto end = [&](int body, const Pose& X) {
    if (body < 0) return Frames::End{X.p, Vec3::Zero(), Vec3::Zero(), X.R};
    const auto i = static_cast<std::size_t>(body);
    const RecordedBodyState& s = at.body[i];
    const Vec3 r = X.p - bodies[i].com;
    return Frames::End{s.p + s.A * r, s.v + s.dA * r, s.w, s.R * X.R};
  };
  return {end(j.a, j.X_a), end(j.b, j.X_b), j.distance};
}

}  // namespace trammel::verify

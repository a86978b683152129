#pragma once

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "joint/test_states.h"
#include "math/rotation.h"
#include "model/system.h"

/// Generated from the tables of joints and laws: two bodies free in space, joined by every joint,
/// with every law on every coordinate that the joint leaves free.
namespace trammel::form::test {

using joint::Coordinate;
using joint::Table;
using joint::test::Pair;
using joint::test::Random;

inline const track::Track* track_of(const Table& table) {
  return table.on_curve ? &joint::test::curved_track() : nullptr;
}

/// Two objects whose frames fulfil the joint, off the middle of its free coordinates.
inline Pair meeting(const Table& table, Random& random) {
  const auto* track = track_of(table);
  const Vec3 apart = track ? Vec3(0, 0.1, 0.1) : Vec3(0.4, -0.3, 0.35);
  const Pair start = pair_at({apart, random.rotation(0.4)}, random, body::MotionKind::rigid,
                             body::MotionKind::rigid, track);
  return joint::test::fulfilled(table, start);
}

/// Whether the joint's rows leave the coordinate free (or are it: then its law replaces the lock).
inline bool is_free(const Table& table, const Coordinate& coordinate, const Pair& pair) {
  MatX J(table.rows.size() + 1, 6);
  int n = 0;
  for (const Coordinate& row : table.rows)
    if (to_text(row.row) != to_text(coordinate.row)) J.row(n++) = jacobian(row.row, pair).tail(6);
  J.row(n++) = jacobian(coordinate.row, pair).tail(6);
  return joint::test::rank(J.topRows(n)) == n;
}

/// The law with numbers that suit bodies of 1 kg and 1 m; the drive starts where the coordinate is.
/// A lock yields at `most` [N, N m].
inline model::LawSpec law_on(const Coordinate& coordinate, const law::Type& type, double now,
                             double most) {
  model::LawSpec spec{.name = "law",
                      .path = {},
                      .type = std::string(type.name),
                      .joint = "joint",
                      .coordinate = coordinate.name,
                      .numbers = {},
                      .drive = {},
                      .function = nullptr,
                      .tensile_strength = {},
                      .compressive_strength = {}};
  if (type.name == "locked")
    spec.numbers = {{"value", now}, {"force_min", -most}, {"force_max", most}};
  if (type.name == "spring")
    spec.numbers = {{"stiffness", 20}, {"rest", now - 0.5}, {"damping", 0.5}, {"preload", 1}};
  if (type.name == "limit")
    spec.numbers = {{"from", now - 0.2}, {"to", now + 0.2}, {"restitution", 0.8}};
  if (type.name == "friction") spec.numbers = {{"force", 0.2}, {"static_force", 0.3}};
  if (type.name == "motor") {
    spec.numbers = {{"force_min", -4}, {"force_max", 4}};
    spec.drive = {Drive::Level::velocity, Signal::function([](double t) {
                    return Jet{1 + std::sin(3 * t), 3 * std::cos(3 * t), -9 * std::sin(3 * t)};
                  })};
  }
  if (type.name == "actuator")
    spec.force = Signal::function([](double t) {
      return Jet{-2 - std::sin(3 * t), -3 * std::cos(3 * t), 9 * std::sin(3 * t)};
    });
  if (type.name == "driven")
    spec.drive = {Drive::Level::displacement, Signal::function([now](double t) {
                    const double to = now > 0 ? -1 : 1;  // towards zero: within reach
                    return Jet{now + to * (0.4 * t + 0.2 * t * t), to * (0.4 + 0.4 * t), to * 0.4};
                  })};
  return spec;
}

inline model::BodySpec body(const char* name, const Pose& X_WB, const Vec3& v, const Vec3& w,
                            Random& random) {
  const Mat3 R = random.rotation();
  const Mat3 I = R * Vec3(0.5, 0.8, 1.1).asDiagonal() * R.transpose();
  model::BodySpec spec;
  spec.name = name;
  spec.mass = random.uniform(0.8, 1.5);
  spec.inertia = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
  spec.com = random.vector(0.1);
  spec.X_WB = X_WB;
  spec.v = v;
  spec.w = w;
  return spec;
}

/// The kind of a body: affine ones are held in shape by rows, so that they move as rigid ones;
/// systems have six coordinates, a bent chart of where a rigid body can be.
enum class Kind : unsigned char { rigid, affine, ground, system };
struct Kinds {
  Kind a = Kind::rigid, b = Kind::rigid;
  bool together = false;  // both are objects of one system
};

inline model::SystemSpec empty_system(const char* name) {
  model::SystemSpec out;
  out.name = name;
  out.of.graph = std::make_shared<expr::Graph>();
  return out;
}

/// Adds to a system the coordinates and the object of a body, and its start.
inline void add_to(model::SystemSpec& system, const model::BodySpec& body) {
  expr::Graph& g = *system.of.graph;
  std::array<expr::Expression, 6> x;
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string name = body.name + std::to_string(i);
    x[i] = g.variable(name);
    system.of.coordinates.push_back({name, x[i], i >= 3});
  }
  body::SystemObject o;
  o.name = body.name;
  const Vec3& p = body.X_WB.p;
  o.position = {p.x() + x[0], p.y() + (x[1] + 0.3 * pow(x[0], 2)), p.z() + x[2] * (1 + 0.2 * x[1])};
  o.turns = {{Vec3::UnitX(), x[3]}, {Vec3::UnitY(), x[4]}, {Vec3::UnitZ(), x[5]}};
  const Eigen::AngleAxisd R(body.X_WB.R);
  o.turns.push_back({R.axis(), g.constant(R.angle())});
  o.com = body.com;
  o.mass = body.mass;
  o.inertia = *body.inertia;
  system.of.objects.push_back(o);
  const Vec3 v = body.v - body.w.cross(body.X_WB.R * body.com);
  system.q.insert(system.q.end(), 6, 0.);
  system.u.insert(system.u.end(), {v.x(), v.y(), v.z(), body.w.x(), body.w.y(), body.w.z()});
}

/// Two bodies in space, the joint between them and, with a type, the law on its coordinate, which
/// `change` may change.
inline model::Built build(const Table& table, const Coordinate* coordinate, const law::Type* type,
                          double most = law::kInf, Kinds kinds = {}, double restitution = 0.8,
                          const std::function<void(model::LawSpec&)>& change = nullptr) {
  Random random(7);
  const Pair pair = meeting(table, random);
  model::Builder builder;
  builder.gravity.setZero();
  const Vec3 v = random.vector(1), w = Vec3(0.5, -0.7, 0.6);
  // along a track the second body runs on
  const Vec3 along = table.on_curve
                         ? Vec3(pair.T_WO[0].A * pair.frame[0].R *
                                joint::test::curved_track().at(joint::test::kMiddle).C.col(0))
                         : Vec3(Vec3::Zero());
  const std::array<Pose, 2> X{Pose{pair.T_WO[0].p, pair.T_WO[0].A},
                              Pose{pair.T_WO[1].p, pair.T_WO[1].A}};
  const bool fixed = kinds.a == Kind::ground;
  model::SystemSpec system = empty_system("system");
  if (fixed) builder.gravity = {3, -5, 7};  // or little would move
  const auto add = [&](model::BodySpec spec, Kind kind) {
    if (kind == Kind::affine) spec.affine = model::Elastic{law::kInf, {}};
    if (kind == Kind::system) {
      add_to(system, spec);
      if (kinds.together && spec.name == "a") return;
      add_system(builder, std::move(system));
      system = empty_system("second");
    } else if (kind != Kind::ground) {
      builder.add_body(std::move(spec));
    }
  };
  add(body("a", X[0], v, w, random), kinds.a);
  add(body("b", X[1], v + random.vector(1.5) + 4 * along, w + Vec3(1, 1.5, -1.2), random), kinds.b);
  model::JointSpec joint;
  joint.name = "joint";
  joint.table = std::make_shared<const Table>(table);
  joint.a = fixed ? "ground" : "a";
  joint.b = "b";
  joint.frame_a = fixed ? X[0] * pair.frame[0] : pair.frame[0];
  joint.frame_b = pair.frame[1];
  if (table.on_curve) {
    builder.add_track({"bend", {}, {std::shared_ptr<void>{}, &joint::test::curved_track()}});
    joint.track = "bend";
    joint.s = joint::test::kMiddle;
  }
  builder.add_joint(joint);
  if (type) {
    auto law = law_on(*coordinate, *type, coordinate->sign * value_of(coordinate->row, pair), most);
    if (type->name == "limit") law.numbers["restitution"] = restitution;
    if (change) change(law);
    builder.add_law(std::move(law));
  }
  auto built = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&built)) {
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
    return {};
  }
  return std::get<model::Built>(std::move(built));
}

}  // namespace trammel::form::test

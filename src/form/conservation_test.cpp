// Generated from the tables of joints and laws: two bodies free in space, joined by every joint,
// with every law on every coordinate that the joint leaves free. Nothing outside acts, so linear
// and angular momentum stay, whatever the joint and the law do.
#include <gtest/gtest.h>

#include <memory>

#include "form/velocity.h"
#include "joint/test_states.h"
#include "model/builder.h"
#include "model/ledger.h"

namespace trammel::form {
namespace {

using joint::Coordinate;
using joint::Table;
using joint::test::Pair;
using joint::test::Random;

constexpr double kTime = 0.5, kMove = 0.1;  // [s]; [m, rad] that the joint must move at least

const track::Track* track_of(const Table& table) {
  return table.on_curve ? &joint::test::curved_track() : nullptr;
}

/// Two objects whose frames fulfil the joint, off the middle of its free coordinates.
Pair meeting(const Table& table, Random& random) {
  const auto* track = track_of(table);
  const Vec3 apart = track ? Vec3(0, 0.1, 0.1) : Vec3(0.4, -0.3, 0.35);
  const Pair start = pair_at({apart, random.rotation(0.4)}, random, body::Carrier::rigid,
                             body::Carrier::rigid, track);
  return joint::test::fulfilled(table, start);
}

/// Whether the joint's rows leave the coordinate free (or are it: then its law replaces the lock).
bool is_free(const Table& table, const Coordinate& coordinate, const Pair& pair) {
  MatX J(table.rows.size() + 1, 6);
  int n = 0;
  for (const Coordinate& row : table.rows)
    if (to_text(row.row) != to_text(coordinate.row)) J.row(n++) = jacobian(row.row, pair).tail(6);
  J.row(n++) = jacobian(coordinate.row, pair).tail(6);
  return joint::test::rank(J.topRows(n)) == n;
}

/// The law with numbers that suit bodies of 1 kg and 1 m; the drive starts where the coordinate is.
model::LawSpec law_on(const Coordinate& coordinate, const law::Type& type, double now) {
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
  if (type.name == "locked") spec.numbers = {{"value", now}};
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
  if (type.name == "driven")
    spec.drive = {Drive::Level::displacement, Signal::function([now](double t) {
                    const double to = now > 0 ? -1 : 1;  // towards zero: within reach
                    return Jet{now + to * (0.4 * t + 0.2 * t * t), to * (0.4 + 0.4 * t), to * 0.4};
                  })};
  return spec;
}

model::BodySpec body(const char* name, const Pose& X_WB, const Vec3& v, const Vec3& w,
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

/// Two bodies in space, the joint between them and, with a type, the law on its coordinate.
model::Built build(const Table& table, const Coordinate* coordinate, const law::Type* type) {
  Random random(7);
  const Pair pair = meeting(table, random);
  model::Builder builder;
  builder.gravity.setZero();
  const Vec3 v = random.vector(1), w = Vec3(0.5, -0.7, 0.6);
  // along a track the second body runs on
  const Vec3 along = table.on_curve
                         ? Vec3(pair.place[0].A * pair.frame[0].R *
                                joint::test::curved_track().at(joint::test::kMiddle).C.col(0))
                         : Vec3(Vec3::Zero());
  const std::array<Pose, 2> X{Pose{pair.place[0].p, pair.place[0].A},
                              Pose{pair.place[1].p, pair.place[1].A}};
  builder.add_body(body("a", X[0], v, w, random));
  builder.add_body(
      body("b", X[1], v + random.vector(1.5) + 4 * along, w + Vec3(1, 1.5, -1.2), random));
  model::JointSpec joint;
  joint.name = "joint";
  joint.table = std::make_shared<const Table>(table);
  joint.a = "a";
  joint.b = "b";
  joint.frame_a = pair.frame[0];
  joint.frame_b = pair.frame[1];
  if (table.on_curve) {
    builder.add_track({"bend", {}, {std::shared_ptr<void>{}, &joint::test::curved_track()}});
    joint.track = "bend";
    joint.s = joint::test::kMiddle;
  }
  builder.add_joint(joint);
  if (type)
    builder.add_law(law_on(*coordinate, *type, coordinate->sign * value_of(coordinate->row, pair)));
  auto built = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&built)) {
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
    return {};
  }
  return std::get<model::Built>(std::move(built));
}

/// What a run has shown.
struct Outcome {
  double linear = 0, angular = 0;  // greatest change over the sizes that make up the sum
  double gap = 0, angle = 0, row_speed = 0;
  double energy = 0;             // greatest change not in the books [J]
  double scale = 1;              // kinetic energy at the start [J]
  double moved = 0, turned = 0;  // of the coordinate, or the freest one; of the bodies
};

struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double size_linear = 0, size_angular = 0;
};

Momentum momentum(const model::Kinematics& kin, const model::State& state) {
  Momentum m;
  kin.momentum(state.q.data(), state.P.data(), m.linear, m.angular);
  for (std::size_t i = 0; i < state.q.size() / 7; ++i) {
    const Vec3 p = vec3(state.P.data() + 6 * i), l = vec3(state.P.data() + 6 * i + 3);
    m.size_linear += p.norm();
    m.size_angular += vec3(state.q.data() + 7 * i).norm() * p.norm() + l.norm();
  }
  return m;
}

double booked(const model::State& state) {
  double sum = 0;
  for (std::size_t i = 0; i < state.ledger.size(); ++i)
    sum += i == model::kInitial ? 0 : state.ledger[i];
  return sum;
}

/// Values of the coordinates of the only joint.
std::vector<double> coordinates(const Velocity& form, const model::State& state,
                                const std::vector<Coordinate>& list) {
  std::vector<double> out;
  joint::Arc arc;
  if (!state.s.empty()) arc = {state.s[0], state.piece[0]};
  for (const Coordinate& c : list) {
    joint::Sample sample;
    joint::sample(form.kinematics().ends(0, form.now()), c.row.features(), 2, arc, sample);
    out.push_back(value(c.row, sample, arc));
  }
  return out;
}

Outcome run(const model::Built& built, const std::vector<Coordinate>& watched, double h) {
  Outcome out;
  if (!built.model) return out;
  model::State state = built.state;
  Velocity form(*built.model, built.params, {});
  EXPECT_TRUE(form.load(state));
  const Momentum start = momentum(form.kinematics(), state);
  const double energy = form.total_energy(state);
  const auto first = coordinates(form, state, watched);
  const Quat attitude(state.q[3], state.q[4], state.q[5], state.q[6]);
  out.scale =
      form.kinematics().kinetic_energy(state.q.data(), state.P.data(), form.velocities().data());
  StepReport report;
  const int steps = static_cast<int>(std::lround(kTime / h));
  for (int k = 0; k < steps; ++k) {
    form.step({}, state, h, report);
    EXPECT_EQ(report.status, Status::ok) << report.reason << " in step " << k;
    if (report.status != Status::ok) return out;
    EXPECT_FALSE(report.fallback);
    out.gap = std::max(out.gap, report.gap);
    out.angle = std::max(out.angle, report.angle);
    out.row_speed = std::max(out.row_speed, report.row_speed);
    const Momentum now = momentum(form.kinematics(), state);
    out.linear = std::max(out.linear, (now.linear - start.linear).norm() / start.size_linear);
    out.angular = std::max(out.angular, (now.angular - start.angular).norm() / start.size_angular);
    out.energy = std::max(out.energy, std::abs(form.total_energy(state) - energy - booked(state)));
    const auto here = coordinates(form, state, watched);
    for (std::size_t i = 0; i < here.size(); ++i)
      out.moved = std::max(out.moved, std::abs(std::remainder(here[i] - first[i], 2 * M_PI)));
    const Quat q(state.q[3], state.q[4], state.q[5], state.q[6]);
    out.turned = std::max(out.turned, attitude.angularDistance(q));
  }
  return out;
}

/// sinks: what runs into a stop goes on for part of a step [m, rad].
void expect_conserved(const Outcome& r, double h, double sinks = 0) {
  EXPECT_LE(r.linear, 1e-12);
  EXPECT_LE(r.angular, 1e-12);
  EXPECT_LE(r.gap, 1e-10 + sinks);
  EXPECT_LE(r.angle, 1e-10 + sinks);
  EXPECT_LE(r.row_speed, 1e-10);
  EXPECT_LE(r.energy, 80 * h * h * r.scale);  // truncation of a scheme of order 2
}

class EveryJoint : public testing::TestWithParam<Table> {};

TEST_P(EveryJoint, ConservesMomentum) {
  constexpr double h = 1e-3;
  const Table& table = GetParam();
  const Outcome r = run(build(table, nullptr, nullptr), table.coordinates, h);
  expect_conserved(r, h);
  EXPECT_GE(table.coordinates.empty() ? r.turned : r.moved, kMove);
}

TEST_P(EveryJoint, ConservesMomentumUnderEveryLawOnEveryFreeCoordinate) {
  constexpr double h = 1e-3;
  const Table& table = GetParam();
  Random random(7);
  const Pair pair = meeting(table, random);
  for (const Coordinate& coordinate : table.coordinates) {
    const bool length_or_angle = coordinate.row.unit() != joint::Unit::one;
    if (!length_or_angle || !is_free(table, coordinate, pair)) continue;
    for (const law::Type* type : law::types()) {
      // an edge that has turned across what is held or driven leaves no way to go
      if (table.name == "knife-edge" && (type->name == "driven" || type->name == "locked"))
        continue;
      SCOPED_TRACE(std::string(type->name) + " on " + coordinate.name);
      const bool locked = type->name == "locked";
      const Outcome r = run(build(table, &coordinate, type), {coordinate}, h);
      expect_conserved(r, h, type->name == "limit" ? 6 * h : 0);  // speeds up to 6 m/s
      // what holds, stops or brakes the coordinate, or rolling, leaves the bodies to move
      const bool held = locked || type->name == "limit" || type->name == "friction" ||
                        table.name.starts_with("rolling") || table.name == "knife-edge";
      EXPECT_GE(held ? r.turned : r.moved, kMove);
      EXPECT_TRUE(!locked || r.moved <= 1e-10) << r.moved;
    }
  }
}

std::string table_name(const testing::TestParamInfo<Table>& info) {
  return joint::test::plain(info.param.name);
}
INSTANTIATE_TEST_SUITE_P(Tables, EveryJoint, testing::ValuesIn(joint::test::all_tables()),
                         table_name);

}  // namespace
}  // namespace trammel::form

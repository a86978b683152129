// Every joint with every law on every coordinate that it leaves free, between bodies of every kind,
// in every formulation, against rigid bodies by forces.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "form/formulation.h"
#include "form/test_balance.h"
#include "form/test_pairs.h"
#include "math/rotation.h"

namespace trammel::form::matrix_test {
namespace {

using namespace test;

constexpr double kTime = 0.4, kMove = 0.1;  // [s]; [m, rad] that each cell must move at least

/// Places of the bodies at the end, by name.
struct Outcome {
  std::vector<Mat3> R;
  std::vector<Vec3> p;
  double gap = 0;
  double linear = 0, angular = 0;  // change of the momenta over what two such bodies have
  bool ok = true;
};

struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

/// Of all bodies, systems among them.
Momenta momenta(const Formulation& form, const model::State& state) {
  Momenta m;
  const model::Kinematics& kin = form.kinematics();
  for (const model::PoolSlot& s : kin.model().pools)
    s.pool->add_momentum(kin.derived().data() + s.derived, state.q.data() + s.q,
                         state.P.data() + s.v, m.linear, m.angular);
  return m;
}

Outcome run(const model::Built& built, const Settings& settings, int n) {
  Outcome out;
  model::State state = built.state;
  Formulation form(*built.model, built.params, settings);
  EXPECT_TRUE(form.load(state));
  const Momenta before = momenta(form, state);
  Balance balance(form, state, momentum_bounds(settings));
  StepReport report;
  for (int k = 0; k < n; ++k) {
    form.step(state, kTime / n, report);
    balance.see(form, state, report);
    out.ok = report.status == Status::ok;
    EXPECT_TRUE(out.ok) << report.reason << " in step " << k;
    if (!out.ok) break;
    out.gap = std::max({out.gap, report.gap, report.angle});
  }
  const Momenta after = momenta(form, state);
  out.linear = (after.linear - before.linear).norm() / (1 + before.linear.norm());
  out.angular = (after.angular - before.angular).norm() / (1 + before.angular.norm());
  for (const char* name : {"a", "b"})
    if (const int o = built.model->find_object(name); o >= 0) {
      const body::Transform& at = form.now().T_WO[static_cast<std::size_t>(o)];
      out.p.push_back(at.p);
      out.R.push_back(polar(at.A));
    }
  return out;
}

double apart(const Outcome& a, const Outcome& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.p.size(); ++i)
    most = std::max({most, (a.p[i] - b.p[i]).norm(), (a.R[i] - b.R[i]).norm()});
  return most;
}

Settings forces() {
  Settings s;
  s.formulation = Settings::Formulation::acceleration;
  s.accuracy = {1e-10, 1e-10, 1e-10, 1e-10, 1e-10};
  return s;
}

Settings energy(double stiffness) {
  Settings s;
  s.formulation = Settings::Formulation::energy;
  s.joint_stiffness = stiffness;
  return s;
}

/// A law, if any, on a coordinate.
struct Cell {
  const Table& table;
  const Coordinate* coordinate = nullptr;
  const law::Type* type = nullptr;
  bool smooth() const {
    return !type || type->name == "locked" || type->name == "driven" || type->name == "spring" ||
           type->name == "actuator";
  }
  model::Built build(Kinds kinds) const {
    return test::build(table, coordinate, type, law::kInf, kinds, 0);
  }
};

bool has_system(const model::Model& m) {
  return std::any_of(m.pools.begin(), m.pools.end(),
                     [](const model::PoolSlot& s) { return !s.pool->identity(); });
}

/// In space momenta stay, linear and angular: to rounding, or to what the method's accuracy leaves;
/// by energy the spin of affine bodies to truncation. An affine body that by impulses is led out of
/// a stop that it sank into keeps its P, not its spin.
void expect_momenta(const Cell& cell, const Outcome& out, const Settings& settings, bool in_space,
                    bool system) {
  if (!in_space) return;
  const bool truncated = settings.formulation == Settings::Formulation::energy ||
                         (settings.formulation == Settings::Formulation::velocity && cell.type &&
                          cell.type->name == "limit");
  const bool by_forces = settings.formulation == Settings::Formulation::acceleration;
  // truncation in bent coordinates; what is led out of a stop keeps its P in these too
  const double charted = !system || by_forces ? 0 : truncated ? 1e-3 : 1e-5;
  EXPECT_LE(out.linear, std::max(1e-8, charted));
  EXPECT_LE(out.angular, std::max(truncated ? 5e-3 : 1e-7, charted));
}

/// Soft joints tend to those that hold as 1/k, at the same steps.
void expect_order_in_stiffness(const Cell& cell, const model::Built& built) {
  if (!cell.smooth()) return;
  const Outcome rows = run(built, energy(law::kInf), 100);
  const double soft = apart(run(built, energy(1e6), 100), rows),
               stiff = apart(run(built, energy(4e6), 100), rows);
  SCOPED_TRACE(fmt::format("soft apart {:.3g}, stiff {:.3g}", soft, stiff));
  if (soft > 1e-7) {
    EXPECT_GE(std::log2(soft / stiff) / 2, 0.75);
  }
}

/// Distances from the reference at two steps: at least of order 2 where the law is smooth.
void expect_order(const Cell& cell, const model::Built& built, const Settings& settings,
                  const Outcome& reference, double model_error) {
  const Outcome at_fine = run(built, settings, 200);
  const double coarse = apart(run(built, settings, 100), reference),
               fine = apart(at_fine, reference);
  expect_momenta(cell, at_fine, settings, built.model->find_object("a") >= 0,
                 has_system(*built.model));
  SCOPED_TRACE(
      fmt::format("apart {:.3g}, {:.3g}, order {:.2f}", coarse, fine, std::log2(coarse / fine)));
  constexpr double kExact = 1e-9;  // solved exactly, or driven: rounding
  if (cell.smooth() && model_error == 0 && coarse > kExact) {
    EXPECT_GE(std::log2(coarse / fine), 1.75);  // and more where errors cancel
  }
  EXPECT_LE(fine, std::max(model_error, cell.smooth() ? 2e-3 : 2e-2));
}

/// What a body of a kind is joined to.
std::vector<Kinds> partners(Kind a) {
  if (a == Kind::system)
    return {{a, Kind::rigid}, {a, Kind::affine}, {a, Kind::system}, {a, Kind::system, true}};
  std::vector<Kinds> out{{a, Kind::rigid}, {a, Kind::affine}};
  if (a == Kind::ground) out.push_back({a, Kind::system});
  return out;
}

void expect_all_alike(const Cell& cell) {
  for (const Kind a : {Kind::rigid, Kind::affine, Kind::ground, Kind::system}) {
    const Kind like = a == Kind::ground ? Kind::ground : Kind::rigid;
    const Outcome reference = run(cell.build({like, Kind::rigid}), forces(), 4);
    const Outcome start = run(cell.build({like, Kind::rigid}), forces(), 0);
    const bool free = cell.build({like, Kind::rigid}).start.rank.degrees_of_freedom() > 0;
    if (free || (cell.type && cell.type->name == "driven")) {
      EXPECT_GE(apart(reference, start), kMove);
    } else {
      EXPECT_LE(apart(reference, start), 1e-9);
    }
    for (const Kinds kinds : partners(a)) {
      const model::Built built = cell.build(kinds);
      if (!built.model) return;
      SCOPED_TRACE(fmt::format("kinds {} {}{}", static_cast<int>(kinds.a),
                               static_cast<int>(kinds.b), kinds.together ? " together" : ""));
      if (a != like || kinds.b != Kind::rigid) {
        SCOPED_TRACE("acceleration");
        const Outcome out = run(built, forces(), 4);
        EXPECT_LE(apart(out, reference), cell.smooth() ? 1e-7 : 1e-5);
        expect_momenta(cell, out, forces(), a != Kind::ground, has_system(*built.model));
        SCOPED_TRACE("velocity");
        expect_order(cell, built, {}, reference, 0);
      }
      if (cell.type && cell.type->name == "limit") continue;  // impacts within steps: EnergyStops.*
      {
        SCOPED_TRACE("energy, rows");
        expect_order(cell, built, energy(law::kInf), reference, 0);
      }
      SCOPED_TRACE("energy, terms");
      expect_order(cell, built, energy(1e8), reference, 2e-3);
      expect_order_in_stiffness(cell, built);
    }
  }
}

class EveryKind : public testing::TestWithParam<Table> {};

TEST_P(EveryKind, MovesAlikeInEveryFormulation) { expect_all_alike({GetParam()}); }

class SlowEveryKind : public EveryKind {};

TEST_P(SlowEveryKind, MovesAlikeUnderEveryLaw) {
  const Table& table = GetParam();
  Random random(7);
  const Pair pair = meeting(table, random);
  for (const Coordinate& coordinate : table.coordinates) {
    const bool length_or_angle = coordinate.row.unit() != joint::Unit::one;
    if (!length_or_angle || !is_free(table, coordinate, pair)) continue;
    for (const law::Type* type : law::types()) {
      if (type->follows_load) continue;  // not every joint has a reaction, see tests
      // an edge that has turned across what is held or driven leaves no way to go
      if (table.name == "knife-edge" && (type->name == "driven" || type->name == "locked"))
        continue;
      SCOPED_TRACE(std::string(type->name) + " on " + coordinate.name);
      expect_all_alike({table, &coordinate, type});
    }
  }
}

std::string table_name(const testing::TestParamInfo<Table>& info) {
  return joint::test::plain(info.param.name);
}
INSTANTIATE_TEST_SUITE_P(Tables, EveryKind, testing::ValuesIn(joint::test::all_tables()),
                         table_name);
INSTANTIATE_TEST_SUITE_P(Tables, SlowEveryKind, testing::ValuesIn(joint::test::all_tables()),
                         table_name);

}  // namespace
}  // namespace trammel::form::matrix_test

// Many boxes upon each other: forces of stacks, masses far apart, a wall that is knocked down.
#include <algorithm>
#include <map>

#include "contact_support.h"
#include "model/ledger.h"

namespace trammel::acceptance {
namespace {

std::string numbered(int k) { return "b" + std::to_string(k); }

/// Cubes of 1 m upon each other.
model::Builder tower(const std::vector<double>& masses) {
  std::vector<model::BodySpec> bodies;
  for (std::size_t k = 0; k < masses.size(); ++k)
    bodies.push_back(
        block(numbered(static_cast<int>(k)), {1, 1, 1}, masses[k], {0, 0, 0.5 + double(k)}));
  return on_floor(bodies, 0.5);
}

/// What a run of a tower has at worst: of the forces between neighbours beside the weight above
/// them, relative, and of the places [m].
struct Standing {
  double force = 0, place = 0;
};
Standing stands(const std::vector<double>& masses, double duration) {
  Simulation sim(built(tower(masses)), settings(duration, 1e-2));
  std::vector<double> weight(masses.size());
  double above = 0;
  for (std::size_t k = masses.size(); k-- > 0;) weight[k] = above += masses[k] * kGravity;
  Standing out;
  run(sim, [&] {
    std::map<int, double> carried;  // by the upper shape, the floor being the first one
    for (const constraint::ContactForce& c : sim.formulation().contact_forces())
      carried[std::max(c.point.A, c.point.B)] += std::abs(c.force.z());
    EXPECT_EQ(carried.size(), masses.size());
    for (const auto& [shape, force] : carried) {
      const double w = weight[static_cast<std::size_t>(shape - 1)];
      out.force = std::max(out.force, std::abs(force - w) / w);
    }
    for (std::size_t k = 0; k < masses.size(); ++k) {
      const Vec3 p = pose(sim, numbered(static_cast<int>(k))).p;
      out.place = std::max(out.place, (p - Vec3(0, 0, 0.5 + double(k))).norm());
    }
  });
  EXPECT_TRUE(sim.warnings().empty());
  return out;
}

TEST(ContactPiles, AStackOfTwentyStandsForAMinute) {
  const Standing worst = stands(std::vector<double>(20, 1.), 60);
  EXPECT_LT(worst.force, 1e-6);       // the solver's tolerance
  EXPECT_LT(worst.place, 20 * 1e-8);  // the overlap that is left at each of 20 faces
}

/// A pipe on the floor along y.
model::BodySpec pipe(const std::string& name, const Vec3& p) {
  model::BodySpec out;
  out.name = name;
  out.solid = model::Solid{model::Solid::Kind::cylinder, {0.25, 1, 0}};
  out.mass = 120;
  out.X_WB.p = p;
  out.X_WB.R << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  return touching(out);
}

// Two pipes on the floor that a third parts as it comes down. Points of pipes side by side change
// their names from one end of a step to the other; their forces are those of the momentum.
TEST(ContactPiles, ForcesOnAPipeMakeItsMomentum) {
  const double r = 0.25, h = 1e-3;
  Simulation sim(built(on_floor({pipe("top", {0, 0, r + r * std::sqrt(3.)}),
                                 pipe("left", {-r, 0, r}), pipe("right", {r, 0, r})},
                                0.08)),
                 settings(0.5, h));
  Vec3 before = Vec3::Zero();
  double worst = 0;
  run(sim, [&] {
    Vec3 force(0, 0, -120 * kGravity);
    for (const constraint::ContactForce& c : sim.formulation().contact_forces())
      if (c.point.A == 1 || c.point.B == 1) force += (c.point.B == 1 ? 1 : -1) * c.force;
    const Vec3 now = velocity(sim, "top").first;
    worst = std::max(worst, (120 * (now - before) / h - force).norm());
    before = now;
  });
  EXPECT_LT(pose(sim, "top").p.z(), 0.55);
  EXPECT_LT(worst, 1e-9 * 120 * kGravity);
}

TEST(ContactPiles, AMillionToOneStands) {
  for (const double top : {1e6, 1e-6}) {
    const Standing worst = stands({1, 1, 1, 1, top}, 10);
    EXPECT_LT(worst.force, 1e-6) << top;
    EXPECT_LT(worst.place, 1e-7) << top;
  }
}

/// A wall of bricks, 40 wide, that a ball of 400 kg knocks down at 8 m/s.
model::Builder wall(int rows) {
  std::vector<model::BodySpec> bodies;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < 40; ++c)
      bodies.push_back(block(numbered(static_cast<int>(bodies.size())), {0.2, 0.1, 0.1}, 4,
                             {0.2 * c + (r % 2) * 0.1, 0, 0.05 + 0.1 * r}));
  bodies.push_back(ball("ball", 0.4, 400, {4, -0.7, 0.05 * rows}));
  bodies.back().v = {0, 8, 0};
  return on_floor(bodies, 0.5);
}

void knock_down(int rows, double duration) {
  Simulation sim(built(wall(rows)), settings(duration, 5e-3));
  const auto total = [&] {
    return sim.formulation().total_energy(sim.state()) - sim.state().ledger[model::kCorrections];
  };
  double energy = total(), most = 0;
  const double start = energy;
  run(sim, [&] {
    const double now = total();
    most = std::max(most, now - energy);
    energy = now;
  });
  EXPECT_LT(most, 1e-6 * start);  // what the sweeps leave of each point
  EXPECT_LT(energy, start - 1000);
  EXPECT_LT(sim.summary().energy_residual, 0.1);
  double lowest = 0;
  for (int k = 0; k < 40 * rows; ++k) {
    const Vec3 p = pose(sim, numbered(k)).p;
    lowest = std::min(lowest, p.z() - 0.05);
    EXPECT_LT(p.norm(), 30) << k;
  }
  EXPECT_GT(lowest, -0.01);
}

TEST(SlowContactPiles, AWallFallsAndDoesNotExplode) { knock_down(3, 0.1); }
TEST(FullContactPiles, AWallOfAThousandBoxesCollapses) { knock_down(25, 3); }

}  // namespace
}  // namespace trammel::acceptance

// Contacts beside joints, and of systems: what touches nothing that another touches is solved for
// by itself.
#include <cmath>

#include "systems.h"

namespace trammel::acceptance::contact_islands_test {
namespace {

using namespace systems;

/// A box on a floor that two coordinates carry, or one with a hinge to another; each slides at its
/// own speed.
std::string mechanism(int i) {
  const std::string box = "mass = 2\nbox = [0.2, 0.2, 0.2]\ncontact = \"solids\"\n";
  const double rate = 0.3 + 0.01 * i;
  if (i % 2 == 0)
    return fmt::format(
               "[[system]]\nname = \"s{0}\"\n"
               "[[system.coordinate]]\nname = \"x\"\nunit = \"m\"\nrate = {1}\n"
               "[[system.coordinate]]\nname = \"z\"\nunit = \"m\"\nrate = -0.1\n"
               "[[system.object]]\nname = \"a{0}\"\nposition = [\"x\", {0}, \"z + 0.1 [m]\"]\n",
               i, rate) +
           box;
  std::string out;
  for (const char* name : {"a", "b"})
    out += fmt::format(
               "[[body]]\nname = \"{0}{1}\"\nposition = [{2}, {1}, 0.1]\nvelocity = [{3}, 0, 0]\n",
               name, i, name[0] == 'a' ? 0 : 0.5, rate) +
           box;
  return out + fmt::format(
                   "[[joint]]\nname = \"j{0}\"\ntype = \"revolute\"\na = \"a{0}\"\nb = \"b{0}\"\n"
                   "at = [0.25, {0}, 0.1]\naxis = [0, 1, 0]\n",
                   i);
}

/// Where the boxes a0, a1, ... are after some steps, those from first to last in one scene.
std::vector<Vec3> ends(int first, int last, const std::string& law, int steps) {
  std::string scene = "[[contact]]\nfriction = 0.2\n" + law +
                      "[[obstacle]]\nname = \"floor\"\nhalf_space = [0, 0, 1]\n";
  for (int i = first; i <= last; ++i) scene += mechanism(i);
  const io::LoadedScene s = loaded(scene, over(by_impulses(), steps * 1e-2, 1e-2));
  Simulation sim(s.built, s.scene.settings);
  run(sim);
  std::vector<Vec3> out;
  for (int i = first; i <= last; ++i)
    out.push_back(pose(sim, (i % 2 == 0 ? fmt::format("s{}.", i) : "") + fmt::format("a{}", i)).p);
  return out;
}

TEST(ContactIslands, ManyMoveAsEachAlone) {
  constexpr int kMany = 7;
  for (const char* law :
       {"restitution = 0.5\n", "restitution_law = \"poisson\"\nrestitution = 0.5\n"}) {
    SCOPED_TRACE(law);
    const std::vector<Vec3> all = ends(0, kMany - 1, law, 30);
    for (int i = 0; i < kMany; ++i) {
      const Vec3 alone = ends(i, i, law, 30)[0];
      EXPECT_GT(alone.x(), 0.015);
      EXPECT_NEAR((all[static_cast<std::size_t>(i)] - alone).norm(), 0, 1e-12) << i;  // rounding
    }
  }
}

/// The most points that are solved for together are those of one island.
TEST(ContactIslands, ThereIsNoMostOfThem) {
  const std::vector<Vec3> all = ends(0, 199, "", 2);  // 1200 points
  ASSERT_EQ(all.size(), 200U);
  EXPECT_NEAR(all[198].z(), 0.1, 1e-9);
}

}  // namespace
}  // namespace trammel::acceptance::contact_islands_test

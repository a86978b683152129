// Systems with something wrong in them.
#include <gtest/gtest.h>

#include "io/test_wrong.h"

namespace trammel::io::scene_system_wrong_test {
namespace {

using namespace scene_wrong;

const std::string kX = "[[system.coordinate]]\nname = \"x\"\nunit = \"m\"\n";
const std::string kBox = "[[system.object]]\nname = \"box\"\nposition = [\"x\", 0, 0]\nmass = 1\n";

/// Lines from 4 on are of the system, before its coordinate x and its object.
std::string with(const std::string& lines, const std::string& more = "") {
  return kHead + "[[system]]\nname = \"s\"\n" + lines + kX + more + kBox;
}
/// Line 7 is the first of an object "y".
std::string object(const std::string& lines) {
  return kHead + "[[system]]\nname = \"s\"\n" + kX + "[[system.object]]\nname = \"y\"\n" + lines +
         kBox;
}
/// Lines from 6 on are of the coordinate "a".
std::string coordinate(const std::string& lines) {
  return kHead + "[[system]]\nname = \"s\"\n[[system.coordinate]]\nname = \"a\"\n" + lines + kX +
         kBox;
}
/// Line 11 is behind a system that is right.
std::string behind(const std::string& lines) { return with("") + lines; }

TEST(SceneSystemWrong, KeysAndNamesAreTold) {
  expect_told({
      {"key", with("potental = 1\n"), 4, 1, "unknown key 'potental'; did you mean 'potential'?"},
      {"no coordinates", kHead + "[[system]]\nname = \"s\"\n" + kBox, 2, 1,
       "'coordinate' is missing"},
      {"no objects", kHead + "[[system]]\nname = \"s\"\n" + kX, 2, 1, "'object' is missing"},
      {"unit", coordinate("unit = \"deg\"\n"), 6, 8, "'deg' is no unit of system.coordinate"},
      {"no unit", coordinate(""), 4, 1, "'unit' is missing: an angle, or a length"},
      {"start of another kind", coordinate("unit = \"rad\"\nvalue = \"1 m\"\n"), 7, 9, "an angle"},
      {"velocity of an object", object("velocity = [0, 0, 0]\n"), 9, 1, "unknown key 'velocity'"},
      {"another on", object("on = \"bix\"\n"), 9, 6,
       "the system has no object 'bix'; did you mean 'box'?"},
      {"euler and turns", object("euler = [0, 0, 0]\nturns = [{axis = [0, 0, 1], angle = 1}]\n"),
       10, 9, "exclude each other"},
      {"inertia alone", object("inertia = [1, 1, 1]\n"), 9, 11, "'inertia' goes with mass"},
      {"com alone", object("com = [1, 0, 0]\n"), 9, 7, "'com' goes with mass"},
      {"the name of a parameter", coordinate("unit = \"rad\"\n") + "[parameters]\na = 1\n", 5, 8,
       "'a' is a parameter, too"},
      {"time", coordinate("unit = \"rad\"\n[[system.coordinate]]\nname = \"t\"\nunit = \"m\"\n"), 8,
       8, "stands for the time"},
      {"a name twice", with("", kX), 8, 8, "'x' is a name of this system already"},
      {"a let of a coordinate's name", with("let = {x = 1}\n"), 4, 12, "already"},
      {"a let in a circle", with("let = {p = \"2*q\", q = \"p + 1\"}\n"), 4, 12,
       "'p' depends on itself: p -> q -> p"},
      {"two systems", with("") + with("").substr(kHead.size()), 12, 8,
       "the name 's' is taken by another system"},
  });
}

TEST(SceneSystemWrong, FormulasAreTold) {
  expect_told({
      {"unknown", with("potential = \"xx + 1 J\"\n"), 4, 14, "'xx'"},
      {"energy", with("potential = \"x\"\n"), 4, 14, "energy"},
      {"a plain number in metres", with("potential = \"2 m\"\n"), 4, 13, "an energy"},
      {"length", object("position = [0, \"x^2\", 0]\n"), 9, 17, "a length"},
      {"angle", object("euler = [0, \"x\", 0]\n"), 9, 14, "an angle"},
      {"time", object("position = [\"x + 1 [m/s]*t\", 0, 0]\n"), 9, 26,
       "'t' is the time, which a force may depend on and nothing else of a system: here can be "
       "used the coordinates (x), let, parameters and data; what is driven in time"},
      {"time, in let", with("let = {y = \"x + 1 [m/s]*t\"}\n"), 4, 25, "'t' is the time"},
      {"time, in a dissipation", with("dissipation = \"1 [kg/s^2]*t*x.rate^2\"\n"), 4, 27,
       "'t' is the time, which a force may depend on and nothing else of a system: here can be "
       "used the coordinates, their rates"},
      {"rate", object("position = [\"1 [s]*x.rate\", 0, 0]\n"), 9, 20,
       "'x.rate' is a rate, which a dissipation or a force may depend on and nothing else"},
      {"rate, in a potential", with("potential = \"1 [kg]*x.rate^2\"\n"), 4, 21,
       "'x.rate' is a rate"},
  });
}

TEST(SceneSystemWrong, CornersInPlacesAreTold) {
  const std::string data = "[[data]]\nname = \"cam\"\nx = [0, 1, 2]\ny = [0, 2, 3]\n",
                    line = "[[track]]\nname = \"line\"\nplan = [{line = 50}]\n";
  const char* corner =
      "'s.y' goes by table(..., cam), which has corners, where its speed would jump: take "
      "spline(..., cam)";
  const char* turn = "'s.y' turns by table(..., cam), which has corners";
  const auto by_let = [&](const std::string& let, const std::string& more) {
    return with(let, "[[system.object]]\nname = \"y\"\nposition = [" + more + ", 0, 0]\n") + data;
  };
  expect_told({
      {"position", object("position = [0, 0, \"table(x, cam)\"]\n") + data, 9, 19, corner},
      {"by let", by_let("let = {z = \"2*table(x, cam)\"}\n", "\"z\""), 10, 13, corner},
      {"euler", object("euler = [0, \"table(x, cam)\", 0]\n") + data, 7, 1, turn},
      {"turns", object("turns = [{axis = [1, 0, 0], angle = \"table(x, cam)\"}]\n") + data, 9, 9,
       turn},
      {"track", object("on_track = {track = \"line\", s = \"table(x, cam)\"}\n") + data + line, 9,
       33, corner},
  });
  for (const char* place : {"\"spline(x, cam)\"", "\"table(1 [m], cam)\""})
    EXPECT_EQ(all_of(problems_of(by_let("potential = \"1 [N]*table(x, cam)\"\n", place))), "");
}

TEST(SceneSystemWrong, TracksAreTold) {
  const std::string line = "[[track]]\nname = \"line\"\nplan = [{line = 50}]\n",
                    kinked =
                        "[[track]]\nname = \"line\"\nmax_kink = \"0.1 rad\"\nplan = [{line = "
                        "50}]\nprofile = [{grade = 0, length = 20}, {grade = 0.01, length = 30}]\n";
  const auto on = [](const std::string& track, const std::string& s) {
    return object("on_track = {track = \"" + track + "\", s = " + s + "}\n");
  };
  expect_told({
      {"unknown", on("lime", "\"x\"") + line, 9, 21, "no track 'lime'; did you mean 'line'?"},
      {"no s", object("on_track = {track = \"line\"}\n") + line, 9, 12, "'s' is missing"},
      {"an angle", on("line", "\"2 rad\"") + line, 9, 33, "a length"},
      {"beyond the end", on("line", "\"x + 51 m\"") + line, 9, 33,
       "s = 51 m at the start is not on track 'line', which goes from 0 to 50 m"},
      {"before the start", on("line", "\"x - 1 m\"") + line, 9, 33, "s = -1 m at the start"},
      {"machine code",
       with("evaluator = \"machine_code\"\n") + "on_track = {track = \"line\", s = \"x\"}\n" + line,
       2, 1, "there is no machine code of it: "},
      {"a kink", on("line", "\"x\"") + kinked, 9, 21, "track 'line' has a kink at s = 20 m"},
  });
}

TEST(SceneSystemWrong, RulesAreTold) {
  expect_told({
      {"negative mass", object("mass = -1\n"), 9, 8, "the mass must be positive"},
      {"inertia", object("mass = 1\ninertia = [1, 1, 5]\n"), 10, 11, "no body has this inertia"},
      {"itself", object("on = \"y\"\n"), 9, 6, "object 's.y' stands on itself"},
      {"below", object("on = \"box\"\n"), 9, 6, "stands on 's.box', which comes after it"},
      {"an object twice", object("[[system.object]]\nname = \"box\"\n"), 12, 8,
       "the name 's.box' is taken by another object"},
      {"a coordinate's name", object("[[system.object]]\nname = \"x\"\n"), 10, 8,
       "the name 's.x' is taken by a coordinate"},
      {"moves nothing", coordinate("unit = \"rad\"\n"), 4, 1,
       "no object's place and no potential depends on the coordinate 'a'"},
      {"moves no mass",
       with("potential = \"1 [J/m^2]*x*y\"\n",
            "[[system.coordinate]]\nname = \"y\"\nunit = \"m\"\n"),
       8, 1, "coordinate 'y' of system 's' moves no mass at the start"},
      {"a point that turns at its axis",
       kHead + "[[system]]\nname = \"s\"\n[[system.coordinate]]\nname = \"r\"\nunit = \"m\"\n"
               "[[system.coordinate]]\nname = \"phi\"\nunit = \"rad\"\n[[system.object]]\nname = "
               "\"p\"\nposition = [\"r*cos(phi)\", \"r*sin(phi)\", 0]\nmass = 1\n",
       7, 1, "coordinate 'phi' of system 's' moves no mass at the start"},
      {"angles of Euler at their pole",
       kHead + "[[system]]\nname = \"top\"\n[[system.coordinate]]\nname = \"a\"\nunit = \"rad\"\n"
               "[[system.coordinate]]\nname = \"b\"\nunit = \"rad\"\n[[system.coordinate]]\nname = "
               "\"c\"\nunit = \"rad\"\n[[system.object]]\nname = \"p\"\neuler = [\"a\", \"b\", "
               "\"c\"]\nmass = 1\ninertia = [1, 1, 1]\n",
       2, 1, "coordinates 'a', 'c' of system 'top' move its masses alike at the start"},
  });
}

/// By energy what one coordinate's force follows of another is refused, by the key that has it.
TEST(SceneSystemWrong, FormulationsAreTold) {
  const std::string by_energy = "simulation = {formulation = \"energy\"}\n",
                    y = "[[system.coordinate]]\nname = \"y\"\nunit = \"m\"\n",
                    point =
                        "[[system.object]]\nname = \"point\"\nposition = [0, \"y\", 0]\nmass = 1\n";
  const auto of = [&](const std::string& lines, const std::string& behind) {
    return kHead + by_energy + "[[system]]\nname = \"s\"\n" + lines + kX + y + kBox + point +
           behind;
  };
  expect_told({
      {"a force", of("", "[[system.force]]\ncoordinate = \"x\"\nforce = \"1 [N/m]*y\"\n"), 21, 9,
       "the force of system 's' on its coordinate 'x': the energy formulation has no potential for "
       "a force that follows other coordinates: take velocity or acceleration"},
      {"a dissipation", of("dissipation = \"1 [N s/m]*x.rate*y.rate\"\n", ""), 5, 15,
       "the dissipation of system 's' on its coordinate 'x': the energy formulation has no "
       "potential"},
  });
}

/// What names something of a system that is wrong is not told too.
TEST(SceneSystemWrong, IsToldOnce) {
  const std::string users =
      "[[law]]\nname = \"f\"\ntype = \"spring\"\njoint = \"s.x\"\nstiffness = \"1 N/m\"\n"
      "[[joint]]\nname = \"j\"\ntype = \"spherical\"\na = \"s.box\"\nb = \"s.y\"\n";
  expect_told({
      {"in its keys", object("mas = 1\n") + users, 9, 1, "unknown key"},
      {"in its rules", object("mass = -1\n") + users, 9, 8, "the mass must be positive"},
  });
}

TEST(SceneSystemWrong, NamesOfItsJointsAndBodiesAreSuggested) {
  expect_told({
      {"joint",
       behind("[[law]]\nname = \"f\"\ntype = \"spring\"\njoint = \"s.y\"\nstiffness = "
              "1\n"),
       14, 9, "did you mean 's.x'?"},
      {"body",
       behind("[[load]]\nname = \"f\"\nbody = \"s.bax\"\ntype = \"force\"\nforce = [1, 0, "
              "0]\n"),
       13, 8, "did you mean 's.box'?"},
      {"coordinate",
       behind("[[law]]\nname = \"f\"\ntype = \"spring\"\njoint = \"s.x\"\nfunction = \"1 "
              "[N/m]*`s.x.travl`\"\n"),
       15, 21, "did you mean 's.x.travel'?"},
  });
}

}  // namespace
}  // namespace trammel::io::scene_system_wrong_test

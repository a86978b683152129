// Joints, laws and formulas with something wrong in them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/test_wrong.h"

namespace trammel::io::scene_wrong_joints_test {
namespace {

using namespace scene_wrong;

std::vector<Wrong> wrong_joints() {
  return {
      {"unknown body", joint("b = \"cat\"\nat = [0, 0, 0]"), 9, 5,
       "there is no body 'cat'; did you mean 'car'?"},
      {"joint to itself", joint("a = \"car\"\nb = \"car\"\nat = [0, 0, 0]"), 10, 5,
       "joins 'car' to itself"},
      {"frames apart", joint("b = \"car\"\nframe_a = {position = [0, 0, 1]}\nframe_b = {}"), 6, 1,
       "do not meet: gap 1 m"},
      {"no place", joint("b = \"car\""), 6, 1, "needs a place"},
      {"two places", joint("b = \"car\"\nat = [0, 0, 0]\nframe_b = {}"), 11, 11,
       "'at' and 'frame_b' exclude each other"},
      {"axis without a place", joint("b = \"car\"\nframe_b = {}\naxis = [0, 0, 1]"), 11, 8,
       "'axis' goes with at"},
      {"normal along the axis", joint("b = \"car\"\nat = [0, 0, 0]\nnormal = [2, 0, 0]"), 11, 10,
       "the normal points along the axis"},
      {"unknown joint type",
       kHead + kBody +
           "[[joint]]\nname = \"pin\"\ntype = \"revolut\"\nb = \"car\"\nat = [0, 0, 0]\n",
       8, 8, "did you mean 'revolute'?"},
      {"formula with an unknown name",
       kHead + kBody +
           "[[load]]\nname = \"f\"\nbody = \"car\"\ntype = \"torque\"\n"
           "torque = [0, 0, {formula = \"2*x\"}]\n",
       10, 31, "x"},
      {"formula of another dimension",
       kHead + kBody +
           "[[load]]\nname = \"f\"\nbody = \"car\"\ntype = \"torque\"\n"
           "torque = [0, 0, {formula = \"2 [kN]*t\"}]\n",
       10, 29, "N"},
      {"formula in a text of several lines",
       kHead + kBody +
           "[[load]]\nname = \"f\"\nbody = \"car\"\ntype = \"torque\"\n"
           "torque = [0, 0, {formula = \"\"\"\n  2 [N m]*sin(t/(1 [s]))\n  + tt\"\"\"}]\n",
       12, 5, "unknown name 'tt'; did you mean 't'?"},
      {"formula behind an escape",
       kHead + kBody +
           "[[load]]\nname = \"f\"\nbody = \"car\"\ntype = \"torque\"\n"
           "torque = [0, 0, {formula = \"2\\u0020*\\t y\"}]\n",
       10, 40, "unknown name 'y'"},
      {"coupling of an unknown joint", kPin + kGear + "of = [\"pin.angle\", \"pim.angle\"]\n", 15,
       20, "there is no joint 'pim'; did you mean 'pin'?"},
      {"coupling of an unknown coordinate", kPin + kGear + "of = [\"pin.angel\", \"pin.angle\"]\n",
       15, 7, "a revolute joint has no coordinate 'angel'; did you mean 'angle'?"},
      {"coupling of one with itself", kPin + kGear + "of = [\"pin.angle\", \"pin.angle\"]\n", 11, 1,
       "has 'pin.angle' twice"},
      {"gear without teeth",
       kPin + "[[coupling]]\nname = \"g\"\ntype = \"gear\"\nof = [\"pin.angle\", "
              "\"pin.angle\"]\nteeth = [20, 0]\n",
       15, 14, "0 must be greater than 0"},
      {"coupling of another kind", kPin + "[[coupling]]\nname = \"g\"\ntype = \"gaer\"\n", 13, 8,
       "did you mean 'gear'?"},
      {"clutch in newtons",
       kPin + kGear + "of = [\"pin.angle\", \"pin.angle\"]\nlimits = [\"-3 N\", \"3 N\"]\n", 16, 11,
       "N m"},
      {"unknown row", kPin + "limits = {lateral = [-1, 1]}\n", 11, 21, "has no row 'lateral'"},
      {"force of a row", kPin + "limits = {\"Ax.D\" = [\"-1 N m\", \"1 N m\"]}\n", 11, 21,
       "a force [N] is needed"},
      {"rows of one's own",
       kHead + kBody +
           "[[joint]]\nname = \"pin\"\nrows = [\"Ax.Q\"]\nb = \"car\"\nat = [0, 0, 0]\n",
       8, 8, "'Ax.Q' is not a row"},
      {"row that holds nothing", rows("[\"Ax.Ay\"]"), 8, 8, "Ax.Ay never changes"},
      {"row in square metres", rows("[\"far = D.D\"]"), 8, 8, "'far' is in m^2"},
      {"two rows of one name", rows("[\"a = Ax.D\", \"a = Ay.D\"]"), 8, 8, "two are called 'a'"},
      {"one-sided with a greatest force",
       kGuide + "unilateral = [\"Ax.D\"]\nlimits = {\"Ax.D\" = [0, \"5 N\"]}\n", 12, 15,
       "'Ax.D' is unilateral: a stop does not yield"},
      {"limits without zero", kPin + "limits = {\"Ax.D\" = [\"1 N\", \"2 N\"]}\n", 11, 20,
       "must hold zero between them, not [1, 2]"},
      {"limits of a row under a law",
       kPin + "limits = {\"Ax.D\" = [\"-1 N\", \"1 N\"]}\n[[law]]\nname = \"l\"\ntype = "
              "\"spring\"\njoint = \"pin\"\ncoordinate = \"Ax.D\"\ndamping = 1\n",
       11, 20, "row 'Ax.D' of joint 'pin' is under law 'l'"},
      {"place on a track of a hinge", kPin + "s = 3\n", 11, 5, "runs along no track"},
      {"derailing without the coordinate",
       kTrack + "plan = [{line = 50}]\n" + kBody +
           "[[joint]]\nname = \"ride\"\nrows = [\"Cy.E\", \"Cz.E\"]\nb = \"car\"\ntrack = "
           "\"main\"\nderail = {roll = 1}\n",
       14, 18, "joint 'ride' has no coordinate 'roll' to watch"},
      {"restitution of nothing", kPin + "restitution = 0.5\n", 11, 15,
       "'restitution' goes with unilateral"},
      {"duplicate joints", kPin + kPin.substr(kPin.find("[[joint]]")), 12, 8,
       "taken by another joint"},
  };
}

std::vector<Wrong> wrong_laws() {
  return {
      {"unknown law type", kLaw + "type = \"sprung\"\n", 14, 8,
       "'sprung' is no type of law; did you mean 'spring'?"},
      {"no law type", kLaw, 11, 1, "'type' is missing"},
      {"unknown joint", kPin + "[[law]]\nname = \"l\"\ntype = \"spring\"\njoint = \"pim\"\n", 14, 9,
       "did you mean 'pin'?"},
      {"unknown coordinate", kLaw + "type = \"spring\"\ncoordinate = \"travel\"\n", 15, 14,
       "no coordinate 'travel'; known: angle, Ax.D, Ay.D, Az.D, Ax.By, Ax.Bz"},
      {"stiffness by length", kLaw + "type = \"spring\"\nstiffness = \"5 N/m\"\n", 15, 13,
       "N m/rad"},
      {"motor without velocity", kLaw + "type = \"motor\"\n", 11, 1, "'velocity' is missing"},
      {"motor by place", kLaw + "type = \"motor\"\nvelocity = 1\ndisplacement = 1\n", 16, 1,
       "'displacement' does not go with motor: it belongs to driven"},
      {"drive by nothing", kLaw + "type = \"driven\"\n", 11, 1,
       "one of displacement, velocity, acceleration is needed"},
      {"drive from elsewhere", kLaw + "type = \"driven\"\nvelocity = 1\nstart = \"20 deg\"\n", 11,
       1, "law 'drive' starts at 20 deg, 'angle' of joint 'pin' at 0 deg"},
      {"lock elsewhere", kLaw + "type = \"locked\"\nvalue = \"30 deg\"\n", 11, 1,
       "law 'drive' holds its coordinate at 30 deg, 'angle' of joint 'pin' starts at 0 deg"},
      {"stop elsewhere", kLaw + "type = \"limit\"\nfrom = \"30 deg\"\n", 11, 1,
       "law 'drive' stops its coordinate at 30 deg, 'angle' of joint 'pin' starts at 0 deg"},
      {"start of a displacement", kLaw + "type = \"driven\"\ndisplacement = 1\nstart = 2\n", 16, 9,
       "'start' goes with velocity or acceleration"},
      {"signal that falls",
       kLaw + "type = \"motor\"\nvelocity = {time = [0, 2, 1], value = [0, 1, 2]}\n", 15, 20,
       "time falls from 2 s to 1 s"},
      {"signal of two lengths",
       kLaw + "type = \"motor\"\nvelocity = {time = [0, 2], value = [0, 1, 2]}\n", 15, 12,
       "2 times and 3 values"},
      {"range of a parameter", kLaw + "type = \"spring\"\nstiffness = -1\n", 15, 13,
       "must lie between 0 and inf"},
      {"infinite bound of the wrong sign",
       kLaw + "type = \"motor\"\nvelocity = 1\nforce_min = \"inf\"\n", 16, 13,
       "'force_min' of law 'drive' is inf, it must be finite"},
      {"lock between bounds of zero", kLaw + "type = \"locked\"\nforce_min = 0\nforce_max = 0\n",
       15, 13, "must hold zero between them"},
      {"restitution of a lock", kLaw + "type = \"locked\"\nrestitution = 0.5\n", 15, 15,
       "'angle' is not unilateral: restitution means nothing"},
      {"unilateral lock that pulls",
       kLaw + "type = \"locked\"\nunilateral = true\nforce_min = \"-5 N m\"\n", 16, 13,
       "its least force is zero"},
      {"unilateral lock with a greatest force",
       kLaw + "type = \"locked\"\nunilateral = true\nforce_max = \"5 N m\"\n", 16, 13,
       "a stop does not yield"},
      {"limit without an end", kLaw + "type = \"limit\"\n", 11, 1, "needs 'from' or 'to', or both"},
      {"limit of no width", kLaw + "type = \"limit\"\nfrom = \"5 deg\"\nto = \"5 deg\"\n", 16, 6,
       "what does not move is `locked`"},
      {"friction greater while it slides",
       kLaw + "type = \"friction\"\nforce = \"5 N m\"\nstatic_force = \"4 N m\"\n", 16, 16,
       "at rest friction holds at least as much"},
      {"friction without its force", kLaw + "type = \"friction\"\n", 11, 1, "'force' is missing"},
      {"coordinate held twice",
       kLaw + "type = \"locked\"\n[[law]]\nname = \"too\"\njoint = \"pin\"\ntype = \"driven\"\n"
              "displacement = 0\ncoordinate = \"angle\"\n",
       20, 14, "'angle' of joint 'pin' is already held by law 'drive'"},
      {"two motors without bounds",
       kLaw + "type = \"motor\"\nvelocity = 1\n[[law]]\nname = \"too\"\njoint = \"pin\"\ntype = "
              "\"motor\"\nvelocity = 2\ncoordinate = \"angle\"\n",
       21, 14, "is already held by law 'drive'"},
      {"distance of points that coincide",
       kLaw + "type = \"spring\"\ncoordinate = \"sqrt(D.D)\"\ndamping = 1\n", 15, 14,
       "sqrt(D.D) of joint 'pin' is zero at the start, its points coincide"},
      {"angle that is none",
       kLaw + "type = \"spring\"\ncoordinate = \"atan2(Ax.By, Ax.Bz)\"\ndamping = 1\n", 15, 14,
       "is undefined at the start"},
      {"law on what never changes", kLaw + "type = \"spring\"\ncoordinate = \"Ax.Ay\"\n", 15, 14,
       "'Ax.Ay' never changes"},
      {"negative drag",
       kPin + "[[load]]\nname = \"t\"\ntype = \"drag\"\nbody = \"car\"\nlinear = -1\n", 15, 10,
       "a drag coefficient is not negative"},
      {"torque in newtons",
       kPin +
           "[[load]]\nname = \"t\"\ntype = \"torque\"\nbody = \"car\"\ntorque = [\"1 N\", 0, 0]\n",
       15, 11, "a torque [N m] is needed"},
      {"load on the ground",
       kPin + "[[load]]\nname = \"t\"\ntype = \"drag\"\nlinear = 1\nbody = \"ground\"\n", 15, 8,
       "not moved by forces"},
  };
}

std::vector<Wrong> wrong_forces() {
  const std::string spring = kLaw + "type = \"spring\"\n";
  const std::string along =
      kGuide + "[[law]]\nname = \"l\"\njoint = \"guide\"\ntype = \"spring\"\n";
  return {
      {"force of an unknown name", spring + "function = \"-3*x - 2*u\"\n", 15, 22,
       "unknown name 'u'; known: t, v, x, e, pi, tau"},
      {"force of another dimension", along + "function = \"-3 [N]*x\"\n", 16, 13,
       "a force [N] is needed"},
      {"force about an axis in newtons", spring + "function = \"-3 [N]*(x + 1)\"\n", 15, 13,
       "a torque [N m] is needed"},
      {"length and speed added", along + "function = \"-3*(x + v)\"\n", 16, 21,
       "they cannot be added"},
      {"force that is no formula", spring + "function = \"-3*x -\"\n", 15, 19,
       "a number, a name or '(' is expected, not the end"},
      {"force as a number", spring + "function = 3\n", 15, 12,
       "found the number 3, a formula of x, v and t is needed"},
      {"force of a motor", kLaw + "type = \"motor\"\nvelocity = 1\nfunction = \"-x\"\n", 16, 1,
       "'function' does not go with motor: it belongs to spring"},
      {"table of unknown data", spring + "function = \"table(x, bump)\"\n", 15, 22,
       "unknown data 'bump'"},
      {"force that is not finite at the start", spring + "function = \"-1/x\"\n", 15, 12,
       "the force of law 'drive' is -inf N m at rest at the start, where x = 0"},
      {"force without a value at rest", spring + "function = \"-2*v/abs(v)\"\n", 15, 12,
       "at rest at the start"},
  };
}

std::vector<Wrong> wrong_lifts() {
  const std::string cam =
      kPin +
      "[[body]]\nname = \"rod\"\nmass = 1\nsphere = 1\n[[joint]]\nname = \"slide\"\ntype = "
      "\"prismatic\"\nb = \"rod\"\nat = [0, 0, 0]\n[[coupling]]\nname = \"cam\"\ntype = \"cam\"\n"
      "of = [\"slide.travel\", \"pin.angle\"]\n";  // to line 23
  return {
      {"lift of an unknown name", cam + "profile = {formula = \"0.1*cos(y)\"}\n", 24, 31,
       "unknown name 'y'; known: x, e, pi, tau"},
      {"lift of another dimension", cam + "profile = {formula = \"x/(2 [s])\"}\n", 24, 23,
       "a length [m] is needed"},
      {"lift of the time", cam + "profile = {formula = \"0.1*sin(t)\"}\n", 24, 31,
       "unknown name 't'"},
      {"lift twice", cam + "profile = {formula = \"0.1*x\"}\npolynomial = [1]\n", 25, 14,
       "exclude each other"},
      {"lift that is not finite at the start", cam + "profile = {formula = \"0.1*log(x)\"}\n", 24,
       11, "the profile of coupling 'cam' is -inf at the start, where x = 0"},
      {"lift without a slope at the start", cam + "profile = {formula = \"0.1*sqrt(x)\"}\n", 24, 11,
       "the profile of coupling 'cam' has no finite slope at the start, where x = 0"},
      {"lift as a text", cam + "profile = \"x\"\n", 24, 11, "a table of coupling.profile"},
  };
}

std::vector<Wrong> wrong_names_of_formulas() {
  const std::string constants = kHead + "[parameters]\n", data = kHead + "[[data]]\nname = \"d\"\n";
  const std::string points = "x = [0, 1]\ny = [0, 1]\n";
  return {
      {"constant with an unknown unit", constants + "k = \"5 kNN\"\n", 3, 5, "unknown unit 'kNN'"},
      {"constant that is none", constants + "k = \"five\"\n", 3, 6, "unknown name 'five'"},
      {"constant that is a list", constants + "k = [1]\n", 3, 5, "a quantity, a formula"},
      {"constant called as the time", constants + "t = 3\n", 3, 5,
       "'t' stands for the time in formulas"},
      {"constant called as a function", constants + "sin = 3\n", 3, 7, "a word of the language"},
      {"constant with a dash", constants + "k-1 = 3\n", 3, 7, "'k-1' is no name"},
      {"data that fall", data + "x = [0, 2, 1]\ny = [0, 1, 2]\n", 2, 1, "x"},
      {"data of two lengths", data + "x = [0, 1]\ny = [0, 1, 2]\n", 2, 1, "2"},
      {"data in an unknown unit", data + points + "y_unit = \"kNN\"\n", 6, 10,
       "unknown unit 'kNN'; did you mean 'kN'?"},
      {"data called as a constant", constants + "d = 3\n[[data]]\nname = \"d\"\n" + points, 4, 1,
       "'d' is declared already"},
      {"data called as the coordinate", kHead + "[[data]]\nname = \"x\"\n" + points, 3, 8,
       "'x' stands for the coordinate in formulas"},
      {"formula of data in another unit",
       data + points + "x_unit = \"s\"\n" + kGuide.substr(kHead.size()) +
           "[[law]]\nname = \"l\"\njoint = \"guide\"\ntype = \"spring\"\n"
           "function = \"table(x, d)\"\n",
       21, 19, "a time"},
  };
}

TEST(SceneWrongJoints, every_fault_is_found_alone_with_its_place) {
  expect_told(wrong_joints());
  expect_told(wrong_laws());
  expect_told(wrong_forces());
  expect_told(wrong_lifts());
  expect_told(wrong_names_of_formulas());
}

}  // namespace
}  // namespace trammel::io::scene_wrong_joints_test

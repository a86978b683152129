// Scenes with something wrong in them: every complaint has its place and says what to do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/scene.h"

namespace trammel::io::scene_wrong_test {
namespace {

struct Wrong {
  const char* name;
  std::string text;
  int line, column;
  const char* says;
};

// Line 1 is the format; bodies and joints that are right stand in these.
const std::string kHead = "format = 1\n";
const std::string kBody =
    "[[body]]\nname = \"car\"\nmass = \"40 t\"\nsphere = \"1 m\"\n";  // lines 2 to 5
const std::string kPin =
    kHead + kBody +
    "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nb = \"car\"\nat = [0, 0, 0]\n";  // 6 to 10
const std::string kLaw = kPin + "[[law]]\nname = \"drive\"\njoint = \"pin\"\n";       // 11 to 13
const std::string kGear =
    "[[coupling]]\nname = \"gear\"\ntype = \"linear\"\ncoefficients = [1, 2]\n";  // from 11 on
const std::string kTrack = kHead + "[[track]]\nname = \"main\"\n";                // 2 to 3
const std::string kGuide =
    kHead + kBody +
    "[[joint]]\nname = \"guide\"\nrows = [\"Ax.D\", \"left = -Ay.D\"]\n"
    "coordinates = [\"down = -Az.D\"]\nb = \"car\"\nat = [0, 0, 0]\n";  // 6 to 11

std::string body(const std::string& line) {
  return kHead + "[[body]]\nname = \"car\"\nsphere = 1\n" + line + "\n";
}
/// Line 8 of a joint with these rows.
std::string rows(const std::string& list) {
  return kHead + kBody + "[[joint]]\nname = \"guide\"\nrows = " + list +
         "\nb = \"car\"\nat = [0, 0, 0]\n";
}
std::string joint(const std::string& lines) {
  return kHead + kBody + "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\n" + lines + "\n";
}

std::vector<Wrong> wrong_files() {
  return {
      {"empty file", "", 1, 1, "the file is empty"},
      {"only blanks", " \n\n", 1, 1, "the file is empty"},
      {"not TOML", "format = 1\nbody {\n", 2, 6, "what follows was not read"},
      {"duplicate key", "format = 1\nformat = 1\n", 2, 10, "cannot redefine"},
      {"invalid UTF-8", "format = 1\nname = \"a\xFF\"\n", 2, 10, "byte 0xFF is not UTF-8"},
      {"overlong UTF-8", "format = 1\n# \xC0\xAF\n", 2, 3, "byte 0xC0 is not UTF-8"},
      {"bare letter of another script", "format = 1\n\xEF\xBB\x9F = 2\n", 2, 1,
       "strings and comments only"},
      {"header without a name", "format = 1\n [{a}]\n", 2, 2, "holds its name"},
      {"brackets that do not match", "format = 1\nname = [1, }\n", 2, 12, "'}' cannot close '['"},
      {"control character", "format = 1\nname =\x01 2\n", 2, 7, "0x01 may not stand here"},
      {"deep lists", "format = 1\nname = " + std::string(10000, '[') + "\n", 2, 40,
       "nested more than 32 deep"},
      {"deep keys",
       "format = 1\na" +
           [] {
             std::string s;
             for (int i = 0; i < 5000; ++i) s += ".a";
             return s;
           }() +
           " = 1\n",
       2, 66, "nested more than 32 deep"},
      {"format missing", "name = \"x\"\n", 1, 1, "'format' is missing"},
      {"format 2", "name = \"x\"\nformat = 2\n", 2, 10,
       "found the number 2, this version reads format = 1"},
      {"format as text", "format = \"1\"\n", 1, 10, "this version reads format = 1"},
  };
}

std::vector<Wrong> wrong_keys() {
  return {
      {"unknown section", kHead + "[[bodi]]\nname = \"a\"\n", 2, 3,
       "unknown key 'bodi'; did you mean 'body'?"},
      {"unknown key", body("mas = 1\nmass = 1"), 5, 1, "unknown key 'mas'; did you mean 'mass'?"},
      {"single brackets", kHead + "[body]\nname = \"a\"\n", 2, 1, "write [[body]]"},
      {"key of another kind",
       kPin + "[[load]]\nname = \"f\"\nbody = \"car\"\ntype = \"drag\"\nforce = [1, 2, 3]\n", 15, 1,
       "'force' does not go with drag: it belongs to force"},
      {"wrong type", body("mass = true"), 5, 8, "found true, a mass [kg] is needed"},
      {"wrong type of a name", kHead + "[[body]]\nname = 3\nmass = 1\nsphere = 1\n", 3, 8,
       "found the number 3, a name is needed"},
      {"name with a dot", kHead + "[[body]]\nname = \"a.b\"\nmass = 1\nsphere = 1\n", 3, 8,
       "letters, digits, _ and -"},
      {"number for a table", "body = [3]\n" + kHead, 1, 9, "found the number 3, a table of body"},
      {"date", body("mass = 2020-01-01"), 5, 8, "found a date or time"},
      {"missing name", kHead + "[[body]]\nmass = 1\nsphere = 1\n", 2, 1, "'name' is missing"},
      {"missing mass", kHead + "[[body]]\nname = \"a\"\nsphere = 1\n", 2, 1,
       "one of mass, density, solids is needed"},
      {"two masses", body("mass = 1\ndensity = 2"), 6, 11,
       "'mass' and 'density' exclude each other"},
      {"two of three numbers", body("mass = 1\nposition = [1, 2]"), 6, 12,
       "found 2 values, a list of 3 x length [m] is needed"},
      {"not a list", body("mass = 1\nposition = 1"), 6, 12, "found the number 1"},
      {"list in a list", body("mass = 1\nposition = [1, [2], 3]"), 6, 16,
       "found a list, a length [m] is needed"},
  };
}

std::vector<Wrong> wrong_quantities() {
  return {
      {"wrong dimension", body("mass = \"40 m\""), 5, 8,
       "'40 m' is a length, a mass [kg] is needed"},
      {"unknown unit", body("mass = \"40 tonn\""), 5, 8, "tonn"},
      {"no unit", body("mass = \"40\""), 5, 8, "has no unit, a mass [kg] is needed"},
      {"decimal comma", body("mass = \"40,5 t\""), 5, 8, "decimal point"},
      {"nan", body("mass = nan"), 5, 8, "nan is not a finite number"},
      {"inf", body("mass = inf"), 5, 8, "inf is not a finite number"},
      {"inf as text", body("mass = \"inf\""), 5, 8, "not a finite number"},
      {"too large", body("mass = 1e999"), 5, 13, "'1e999' could not be interpreted"},
  };
}

std::vector<Wrong> wrong_runs() {
  return {
      {"negative step", kHead + "[simulation]\nstep = \"-1 ms\"\n", 3, 8, "must be greater than"},
      {"order 3", kHead + "[simulation]\norder = 3\n", 3, 9, "'3' is not known here; known: 2, 4"},
      {"order as a fraction", kHead + "[simulation]\norder = 2.5\n", 3, 9, "found the number 2.5"},
      {"unknown scheme", kHead + "[simulation]\nscheme = \"ratle\"\n", 3, 10,
       "did you mean 'rattle'?; known: rattle, baumgarte"},
      {"erp of rattle", kHead + "[simulation]\nerp = 0.2\n", 3, 7,
       "belongs to the scheme baumgarte"},
      {"order of baumgarte", kHead + "[simulation]\nscheme = \"baumgarte\"\norder = 4\n", 4, 9,
       "belongs to the scheme rattle"},
      {"output step", kHead + "[simulation]\nstep = \"2 ms\"\noutput_step = \"3 ms\"\n", 4, 15,
       "no multiple of the step"},
      {"half a step", kHead + "[simulation]\ncheckpoint_steps = 2.5\n", 3, 20,
       "2.5 is no number of steps"},
      {"no steps", kHead + "[simulation]\ncheckpoint_steps = 0\n", 3, 20, "must be greater than"},
      {"steps before", kHead + "[simulation]\ncheckpoint_steps = \"-inf\"\n", 3, 20,
       "no number of steps"},
      {"checkpoints all the time", kHead + "[simulation]\ncheckpoint_interval = 0\n", 3, 23,
       "must be greater than"},
      {"checkpoints by the metre", kHead + "[simulation]\ncheckpoint_interval = \"3 m\"\n", 3, 23,
       "a time"},
      {"gravity as speed", kHead + "[simulation]\ngravity = \"9.81 m/s\"\n", 3, 11,
       "an acceleration"},
  };
}

std::vector<Wrong> wrong_bodies() {
  return {
      {"zero mass", body("mass = 0"), 5, 8, "the mass must be positive"},
      {"negative mass", body("mass = \"-40 t\""), 5, 8, "the mass must be positive"},
      {"impossible inertia", kHead + "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 3]\n", 5,
       11, "exceeds the sum of the others"},
      {"negative inertia", kHead + "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, -1]\n", 5,
       11, "the inertia is negative"},
      {"no inertia", kHead + "[[body]]\nname = \"a\"\nmass = 1\n", 2, 1,
       "needs an inertia or a solid"},
      {"duplicate bodies", kHead + kBody + kBody, 7, 8, "the name 'car' is taken by another body"},
      {"zero axis", body("mass = 1\norientation = {axis = [0, 0, 0], angle = \"3 deg\"}"), 6, 23,
       "has no length"},
      {"half an orientation", body("mass = 1\norientation = {axis = [0, 0, 1], angel = \"3 deg\"}"),
       6, 15, "did you mean 'angle'?"},
      {"quaternion", body("mass = 1\norientation = [1, 1, 0, 0]"), 6, 15, "has the length 1.41421"},
      {"no such track", body("mass = 1\non_track = {track = \"main\"}"), 6, 12,
       "there is no track 'main'"},
      {"mass of a prescribed body",
       kHead + "[[body]]\nname = \"a\"\nkind = \"prescribed\"\nmass = 1\n", 5, 1,
       "'mass' does not go with prescribed: it belongs to rigid"},
      {"unknown kind", body("mass = 1\nkind = \"rigit\""), 6, 8, "did you mean 'rigid'?"},
  };
}

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
      {"drive by a formula of its rate",
       kLaw + "type = \"driven\"\nvelocity = {formula = \"2 [rad/s]*sin(2*t)\"}\n", 15, 12,
       "integral"},
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

std::vector<Wrong> wrong_tracks() {
  return {
      {"no track", kTrack, 2, 1, "one of plan, curve, chain is needed"},
      {"unknown element", kTrack + "plan = [{line = 5}, {clotoid = 5}]\n", 4, 21,
       "did you mean 'clothoid'?"},
      {"radius of a line", kTrack + "plan = [{line = 5, radius = 3}]\n", 4, 20,
       "'radius' does not go with line"},
      {"zero length", kTrack + "plan = [{line = 0}]\n", 4, 17, "must be greater than 0"},
      {"zero radius", kTrack + "plan = [{arc = 1, radius = 0}]\n", 4, 9, "a radius must not be 0"},
      {"two transitions", kTrack + "plan = [{clothoid = 5}, {clothoid = 5}]\n", 4, 9,
       "says the curvature between them"},
      {"plan that does not join", kTrack + "plan = [{line = 5}, {line = 5, start = {x = 6}}]\n", 4,
       40, "1 m from the end of [0]"},
      {"grades that do not join",
       kTrack + "plan = [{line = 5}]\nprofile = [{grade = 0, length = 2}, {grade = \"5 %\", length "
                "= 3}]\n",
       5, 46, "with a kink of 0.0499584 rad; max_kink allows 1e-06 rad"},
      {"profile too long", kTrack + "plan = [{line = 5}]\nprofile = [{grade = 0, length = 50}]\n",
       5, 11, "45.000000 m longer than the plan"},
      {"cant too long", kTrack + "plan = [{line = 5}]\ncant = [{constant = 50}]\n", 5, 8,
       "45.000000 m longer than the curve"},
      {"grade of ten", kTrack + "plan = [{line = 5}]\nprofile = [{grade = 10, length = 5}]\n", 5,
       12, "grade 10, which is rise over way"},
      {"transition between straights", kTrack + "plan = [{line = 5}, {clothoid = 5}, {line = 5}]\n",
       4, 21, "goes over from one curvature to another, and both are 0 here"},
      {"vertical curve between equal grades",
       kTrack + "plan = [{line = 5}]\nprofile = [{grade = 0, length = 2}, {parabola = 3}]\n", 5, 37,
       "goes over from one grade to another, and both are 0 here"},
      {"cant against the bend",
       kTrack + "plan = [{viennese = 50, to_radius = 300, gravity_height = 2, cant_change = \"-3 "
                "deg\"}, {arc = 5, radius = 300}]\n"
                "cant = [{linear = 50, to_right = 0.0785}, {constant = 5, right = 0.0785}]\n",
       4, 76, "changes by -3 deg here, by 2.99985 deg by the track's cant (positive where"},
      {"profile too short", kTrack + "plan = [{line = 5}]\nprofile = [{grade = 0, length = 2}]\n",
       5, 11, "3.000000 m short"},
      {"cant too short", kTrack + "plan = [{line = 5}]\ncant = [{constant = 2}]\n", 5, 8,
       "3.000000 m short"},
      {"cant and twist",
       kTrack + "plan = [{line = 5}]\ncant = [{constant = 5}]\ntwist = [{constant = 5}]\n", 6, 9,
       "exclude each other"},
      {"chain that does not join",
       kTrack + "chain = [{line = 5}, {line = 5, position = [6, 0, 0]}]\n", 4, 22,
       "are 1 m apart, (6, 0, 0) and (5, 0, 0) m; max_gap allows 1e-06 m"},
      {"not closed", kTrack + "chain = [{line = 5}]\nclosed = true\n", 4, 10, "5 m apart"},
  };
}

std::vector<Wrong> wrong_pictures() {
  return {
      {"probe on nothing", kPin + "[[probe]]\nname = \"p\"\nbody = \"cab\"\n", 13, 8,
       "did you mean 'car'?"},
      {"two plots",
       kHead + "[[plot]]\nname = \"p\"\ny = \"a\"\n[[plot]]\nname = \"p\"\ny = \"a\"\n", 6, 8,
       "taken by another plot"},
  };
}

std::vector<Wrong> wrong_scenes() {
  std::vector<Wrong> all;
  for (const auto& some :
       {wrong_files(), wrong_keys(), wrong_quantities(), wrong_runs(), wrong_bodies(),
        wrong_joints(), wrong_laws(), wrong_forces(), wrong_lifts(), wrong_names_of_formulas(),
        wrong_tracks(), wrong_pictures()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

std::string all_of(const SceneProblems& problems) {
  std::string out;
  for (const SceneProblem& p : problems) out += to_text(p) + "\n";
  return out;
}

SceneProblems problems_of(const std::string& text, std::vector<Override> overrides = {}) {
  auto loaded = load_scene_text(text, "x.toml", overrides);
  if (auto* problems = std::get_if<SceneProblems>(&loaded)) return std::move(*problems);
  return {};
}

TEST(SceneWrong, every_fault_is_found_alone_with_its_place) {
  for (const Wrong& w : wrong_scenes()) {
    const SceneProblems found = problems_of(w.text);
    ASSERT_FALSE(found.empty()) << w.name << ": nothing found";
    EXPECT_EQ(found.size(), 1u) << w.name << ":\n" << all_of(found);
    EXPECT_EQ(found[0].line, w.line) << w.name << ":\n" << all_of(found);
    EXPECT_EQ(found[0].column, w.column) << w.name << ":\n" << all_of(found);
    EXPECT_NE(found[0].text.find(w.says), std::string::npos) << w.name << ":\n" << all_of(found);
  }
}

TEST(SceneWrong, what_the_faults_are_written_into_is_right) {
  EXPECT_EQ(all_of(problems_of(kPin)), "");
  EXPECT_EQ(all_of(problems_of(body("mass = 1"))), "");
  EXPECT_EQ(all_of(problems_of(kLaw + "type = \"spring\"\nstiffness = \"5 N m/rad\"\n")), "");
  EXPECT_EQ(all_of(problems_of(kGuide)), "");
  EXPECT_EQ(all_of(problems_of(rows("[\"a = Ax.D\"]"))), "");
}

TEST(SceneWrong, reader_and_builder_report_together_in_order) {
  const SceneProblems found =
      problems_of(kHead + kBody +
                  "[[body]]\nname = \"b\"\nmass = \"3 m\"\nsphere = 1\n[[joint]]\nname = "
                  "\"j\"\ntype = \"fixed\"\n" +
                  "a = \"dog\"\nb = \"car\"\nat = [0, 0, 0]\n[[plot]]\nname = \"p\"\n");
  ASSERT_EQ(found.size(), 3u) << all_of(found);
  EXPECT_EQ(found[0].line, 8);
  EXPECT_EQ(found[1].line, 13);
  EXPECT_EQ(found[1].path, "joint.j.a");
  EXPECT_EQ(found[2].line, 16);
}

TEST(SceneWrong, one_fault_does_not_bring_others_with_it) {
  const std::string text =
      kLaw +
      "type = \"spring\"\nstiffness = \"5 N m/rad\"\n[[load]]\nname = \"f\"\ntype = \"force\"\n" +
      "body = \"car\"\nforce = [0, 0, \"1 kN\"]\n[[probe]]\nname = \"p\"\nbody = \"car\"\n";
  ASSERT_EQ(all_of(problems_of(text)), "");
  std::string broken = text;
  broken.replace(broken.find("40 t"), 4, "40 m");
  EXPECT_EQ(problems_of(broken).size(), 1u) << all_of(problems_of(broken));
}

TEST(SceneWrong, a_wrong_constant_or_data_is_no_unknown_name) {
  const std::string law = "type = \"spring\"\nfunction = \"-k*x/table(x, d)\"\n";
  const std::string data = "[[data]]\nname = \"d\"\nx = [0, 1]\ny = [1, 1]\n";
  EXPECT_EQ(all_of(problems_of(kLaw + law + data + "[parameters]\nk = 3\n")), "");
  EXPECT_EQ(problems_of(kLaw + law + data + "[parameters]\nk = \"3 q\"\n").size(), 1u);
  EXPECT_EQ(problems_of(kLaw + law + data + "x_unit = 3\n[parameters]\nk = 3\n").size(), 1u);
}

TEST(SceneWrong, several_problems_of_one_formula) {
  const SceneProblems found =
      problems_of(kLaw + "type = \"spring\"\nfunction = \"-a*x + sin(b*x) - cot(v)\"\n");
  ASSERT_EQ(found.size(), 3u) << all_of(found);
  EXPECT_EQ(found[0].column, 14);
  EXPECT_EQ(found[1].column, 24);
  EXPECT_EQ(found[2].column, 31);
}

TEST(SceneWrong, a_problem_as_text) {
  EXPECT_EQ(to_text(problems_of(body("mas = 1\nmass = 1"))[0]),
            "x.toml:5:1: body.car.mas: unknown key 'mas'; did you mean 'mass'?");
  EXPECT_EQ(to_text(problems_of("")[0]),
            "x.toml:1:1: the file is empty: a scene begins with format = 1");
}

TEST(SceneWrong, a_file_that_cannot_be_read) {
  const auto loaded = load_scene("/nonexistent/x.toml");
  const auto* problems = std::get_if<SceneProblems>(&loaded);
  ASSERT_TRUE(problems);
  EXPECT_EQ(to_text(problems->at(0)),
            "/nonexistent/x.toml: cannot be opened: No such file or directory");
}

TEST(SceneWrong, overrides) {
  const struct {
    const char *path, *value, *says;
  } list[] = {
      {"body.cra.mass", "1", "there is no element 'cra'; did you mean 'car'?"},
      {"body.car.mas", "1", "unknown key 'mas'; did you mean 'mass'?"},
      {"bodi.car.mass", "1", "unknown key 'bodi'; did you mean 'body'?"},
      {"body.car.mass", "4 m", "'4 m' is a length, a mass [kg] is needed"},
      {"body.car.mass", "0", "the mass must be positive"},
      {"body.car.mass.x", "1", "'x' is not a part of the text \"40 t\""},
      {"joint.pin.at[3]", "1", "there is no element [3]"},
      {"", "1", "a path is needed"},
      {"simulation.step", "-1", "must be greater than"},
  };
  for (const auto& o : list) {
    const SceneProblems found = problems_of(kPin, {{o.path, o.value}});
    ASSERT_EQ(found.size(), 1u) << o.path << "\n" << all_of(found);
    EXPECT_NE(found[0].text.find(o.says), std::string::npos) << all_of(found);
    EXPECT_EQ(found[0].file, fmt::format("--set {}={}", o.path, o.value));
    EXPECT_EQ(found[0].line, 0);
  }
}

}  // namespace
}  // namespace trammel::io::scene_wrong_test

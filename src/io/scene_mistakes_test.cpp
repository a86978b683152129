// Mistakes in parameters, defaults, parts, repetitions, starts and elements: what a newcomer gets
// to read, and where.
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "io/scene.h"

namespace trammel::io::scene_mistakes_test {
namespace {

struct Mistake {
  const char* name;
  std::string text;
  int line, column;
  const char* says;
};

// What is right, and what mistakes are written into.
const std::string kHead = "format = 1\n";
const std::string kBody = "[[body]]\nname = \"bob\"\nmass = 1\nsphere = 0.1\n";
const std::string kPinned = kBody +
                            "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nb = \"bob\"\nat = "
                            "[0, 0, 1]\naxis = [0, 1, 0]\n";
const std::string kPin = kHead + kPinned;  // to line 11
const std::string kSizes = kHead + "[parameters]\nlength = \"2 m\"\nmass = \"3 kg\"\n";
const std::string kPart = "[[part]]\nname = \"leg\"\n";
const std::string kRod = "[[part.body]]\nname = \"rod\"\nmass = 1\nsphere = 0.1\n";
const std::string kHip =
    "[[part.joint]]\nname = \"hip\"\ntype = \"revolute\"\nb = \"rod\"\nat = [0, 0, 0]\n";
const std::string kRepeat = "[[repeat]]\n";
const std::string kLink = "[[repeat.body]]\nname = \"link{i}\"\nmass = 1\nsphere = 0.1\n";
const std::string kShock = "[[law]]\nname = \"shock\"\ntype = \"spring\"\n";
const std::string kMount = "[[bushing]]\nname = \"mount\"\n";

std::string bar(const std::string& mass = "1", const std::string& size = "0.1",
                const std::string& place = "") {
  return "[[body]]\nname = \"bar\"\nmass = " + mass + "\nsphere = " + size + "\n" +
         (place.empty() ? "" : "position = " + place + "\n");
}

std::string with(std::string text, const std::string& old, const std::string& now) {
  return text.replace(text.find(old), old.size(), now);
}

std::vector<Mistake> in_parameters() {
  return {
      {"gravity that points up", kHead + "[simulation]\ngravity = -9.81\n" + bar(), 3, 11,
       "write 9.81, or gravity = [0, 0, 9.81] where they rise"},
      {"unknown parameter in a number", kSizes + bar("\"2*mas\""), 7, 11,
       "unknown name 'mas'; did you mean 'mass'?"},
      {"unknown parameter in a vector", kSizes + bar("1", "0.1", "[0, \"lenght/2\", 0]"), 9, 17,
       "unknown name 'lenght'; did you mean 'length'?"},
      {"parameter of another dimension", kSizes + bar("\"length\""), 7, 9,
       "the result is a length [m], a mass [kg] is needed"},
      {"formula of another dimension", kSizes + bar("\"mass*length\""), 7, 9,
       "the result is a quantity in kg m, a mass [kg] is needed"},
      {"lengths and masses added", kSizes + bar("\"mass + length\""), 7, 16,
       "'mass' is a mass [kg], 'length' is a length [m]: they cannot be added"},
      {"unit glued to a name", kSizes + bar("\"mass kg\""), 7, 14,
       "an operator is expected, not 'kg'"},
      {"value below its range",
       kHead + "[parameters]\nlength = {value = \"2 m\", from = \"3 m\"}\n" + bar(), 3, 19,
       "'length' is 2 m, less than 3 m"},
      {"value above its range",
       kHead + "[parameters]\nlength = {value = \"2 m\", to = \"150 cm\"}\n" + bar(), 3, 19,
       "'length' is 2 m, more than 1.5 m"},
      {"range of another kind",
       kHead + "[parameters]\nlength = {value = \"2 m\", to = \"3 s\"}\n" + bar(), 3, 31,
       "3 s is of another kind than 2 m"},
      {"unit beside a quantity",
       kHead + "[parameters]\nlength = {value = \"2 m\", unit = \"kg\"}\n" + bar(), 3, 33,
       "the value is 2 m, not in kg"},
      {"unknown key of a parameter",
       kHead + "[parameters]\nlength = {value = \"2 m\", form = \"1 m\"}\n" + bar(), 3, 26,
       "unknown key 'form'; did you mean 'from'?"},
      {"parameter without a value", kHead + "[parameters]\nlength = {from = \"1 m\"}\n" + bar(), 3,
       10, "'value' is missing: the number; a plain one is in `unit`, or in SI"},
      {"parameter called x and used", kHead + "[parameters]\nx = \"2 m\"\n" + bar("1", "\"x\""), 3,
       5, "'x' stands for the coordinate in formulas: choose another name"},
      {"circle of parameters", kHead + "[parameters]\na = \"2*b\"\nb = \"a/2\"\n" + bar(), 3, 5,
       "'a' depends on itself: a -> b -> a"},
      {"parameter that is infinite", kHead + "[parameters]\na = \"1/0\"\n" + bar(), 3, 6,
       "'1/0' is infinite"},
      {"parameter divided by one of zero",
       kHead + "[parameters]\na = 0\nb = \"1/a\"\n" + bar("\"b*1 kg\""), 4, 6, "'1/a' is infinite"},
      {"root of a negative length", kSizes + bar("\"sqrt(1 - length/1 m)*1 kg\""), 7, 9,
       "'sqrt(1 - length/1 m)' is no real number"},
      {"parameters as a list", "format = 1\n[[parameters]]\nlength = \"2 m\"\n" + bar(), 2, 1,
       "found an array of tables, a table {name = a quantity, a formula of other parameters, or "
       "{value, ...}, ...} is needed"},
      {"formula of the time in a number", kSizes + bar("\"mass*sin(t)\""), 7, 18,
       "unknown name 't'; known: length, mass, e, pi, tau"},
      {"count in a length", kSizes + bar("1", "\"mass/3 kg\""), 8, 11,
       "the result is a plain number, a length [m] is needed"},
      {"condition as a number", kSizes + bar("\"length > 1 m\""), 7, 9,
       "'length > 1 m' is a condition, a number is needed"},
      {"constants of before", kHead + "[constants]\nlength = \"2 m\"\n" + bar(), 2, 2,
       "'constants' is now called 'parameters'"},
  };
}

std::vector<Mistake> in_defaults() {
  return {
      {"default of an unknown kind", kHead + "[defaults.jiont]\ntype = \"revolute\"\n" + bar(), 2,
       11, "there are no elements 'jiont'; did you mean 'joint'?"},
      {"default with an unknown key", kHead + "[defaults.joint]\naxes = [0, 0, 1]\n" + bar(), 3, 1,
       "unknown key 'axes' of joint; did you mean 'axis'?"},
      {"default of a wrong dimension",
       kHead + "[defaults.body]\nmass = \"1 m\"\n" + "[[body]]\nname = \"bar\"\nsphere = 1\n", 3, 8,
       "'1 m' is a length, a mass [kg] is needed"},
      {"default type of an unknown name",
       kHead + "[defaults.joint]\ntype = \"revolut\"\n" + kBody +
           "[[joint]]\nname = \"pin\"\nb = \"bob\"\nat = [0, 0, 0]\n",
       3, 8, "'revolut' is not known here; did you mean 'revolute'?; known: "},
      {"default of a list of elements", kHead + "[[defaults.body]]\nmass = 1\n" + bar(), 2, 1,
       "found an array of tables, a table is needed"},
      {"default of another law", kHead + "[defaults.law.motor]\nstiffness = 1\n" + bar(), 3, 1,
       "unknown key 'stiffness' of law; known: "},
  };
}

std::vector<Mistake> in_parts() {
  return {
      {"part without a name", kHead + "[[part]]\n" + kRod, 2, 1, "'name' is missing: of the part"},
      {"part with nothing in it", kHead + kPart, 2, 1,
       "the part has nothing in it: give 'file', 'like' or elements"},
      {"part like one that is not there",
       kHead + kPart + kRod + "[[part]]\nname = \"other\"\nlike = \"lag\"\n", 10, 8,
       "there is no part 'lag' beside it; did you mean 'leg'?"},
      {"part like itself", kHead + kPart + "like = \"leg\"\n", 4, 8, "'leg' is like itself"},
      {"part from a file that is not there", kHead + kPart + "file = \"leg_of_nobody.toml\"\n", 4,
       8, "'leg_of_nobody.toml' cannot be opened: No such file or directory"},
      {"part from two places", kHead + kPart + "file = \"a.toml\"\nlike = \"b\"\n", 5, 8,
       "'file' and 'like' exclude each other"},
      {"part with an unknown key", kHead + kPart + "postion = [1, 0, 0]\n" + kRod, 4, 1,
       "unknown key 'postion'; did you mean 'position'?"},
      {"parameter that the part has not",
       kHead + kPart + "parameters = {radius = \"1 cm\"}\n" + with(kRod, "0.1", "\"radius\"") +
           "[[part]]\nname = \"other\"\nlike = \"leg\"\nparameters = {radios = \"2 cm\"}\n",
       12, 24, "the part has no parameter 'radios'; did you mean 'radius'?"},
      {"parameter of a part of another kind",
       kHead + kPart + "parameters = {radius = \"1 cm\"}\n" + with(kRod, "0.1", "\"radius\"") +
           "[[part]]\nname = \"other\"\nlike = \"leg\"\nparameters = {radius = \"2 s\"}\n",
       12, 24, "'radius' is 2 s, a length is needed"},
      {"parameter of a part beyond its range",
       kHead + kPart + "parameters = {radius = {value = \"1 cm\", to = \"2 cm\"}}\n" +
           with(kRod, "0.1", "\"radius\"") +
           "[[part]]\nname = \"other\"\nlike = \"leg\"\nparameters = {radius = \"3 cm\"}\n",
       12, 24, "'radius' is 30 mm, more than 20 mm"},
      {"body of a part without its part",
       kHead + kPart + kRod +
           "[[joint]]\nname = \"hip\"\ntype = \"fixed\"\nb = \"rod\"\nat = [0, 0, 0]\n",
       11, 5, "there is no body 'rod'; did you mean 'leg.rod'?"},
      {"body of a part misspelt",
       kHead + kPart + kRod +
           "[[joint]]\nname = \"hip\"\ntype = \"fixed\"\nb = \"leg.rot\"\nat = [0, 0, 0]\n",
       11, 5, "there is no body 'leg.rot'; did you mean 'leg.rod'?"},
      {"two parts of one name", kHead + kPart + kRod + kPart + kRod, 8, 1,
       "the name 'leg' is taken by another part"},
      {"two bodies of one name in a part", kHead + kPart + kRod + kRod, 9, 8,
       "the name 'leg.rod' is taken by another body"},
      {"part with single brackets", kHead + "[part]\nname = \"leg\"\n", 2, 1,
       "write [[part]], with two brackets: there can be several"},
      {"ground of a part that is no body", kHead + kPart + "ground = \"deck\"\n" + kRod + kHip, 4,
       10, "there is no body 'deck'; known: ground, leg.rod"},
      {"joint in a part to a misspelt body",
       kHead + kPart + kRod + with(kHip, "\"rod\"", "\"rood\""), 11, 5,
       "there is no body 'rood'; did you mean 'leg.rod'?"},
      {"position of a part with two numbers", kHead + kPart + "position = [1, 2]\n" + kRod, 4, 12,
       "found 2 values, a list of 3 x length [m] is needed"},
      {"part turned about nothing",
       kHead + kPart + "orientation = {axis = [0, 0, 0], angle = \"30 deg\"}\n" + kRod, 4, 23,
       "the direction [0, 0, 0] has no length"},
      {"coordinate of a part misspelt",
       kHead + kPart + kRod + kHip +
           "[[coupling]]\nname = \"c\"\ntype = \"linear\"\nof = [\"leg.hip.angel\"]\ncoefficients "
           "= [1]\n",
       16, 7, "coupling 'c': a revolute joint has no coordinate 'angel'; did you mean 'angle'?"},
  };
}

std::vector<Mistake> in_repetitions() {
  return {
      {"repetition without a count", kHead + kRepeat + kLink, 2, 1, "one of count, over is needed"},
      {"repetition with a fraction of turns", kHead + kRepeat + "count = 2.5\n" + kLink, 3, 9,
       "2.5 is no number of times: 0 to 1000000"},
      {"repetition with a negative count", kHead + kRepeat + "count = -3\n" + kLink, 3, 9,
       "-3 is no number of times: 0 to 1000000"},
      {"repetition with a count in metres", kHead + kRepeat + "count = \"3 m\"\n" + kLink, 3, 9,
       "'3 m' is a length, a plain number is needed"},
      {"repetition with an unknown count", kSizes + kRepeat + "count = \"lenth\"\n" + kLink, 6, 10,
       "unknown name 'lenth'; did you mean 'length'?"},
      {"repetition of nothing", kHead + kRepeat + "count = 3\n", 2, 1,
       "nothing is repeated: write [[repeat.body]], ..."},
      {"repetition of one name", kHead + kRepeat + "count = 3\n" + with(kLink, "{i}", ""), 5, 8,
       "the name 'link' is taken by another body"},
      {"repetition with an unknown index",
       kHead + kRepeat + "count = 3\n" + with(kLink, "{i}", "{k}"), 5, 9,
       "unknown name 'k'; known: i, e, pi, tau"},
      {"half an index in a name", kHead + kRepeat + "count = 3\n" + with(kLink, "{i}", "{i/2}"), 5,
       8, "{i/2} is 0.5: in a name stands a whole number"},
      {"brace that is not closed", kHead + kRepeat + "count = 3\n" + with(kLink, "{i}", "{i"), 5, 8,
       "'link{i': a '{' without its '}'"},
      {"lists of two lengths",
       kHead + kRepeat + "over = {side = [\"left\", \"right\"], y = [1, 2, 3]}\n" + kLink, 3, 39,
       "'y' has 3 items, the list before it 2"},
      {"repetition by count and by list",
       kHead + kRepeat + "count = 3\nover = {y = [1, 2]}\n" + kLink, 4, 8,
       "'count' and 'over' exclude each other"},
      {"index called as the time", kHead + kRepeat + "count = 3\nindex = \"t\"\n" + kLink, 4, 9,
       "'t' stands for the time in formulas: choose another name"},
      {"too many turns", kHead + kRepeat + "count = 1e8\n" + kLink, 3, 9,
       "100000000 is no number of times: 0 to 1000000"},
      {"place and circle",
       kHead + kRepeat + "count = 3\nposition = [1, 0, 0]\ncircle = {axis = [0, 0, 1]}\n" + kLink,
       5, 10, "'position' and 'circle' exclude each other"},
      {"circle with a step in metres",
       kHead + kRepeat + "count = 3\ncircle = {axis = [0, 0, 1], step = \"1 m\"}\n" + kLink, 4, 36,
       "'1 m' is a length, an angle [rad] is needed"},
      {"formula of a turn with a wrong dimension",
       kHead + kRepeat + "count = 3\n" + with(kLink, "mass = 1", "mass = \"(i + 1)*1 m\""), 6, 9,
       "the result is a length [m], a mass [kg] is needed (and 2 more like it)"},
      {"joint to a turn that is not there",
       kHead + kRepeat + "count = 3\n" + kLink +
           "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nb = \"link3\"\nat = [0, 0, 0]\n",
       11, 5, "there is no body 'link3'; did you mean 'link0'?"},
      {"first turn joined to one before it",
       kHead + kRepeat + "count = 3\n" + kLink +
           "[[repeat.joint]]\nname = \"pin{i}\"\ntype = \"fixed\"\na = \"link{i - 1}\"\nb = "
           "\"link{i}\"\nat = [0, 0, 0]\n",
       11, 5, "there is no body 'link-1'; did you mean 'link1'?"},
  };
}

std::vector<Mistake> in_starts() {
  return {
      {"start of another dimension", kPin + "start = \"30 cm\"\n", 12, 9,
       "'30 cm' is a length, an angle [rad] is needed"},
      {"start of an unknown coordinate", kPin + "start = {angel = \"30 deg\"}\n", 12, 18,
       "joint 'pin' has no free coordinate 'angel'; did you mean 'angle'?"},
      {"start of a joint with several",
       with(kPin, "\"revolute\"", "\"cylindrical\"") + "start = \"30 deg\"\n", 12, 9,
       "joint 'pin' has 2 free coordinates: say which, as in {travel = ...} (travel, angle)"},
      {"start of a joint without coordinates",
       with(kPin, "\"revolute\"", "\"fixed\"") + "start = 0\n", 12, 9,
       "joint 'pin' leaves no coordinate free: a fixed joint has none"},
      {"rate of another dimension", kPin + "rate = \"30 deg\"\n", 12, 8,
       "'30 deg' is an angle, an angular speed [rad/s] is needed"},
      {"start where a law holds it",
       kPin + "start = \"30 deg\"\n[[law]]\nname = \"lock\"\ntype = \"locked\"\njoint = \"pin\"\n",
       12, 9,
       "'pin.angle' is to start at 30 deg, where law 'lock' holds it at 0 deg: they differ by 30 "
       "deg"},
      {"start beyond a stop",
       kPin + "start = \"30 deg\"\n[[law]]\nname = \"stop\"\ntype = \"limit\"\njoint = \"pin\"\nto "
              "= \"10 deg\"\n",
       12, 9,
       "'pin.angle' is to start at 30 deg, where law 'stop' stops it at 10 deg: they differ by 20 "
       "deg"},
      {"equilibrium of an unknown coordinate",
       kHead + "[simulation]\nequilibrium = [\"pin.angel\"]\n" + kPinned, 3, 16,
       "joint 'pin' has no free coordinate 'angel'; did you mean 'angle'?"},
      {"equilibrium of a coordinate without its joint",
       kHead + "[simulation]\nequilibrium = [\"angle\"]\n" + kPinned, 3, 16,
       "there is no joint 'angle'; known: pin"},
      {"equilibrium that is not there", kHead + "[simulation]\nequilibrium = true\n" + kBody, 3, 15,
       "no static equilibrium found in 300 steps: body 'bob' is still pushed by 9.81 N (the "
       "greatest force is 9.81 N); hold what nothing holds, or start nearer"},
      {"rate of a driven coordinate",
       kPin + "rate = \"2 rad/s\"\n[[law]]\nname = \"drive\"\ntype = \"driven\"\njoint = "
              "\"pin\"\nvelocity = \"1 rad/s\"\n",
       12, 8,
       "'pin.angle' is to start with a rate of 114.592 deg/s, where law 'drive' moves it at "
       "57.2958 deg/s"},
      {"rate in equilibrium",
       kHead + "[simulation]\nequilibrium = [\"pin.angle\"]\n" + kPinned + "rate = \"2 rad/s\"\n",
       3, 16, "'pin.angle' is given a rate: in static equilibrium it is at rest"},
      {"contradicting starts",
       kPin + "start = \"30 deg\"\n[[joint]]\nname = \"again\"\ntype = \"revolute\"\nb = "
              "\"bob\"\nat = [0, 0, 1]\naxis = [0, 1, 0]\nstart = \"40 deg\"\n",
       19, 9,
       "joints 'start of pin.angle' and 'start of again.angle' cannot all be met: 0.0873 m or rad "
       "is left at the best compromise"},
  };
}

std::vector<Mistake> in_elements() {
  return {
      {"law on nothing", kHead + kBody + kShock, 6, 1, "one of joint, b is needed"},
      {"law on a joint and between points", kPin + kShock + "joint = \"pin\"\nb = \"bob\"\n", 16, 5,
       "'joint' and 'b' exclude each other"},
      {"law from a misspelt body",
       kHead + kBody + kShock + "a = \"bab\"\nb = \"bob\"\nat_a = [0, 0, 1]\n", 9, 5,
       "there is no body 'bab'; did you mean 'bob'?"},
      {"law between points that coincide", kHead + kBody + kShock + "b = \"bob\"\nstiffness = 1\n",
       6, 1,
       "sqrt(D.D) of joint 'shock' is zero at the start, its points coincide: a distance has no "
       "rate there"},
      {"law from a body to itself",
       kHead + kBody + kShock + "a = \"bob\"\nb = \"bob\"\npoint_b = [0, 0, 1]\nstiffness = 1\n",
       10, 5, "joint 'shock' joins 'bob' to itself"},
      {"law with a coordinate between points",
       kHead + kBody + kShock + "b = \"bob\"\nat_a = [0, 0, 1]\ncoordinate = \"length\"\n", 9, 5,
       "'coordinate' and 'b' exclude each other"},
      {"end given twice",
       kHead + kBody + kShock + "b = \"bob\"\nat_a = [0, 0, 1]\npoint_a = [0, 0, 1]\n", 10, 8,
       "'point_a' and 'at_a' exclude each other"},
      {"stiffness of a spring between points in torque",
       kHead + kBody + kShock + "b = \"bob\"\nat_a = [0, 0, 1]\nstiffness = \"1 N m/rad\"\n", 11,
       13, "'1 N m/rad' is a rotational stiffness, a stiffness [N/m] is needed"},
      {"rod of another length",
       kHead + kBody + with(kShock, "spring", "locked") +
           "b = \"bob\"\nat_a = [0, 0, 1]\nvalue = \"2 m\"\n",
       6, 1,
       "law 'shock' holds its coordinate at 2 m, 'length' of joint 'shock' starts at 1 m: hold it "
       "there, place the bodies so, or set assemble = true"},
      {"rope shorter than it is",
       kHead + kBody + with(kShock, "spring", "limit") +
           "b = \"bob\"\nat_a = [0, 0, 1]\nto = \"50 cm\"\n",
       6, 1,
       "law 'shock' stops its coordinate at 0.5 m, 'length' of joint 'shock' starts at 1 m: let it "
       "stop beyond, place the bodies so, or set assemble = true"},
      {"law on an element that is not there",
       kHead + kBody + kShock +
           "b = \"bob\"\nat_a = [0, 0, 1]\nstiffness = 1\n[[law]]\nname = \"strap\"\ntype = "
           "\"limit\"\njoint = \"shok\"\nto = \"2 m\"\n",
       15, 9, "there is no joint 'shok'; did you mean 'shock'?"},
      {"bushing without a body", kHead + kBody + kMount, 6, 1, "'b' is missing: body of frame B"},
      {"bushing without a place", kHead + kBody + kMount + "b = \"bob\"\nstiffness = [1, 1, 1]\n",
       6, 1, "joint 'mount' needs a place: `at`, or `frame_a` and `frame_b`"},
      {"bushing with one stiffness",
       kHead + kBody + kMount + "b = \"bob\"\nat = [0, 0, 0]\nstiffness = \"1 kN/m\"\n", 10, 13,
       "found the text \"1 kN/m\", a list of 3 x stiffness [N/m] is needed"},
      {"bushing of a negative stiffness",
       kHead + kBody + kMount + "b = \"bob\"\nat = [0, 0, 0]\nstiffness = [1, -1, 1]\n", 10, 13,
       "'stiffness' of law 'mount.y' is -1, it must lie between 0 and inf"},
      {"bushing with a turning stiffness in N/m",
       kHead + kBody + kMount +
           "b = \"bob\"\nat = [0, 0, 0]\nangular_stiffness = [\"1 N/m\", 0, 0]\n",
       10, 22, "'1 N/m' is a stiffness, a rotational stiffness [N m/rad] is needed"},
      {"bushing with an unknown key",
       kHead + kBody + kMount + "b = \"bob\"\nat = [0, 0, 0]\nrotational_stiffness = [1, 1, 1]\n",
       10, 1, "unknown key 'rotational_stiffness'; known: "},
      {"bushing that holds nothing", kHead + kBody + kMount + "b = \"bob\"\nat = [0, 0, 0]\n", 6, 1,
       "bushing 'mount' has no force: give it a stiffness or a damping"},
  };
}

std::vector<Mistake> mistakes() {
  std::vector<Mistake> all;
  for (const auto& some :
       {in_parameters(), in_defaults(), in_parts(), in_repetitions(), in_starts(), in_elements()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

SceneProblems problems_of(const std::string& text) {
  auto loaded = load_scene_text(text, "x.toml");
  if (auto* problems = std::get_if<SceneProblems>(&loaded)) return std::move(*problems);
  return {};
}

std::string all_of(const SceneProblems& problems) {
  std::string out;
  for (const SceneProblem& p : problems) out += to_text(p) + "\n";
  return out;
}

TEST(SceneMistakes, AreToldOnceAtTheirPlaceWithWhatToDo) {
  const std::vector<Mistake> all = mistakes();
  EXPECT_GE(all.size(), 60u);
  for (const Mistake& m : all) {
    const SceneProblems found = problems_of(m.text);
    ASSERT_EQ(found.size(), 1u) << m.name << ":\n" << all_of(found);
    EXPECT_EQ(found[0].line, m.line) << m.name << ":\n" << all_of(found);
    EXPECT_EQ(found[0].column, m.column) << m.name << ":\n" << all_of(found);
    EXPECT_NE(found[0].text.find(m.says), std::string::npos) << m.name << ":\n" << all_of(found);
  }
}

/// What is wrong itself is no reason to say that it is not there.
TEST(SceneMistakes, NamesOfWhatIsWrongAreKnown) {
  const std::string text =
      with(kPin, "mass = 1", "mas = 1") +
      "[[joint]]\nname = \"j\"\ntype = \"revolute\"\nb = \"bab\"\nat = [0, 0, 0]\n" +
      "[[law]]\nname = \"l\"\ntype = \"limit\"\njoint = \"pim\"\n" +
      "[[law]]\nname = \"k\"\ntype = \"spring\"\nstiffness = 1\na = \"bod\"\nb = \"bob\"\n" +
      "[[load]]\nname = \"f\"\ntype = \"force\"\nbody = \"boba\"\nforce = [1, 0, 0]\n" +
      "[[coupling]]\nname = \"c\"\ntype = \"linear\"\nof = [\"pins.angle\"]\ncoefficients = [1]\n" +
      "[[probe]]\nname = \"p\"\nbody = \"bobb\"\n";
  auto result = load_scene_text(text, "x.toml", {});
  std::string said;
  for (const SceneProblem& p : std::get<SceneProblems>(result)) said += to_text(p) + "\n";
  for (const char* says : {"joint.j.b: there is no body 'bab'; did you mean 'bob'?",
                           "law.l.joint: there is no joint 'pim'; did you mean 'pin'?",
                           "law.k.a: there is no body 'bod'; did you mean 'bob'?",
                           "load.f.body: there is no body 'boba'; did you mean 'bob'?",
                           "coupling.c.of[0]: there is no joint 'pins'; did you mean 'pin'?",
                           "probe.p.body: there is no body 'bobb'; did you mean 'bob'?"})
    EXPECT_NE(said.find(says), std::string::npos) << says << "\n" << said;
}

TEST(SceneMistakes, AreWrittenIntoWhatIsRight) {
  for (const std::string& text :
       {kPin, kSizes + bar("\"mass\"", "\"length/3\""), kHead + kPart + kRod + kHip,
        kHead + kRepeat + "count = 3\n" + kLink,
        kHead + kBody + kShock + "b = \"bob\"\nat_a = [0, 0, 1]\nstiffness = 1\n",
        kHead + kBody + kMount + "b = \"bob\"\nat = [0, 0, 0]\nstiffness = [1, 1, 1]\n"})
    EXPECT_EQ(all_of(problems_of(text)), "") << text;
}

}  // namespace
}  // namespace trammel::io::scene_mistakes_test

// Files, runs, bodies, tracks and pictures with something wrong in them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/test_wrong.h"

namespace trammel::io::scene_wrong_test {
namespace {

using namespace scene_wrong;

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

TEST(SceneWrong, every_fault_is_found_alone_with_its_place) {
  expect_told(wrong_files());
  expect_told(wrong_keys());
  expect_told(wrong_quantities());
  expect_told(wrong_runs());
  expect_told(wrong_bodies());
  expect_told(wrong_tracks());
  expect_told(wrong_pictures());
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

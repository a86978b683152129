#include "io/scene.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include "io/scene_text.h"

namespace trammel::io::scene_test {
namespace {

constexpr double kDeg = std::numbers::pi / 180;

std::string all_of(const SceneProblems& problems) {
  std::string out;
  for (const SceneProblem& p : problems) out += to_text(p) + "\n";
  return out;
}

LoadedScene loaded(const std::string& text, std::vector<Override> overrides = {}) {
  auto result = load_scene_text(text, "x.toml", overrides);
  if (auto* problems = std::get_if<SceneProblems>(&result))
    throw std::runtime_error(all_of(*problems) + text);
  return std::move(std::get<LoadedScene>(result));
}

double param(const LoadedScene& s, const char* name) {
  const int i = s.built.model->find_param(name);
  return i < 0 ? NAN : s.built.params.values[static_cast<std::size_t>(i)];
}

// Position of the first rigid body and its quaternion follow each other in the state.
std::vector<double> first(const LoadedScene& s, std::size_t n) {
  return {s.built.state.q.begin(), s.built.state.q.begin() + static_cast<std::ptrdiff_t>(n)};
}

const std::string kCar = R"(
format = 1
name = "little"
[[body]]
name = "car"
mass = "40 t"
box = ["10 m", "3 m", 2]
position = [0, 0, "1500 mm"]
[[joint]]
name = "pin"
type = "revolute"
b = "car"
at = [0, 0, "1500 mm"]
axis = [0, 1, 0]
)";

TEST(Scene, values_arrive_in_si) {
  const LoadedScene s = loaded(kCar);
  EXPECT_EQ(s.scene.builder.name, "little");
  EXPECT_EQ(param(s, "body.car.mass"), 40000);
  EXPECT_DOUBLE_EQ(param(s, "body.car.Ixx"), 40000. / 12 * 13);
  EXPECT_EQ(first(s, 7), (std::vector<double>{0, 0, 1.5, 1, 0, 0, 0}));
  const model::Joint& j = s.built.model->joints[0];
  EXPECT_LT((j.X_OA.R.col(0) - Vec3::UnitY()).norm(), 1e-15);  // rounding
  EXPECT_LT((j.X_OA.R.col(2) - Vec3::UnitZ()).norm(), 1e-15);  // up stays up
}

TEST(Scene, defaults_are_those_of_the_description) {
  const sim::Settings s = loaded(kCar).scene.settings, d;
  EXPECT_EQ(s.duration, d.duration);
  EXPECT_EQ(s.step, d.step);
  EXPECT_EQ(s.output_step, d.output_step);
  EXPECT_EQ(s.checkpoint_interval, d.checkpoint_interval);
  EXPECT_EQ(s.checkpoint_steps, d.checkpoint_steps);
  EXPECT_EQ(s.form.order, d.form.order);
  EXPECT_EQ(s.form.erp, d.form.erp);
  EXPECT_EQ(s.form.tolerance.value, d.form.tolerance.value);
  EXPECT_FALSE(s.form.tolerance.in_si);
  EXPECT_FALSE(s.form.contact_tolerance);
  EXPECT_EQ(s.form.scheme, d.form.scheme);
  EXPECT_EQ(loaded(kCar).scene.builder.tolerance, model::Builder().tolerance);
  EXPECT_EQ(loaded(kCar).scene.builder.gravity, Vec3(0, 0, -9.81));
}

TEST(Scene, the_run) {
  const LoadedScene s = loaded(kCar + R"(
[simulation]
duration = "1 min"
step = "2 ms"
output_step = "20 ms"
checkpoint_interval = "1 min"
checkpoint_steps = 500
scheme = "baumgarte"
erp = 0.5
assemble = true
gravity = [1, 0, "-9.8 m/s^2"]
)");
  EXPECT_EQ(s.scene.settings.duration, 60);
  EXPECT_EQ(s.scene.settings.step, 0.002);
  EXPECT_EQ(s.scene.settings.output_step, 0.02);
  EXPECT_EQ(s.scene.settings.checkpoint_interval, 60);
  EXPECT_EQ(s.scene.settings.checkpoint_steps, 500);
  EXPECT_EQ(s.scene.settings.form.scheme, form::Settings::Scheme::baumgarte);
  EXPECT_EQ(s.scene.settings.form.erp, 0.5);
  EXPECT_TRUE(s.scene.builder.assemble);
  EXPECT_EQ(s.scene.builder.gravity, Vec3(1, 0, -9.8));
}

std::string turned(const std::string& orientation) {
  return "format = 1\n[[body]]\nname = \"a\"\nmass = 1\nsphere = 1\norientation = " + orientation;
}

TEST(Scene, orientations) {
  const std::vector<double> expected{std::cos(45 * kDeg), 0, 0, std::sin(45 * kDeg)};
  for (const char* text : {"{axis = [0, 0, 2], angle = \"90 deg\"}", "[0.7071068, 0, 0, 0.7071068]",
                           "{x_axis = [0, 1, 0], z_axis = [0, 3, 1]}"}) {
    const LoadedScene s = loaded(turned(text));
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(s.built.state.q[3 + i], expected[i], 1e-7) << text;
  }
}

TEST(Scene, laws_take_their_dimension_from_the_coordinate) {
  const LoadedScene s = loaded(kCar + R"(
[[law]]
name = "spring"
type = "spring"
joint = "pin"
coordinate = "angle"
stiffness = "5 kN m/rad"
damping = "2 kN m s/rad"
rest = "90 deg"
preload = "1 kN m"
[[law]]
name = "lift"
type = "motor"
joint = "pin"
coordinate = "Az.D"
velocity = {time = [0, "1 min"], value = [0, "3.6 km/h"]}
force_max = "10 kN"
force_min = "-inf"
[[law]]
name = "hold"
type = "locked"
joint = "pin"
coordinate = "Ay.D"
unilateral = true
)");
  EXPECT_EQ(param(s, "law.spring.stiffness"), 5000);
  EXPECT_EQ(param(s, "law.spring.damping"), 2000);
  EXPECT_DOUBLE_EQ(param(s, "law.spring.rest"), 90 * kDeg);
  EXPECT_EQ(param(s, "law.lift.force_max"), 10000);
  EXPECT_EQ(param(s, "law.lift.force_min"), -law::kInf);
  EXPECT_EQ(param(s, "law.hold.unilateral"), 1);
  const model::LawOnRow& lift =
      s.built.model->laws[static_cast<std::size_t>(s.built.model->find_law("lift"))];
  EXPECT_DOUBLE_EQ(lift.law.drive.signal.value(30), 0.5);
}

TEST(Scene, options_of_rows) {
  const LoadedScene s = loaded(kCar + R"(limits = {"Ax.D" = ["-100 kN", "inf"], "Ay.D" = [0, "inf"]}
unilateral = "Ay.D"
restitution = 0.5
erp = 0.1
)");
  EXPECT_EQ(param(s, "joint.pin.Ax.D.force_min"), -100000);
  EXPECT_EQ(param(s, "joint.pin.Ax.D.force_max"), law::kInf);
  EXPECT_EQ(param(s, "joint.pin.Ay.D.force_max"), law::kInf);
  EXPECT_EQ(param(s, "joint.pin.Ay.D.unilateral"), 1);
  EXPECT_EQ(param(s, "joint.pin.Ay.D.restitution"), 0.5);
  EXPECT_EQ(param(s, "joint.pin.Ax.D.erp"), 0.1);  // the row that can yield
  EXPECT_EQ(param(s, "joint.pin.Ay.D.erp"), 0.25);
}

TEST(Scene, prescribed_motion) {
  const LoadedScene s = loaded(kCar + R"([[body]]
name = "table"
kind = "prescribed"
position = [1, 2, 3]
displacement = [0, {time = [0, 2], value = [0, "1 m"]}, {velocity = "2 m/s", start = "10 mm"}]
turns = [{axis = [0, 0, 1], angle = {acceleration = "1 deg/s^2", start_velocity = "3 rpm"}}]
)");
  const body::Prescribed& p = s.built.model->prescribed[0].motion;
  EXPECT_EQ(p.displacement[1].at(1).x, 0.5);
  EXPECT_DOUBLE_EQ(p.displacement[2].at(2).x, 4.01);
  EXPECT_DOUBLE_EQ(p.turns[0].angle.at(2).x, 2 * kDeg + 2 * 3 * 2 * std::numbers::pi / 60);
}

// An S of 300 m radius with transitions that take their ends from the arcs between them.
const std::string kLine = R"(format = 1
[[track]]
name = "main"
plan = [
  {line = "50 m"},
  {clothoid = "40 m"},
  {arc = "100 m", radius = "300 m"},
  {bloss = "80 m"},
  {arc = "60 m", radius = "-200 m"},
  {clothoid = "40 m"},
  {line = "30 m"},
]
profile = [{grade = 0, length = "100 m"}, {circle = "50 m"}, {grade = "10 permille", length = "250 m"}]
cant = [{constant = "50 m"}, {linear = "40 m"}, {constant = "100 m", right = "100 mm"},
        {bloss = "80 m"}, {constant = "60 m", left = "120 mm"}, {linear = "40 m"}, {constant = "30 m"}]
)";

const track::Track& track_of(const LoadedScene& s) { return *s.built.model->tracks[0].track; }

TEST(Scene, a_railway_line) {
  const LoadedScene s = loaded(kLine);
  const track::Track& t = track_of(s);
  const auto at = [&](double sigma) { return t.at(t.arc_length_at(sigma)); };
  EXPECT_NEAR(at(140).Omega.z(), 1 / 300., 1e-5);  // model: a grade shortens it by 5e-5
  EXPECT_NEAR(at(300).Omega.z(), -1 / 200., 1e-5);
  EXPECT_NEAR(at(400).C(2, 0), 0.01, 1e-6);  // slope
  EXPECT_NEAR(at(140).C(2, 1), -0.1 / 1.5 * std::hypot(1, 0.0033),
              1e-4);  // the left rail is the lower one
  EXPECT_NEAR(at(300).C(2, 1), 0.12 / 1.5, 1e-4);
  EXPECT_NEAR(t.length(), 400 + 0.5 * 1e-4 * (250 + 50 / 3.), 1e-5);
}

TEST(Scene, a_viennese_bend_to_the_left_raises_the_right_rail) {
  const LoadedScene s = loaded(R"(format = 1
[[track]]
name = "bend"
plan = [{viennese = 50, to_radius = 300, gravity_height = 2, cant_change = "3 deg"}, {arc = 5, radius = 300}]
cant = [{linear = 50, to_right = 0.0785}, {constant = 5, right = 0.0785}]
)");
  EXPECT_NEAR(track_of(s).at(52).C(2, 1), -0.0785 / 1.5, 1e-12);
  // the line swings out, to the right, before it bends to the left
  EXPECT_LT(track_of(s).at(10).p.y(), -1e-3);
}

/// The same by a twist, whose change the bend has to go by: its directions are how its places
/// change, and its turns how these do.
TEST(Scene, a_viennese_bend_goes_by_a_twist_as_by_a_cant) {
  const auto bend = [](const char* shape, int change) {
    return fmt::format(R"(format = 1
[[track]]
name = "bend"
plan = [{{viennese = 50, to_radius = 300, gravity_height = 2, cant_change = "{1} deg"}}, {{arc = 5, radius = 300}}]
twist = [{{{0} = 50, to = "-3 deg"}}, {{constant = 5, angle = "-3 deg"}}]
)",
                       shape, change);
  };
  for (const char* shape : {"linear", "viennese"}) {
    const LoadedScene s = loaded(bend(shape, 3));
    const track::Track& t = track_of(s);
    EXPECT_NEAR(t.at(52).C(2, 1), -std::sin(3 * kDeg), 1e-12);
    EXPECT_LT(t.at(10).p.y(), -1e-3);
    constexpr double h = 1e-4;
    for (double at = 1; at < 50; at += 3.7) {
      const geom::CurvePoint c = t.at(at), a = t.at(at - h), b = t.at(at + h);
      EXPECT_LT(((b.p - a.p) / (2 * h) - c.C.col(0)).norm(), 1e-9) << shape << " at " << at;
      for (int k = 0; k < 3; ++k)
        EXPECT_LT(((b.C.col(k) - a.C.col(k)) / (2 * h) - c.Omega.cross(Vec3(c.C.col(k)))).norm(),
                  1e-9)
            << shape << " at " << at;
    }
    const auto against = load_scene_text(bend(shape, -3), "test.toml");
    ASSERT_TRUE(std::holds_alternative<SceneProblems>(against));
    const std::string why = all_of(std::get<SceneProblems>(against));
    EXPECT_NE(why.find("changes by -3 deg here, by 3 deg by the track's twist"), std::string::npos)
        << why;
  }
}

TEST(Scene, curves_go_on_where_the_one_before_ends) {
  const LoadedScene s = loaded(R"(format = 1
[[track]]
name = "loop"
chain = [{line = 3, position = [1, 2, 0]}, {turn = "90 deg", radius = 2}, {helix = 1, radius = 2, pitch = 0.5}]
max_kink = "90 deg"
)");
  const geom::CurvePoint c = track_of(s).at(3 + std::numbers::pi);
  EXPECT_LT((c.p - Vec3(6, 4, 0)).norm(), 1e-12);
  const LoadedScene ring = loaded(
      "format = 1\n[[track]]\nname = \"ring\"\ncurve = {turn = \"360 deg\", radius = 5}\nclosed = "
      "true\n");
  EXPECT_TRUE(track_of(ring).closed());
  EXPECT_DOUBLE_EQ(track_of(ring).length(), 10 * std::numbers::pi);
}

TEST(Scene, a_vehicle_on_a_line) {
  const LoadedScene s = loaded(kLine + R"([[body]]
name = "car"
mass = "40 t"
box = [10, 3, 3]
on_track = {track = "main", s = "20 m", speed = "36 km/h"}
position = [0, 0, 1]
[[joint]]
name = "rail"
type = "track"
b = "car"
track = "main"
frame_b = {position = [0, 0, -1]}
limits = {vertical = ["-1 kN", "inf"], roll = ["-1 MN m", "1 MN m"]}
derail = {lateral = "30 mm", roll = "5 deg"}
[[law]]
name = "drive"
type = "motor"
joint = "rail"
coordinate = "s"
velocity = "10 m/s"
force_max = "100 kN"
)");
  EXPECT_EQ(first(s, 3), (std::vector<double>{20, 0, 1}));
  EXPECT_NEAR(s.built.state.P[0], 40000 * 10, 1e-6);  // rounding
  EXPECT_EQ(param(s, "joint.rail.vertical.force_min"), -1000);
  EXPECT_DOUBLE_EQ(s.built.model->joints[0].derail.roll, 5 * kDeg);
}

TEST(Scene, overrides_address_elements_by_name) {
  const LoadedScene s = loaded(kCar, {{"body.car.mass", "\"30 t\""},
                                      {"simulation.step", "5 ms"},
                                      {"simulation.gravity", "[0, 0, -1]"},
                                      {"body.car.position[0]", "0"}});
  EXPECT_EQ(param(s, "body.car.mass"), 30000);
  EXPECT_EQ(s.scene.settings.step, 0.005);
  EXPECT_EQ(s.scene.builder.gravity.z(), -1);
}

TEST(Scene, text_is_checked_before_it_is_parsed) {
  EXPECT_FALSE(
      check_text("\xEF\xBB\xBF# caf\xC3\xA9\nname = \"\xE2\x82\xAC\" # \xF0\x9F\x9A\x82\n"));
  EXPECT_FALSE(
      check_text("a = '''\n[[[[ ' '' \xC3\xA9 '''\nb = \"\\\"\xC3\xA9\"\nc = "
                 "\"\"\"\"\xC3\xA9\"\"\"\"\nd = ''\n"));
  for (const char* text :
       {"a = \"\xED\xA0\x80\"", "a = \"\xF4\x90\x80\x80\"", "a = \"\xE2\x82", "\"\x80"})
    EXPECT_TRUE(check_text(text)) << text;
  EXPECT_TRUE(check_text("a = \"x\" \xC3\xA9"));
  EXPECT_TRUE(check_text("a = \"\"\"\"x\"\"\"\xC3\xA9"));
  EXPECT_TRUE(check_text(std::string(kMostBytes + 1, ' ')));
}

TEST(Scene, places_in_strings) {
  const struct {
    const char* text;
    Place quote;
    std::size_t n;
    int line, column;
  } cases[] = {
      {"a = \"xyz\"", {1, 5}, 0, 1, 6},
      {"a = \"xyz\"", {1, 5}, 2, 1, 8},
      {"a = \"xyz\"", {1, 5}, 3, 1, 9},        // behind the end: the quote
      {"a = 'x\\ny'", {1, 5}, 3, 1, 9},        // no escape
      {"a = \"x\\ny\"", {1, 5}, 2, 1, 9},      // one byte in four
      {"a = \"\\u00e9y\"", {1, 5}, 2, 1, 12},  // two bytes in six
      {"a = \"\\U0001F600y\"", {1, 5}, 4, 1, 16},
      {"a = \"\xC3\xA9y\"", {1, 5}, 2, 1, 7},  // columns count characters
      {"# \xC3\xA9\na = \"xy\"", {2, 5}, 1, 2, 7},
      {"a = \"\"\"\nx\n y\"\"\"", {1, 5}, 3, 3, 2},  // the first line end is no part of it
      {"a = \"\"\"\r\nx\r\ny\"\"\"", {1, 5}, 2, 3, 1},
      {"a = '''x\ny'''", {1, 5}, 2, 2, 1},
      {"a = \"\"\"x \\\n  \n  y\"\"\"", {1, 5}, 2, 3, 3},  // blanks behind a backslash are not
      {"a = 3", {1, 5}, 2, 1, 5},                          // no string
      {"a = \"x", {1, 5}, 9, 1, 7},                        // not closed
      {"a = \"x\"", {7, 5}, 0, 7, 5},                      // not there
      {"", {0, 0}, 0, 0, 0},
  };
  for (const auto& c : cases) {
    const Place at = place_in_string(c.text, c.quote, c.n);
    EXPECT_EQ(at.line, c.line) << c.text << ", byte " << c.n;
    EXPECT_EQ(at.column, c.column) << c.text << ", byte " << c.n;
  }
}

// The manual: its scenes load, and its tables are the description's.
std::string manual() {
  std::ifstream file(TRAMMEL_SOURCE_DIR "/docs/scene-format.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Scene, reads_formulas) {
  const LoadedScene scene = loaded(
      "format = 1\n[[body]]\nname = \"b\"\nmass = 1\nsphere = 1\n[[load]]\nname = \"f\"\nbody = "
      "\"b\"\n"
      "type = \"force\"\nforce = [{formula = \"20*sin(3*t)*exp(-1*t)\"}, {formula = \"3 "
      "[kN/s]*t\"}, "
      "0]\n");
  const law::Load& load = scene.built.model->loads[0];
  const Jet x = load.value[0].jet(0.7);
  const double s = std::sin(2.1), c = std::cos(2.1), e = 20 * std::exp(-0.7);
  EXPECT_DOUBLE_EQ(x.x, e * s);
  EXPECT_NEAR(x.v, e * (3 * c - s), 1e-12);
  EXPECT_NEAR(x.a, e * (-8 * s - 6 * c), 1e-12);
  EXPECT_DOUBLE_EQ(load.value[1].value(2), 6000);
}

/// Two hinges and two slides, and a coupling of the type and keys given.
std::string coupled(const std::string& keys) {
  std::string text = "format = 1\n";
  for (const char* name : {"p", "q"}) {
    text += fmt::format("[[body]]\nname = \"{0}\"\nmass = 1\nsphere = 1\n", name);
    text += fmt::format(
        "[[joint]]\nname = \"{0}_j\"\ntype = \"cylindrical\"\nb = \"{0}\"\nat = [0, 0, 0]\n", name);
  }
  return text + "[[coupling]]\nname = \"c\"\n" + keys;
}

TEST(Scene, reads_every_coupling) {
  struct {
    const char* keys;
    double a, b;  // h_i at zero
  } const cases[] = {
      {"type = \"gear\"\nof = [\"p_j.angle\", \"q_j.angle\"]\nteeth = [20, 50]", 1, 2.5},
      {"type = \"gear\"\nof = [\"p_j.angle\", \"q_j.angle\"]\nteeth = [20, 50]\ninternal = true", 1,
       -2.5},
      {"type = \"belt\"\nof = [\"p_j.angle\", \"q_j.angle\"]\nradii = [\"2 cm\", \"5 cm\"]", 1,
       -2.5},
      {"type = \"screw\"\nof = [\"p_j.travel\", \"p_j.angle\"]\npitch = \"5 mm\"", 1,
       -0.005 / (2 * M_PI)},
      {"type = \"rack\"\nof = [\"p_j.travel\", \"q_j.angle\"]\nradius = \"5 cm\"", 1, -0.05},
      {"type = \"pulley\"\nof = [\"p_j.travel\", \"q_j.travel\"]\nratio = 2", 1, 2},
      {"type = \"linear\"\nof = [\"p_j.travel\", \"q_j.travel\"]\ncoefficients = [3, -4]", 3, -4},
      {"type = \"cam\"\nof = [\"p_j.travel\", \"q_j.angle\"]\npolynomial = [0, 0.5, 2]", 1, -0.5},
      {"type = \"cam\"\nof = [\"p_j.travel\", \"q_j.angle\"]\npoints = [[-1, -2], [0, 0], [1, 2]]",
       1, -2}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.keys);
    const LoadedScene scene = loaded(coupled(c.keys));
    ASSERT_EQ(scene.built.model->couplings.size(), 1u);
    const double x[] = {0, 0};
    const joint::Coupled h = joint::evaluate(scene.built.model->couplings[0].h, x);
    EXPECT_DOUBLE_EQ(h.d[0], c.a);
    EXPECT_DOUBLE_EQ(h.d[1], c.b);
  }
  const LoadedScene clutch =
      loaded(coupled("type = \"gear\"\nof = [\"p_j.angle\", \"q_j.angle\"]\nteeth = [1, 1]\nlimits "
                     "= [\"-3 N m\", \"4 N m\"]"));
  const auto& m = *clutch.built.model;
  const auto& law =
      m.laws[static_cast<std::size_t>(m.rows[static_cast<std::size_t>(m.couplings[0].row)].law)]
          .law;
  const law::ConstraintSpec d =
      law.type->constraint(law, clutch.built.params.values.data() + law.first_param, 0);
  EXPECT_EQ(d.lo, -3);
  EXPECT_EQ(d.hi, 4);
}

TEST(SceneManual, every_scene_in_it_loads) {
  const std::string text = manual(), begin = "```toml\n";
  int scenes = 0;
  for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos; ++scenes) {
    at += begin.size();
    loaded(text.substr(at, text.find("```", at) - at));
  }
  EXPECT_GE(scenes, 5);
}

TEST(SceneManual, its_tables_are_those_of_the_reader) {
  const std::string text = manual(), begin = "<!-- keys -->\n", end = "<!-- end of keys -->";
  const std::size_t from = text.find(begin);
  ASSERT_NE(from, std::string::npos);
  const std::size_t first = from + begin.size();
  if (text.substr(first, text.find(end) - first) == key_reference()) return;
  std::ofstream(testing::TempDir() + "scene_keys.md") << key_reference();
  ADD_FAILURE() << "docs/scene-format.md: put " << testing::TempDir()
                << "scene_keys.md between the marks";
}

TEST(SceneManual, the_schema_names_every_section) {
  const std::string schema = json_schema();
  for (const char* word : {"\"force_max\"", "\"clothoid\"", "\"x_axis\"",
                           "\"$ref\": \"#/$defs/track.plan\"", "\"const\": \"spring\""})
    EXPECT_NE(schema.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace trammel::io::scene_test

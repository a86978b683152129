// No false alarm: every scene that is shipped or in the documents, and the same moved to the
// origin, a thousand kilometres away, and with other units of length, mass and time.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "io/scene.h"
#include "units/quantity.h"
#include "verify/verify.h"

namespace trammel::verify::moved_test {
namespace {

namespace fs = std::filesystem;
using units::Dimension;

std::string contents(const fs::path& file) {
  std::ostringstream out;
  out << std::ifstream(file).rdbuf();
  return out.str();
}

struct Named {
  std::string name, text;
};

/// Shipped scenes, and those of the documents that have bodies to move.
std::vector<Named> scenes() {
  std::vector<Named> out;
  const fs::path root = TRAMMEL_SOURCE_DIR;
  for (const auto& entry : fs::directory_iterator(root / "scenes"))
    if (entry.path().extension() == ".toml")
      out.push_back({entry.path().stem().string(), contents(entry.path())});
  for (const fs::path& page : {root / "README.md", root / "docs/scene-format.md"}) {
    const std::string text = contents(page), fence = "```toml\n";
    int n = 0;
    for (std::size_t at = 0; (at = text.find(fence, at)) != std::string::npos;) {
      at += fence.size();
      const std::string scene = text.substr(at, text.find("```", at) - at);
      ++n;
      if (scene.starts_with("format = 1") && scene.find("[[body]]") != std::string::npos)
        out.push_back({fmt::format("{}, scene {}", page.filename().string(), n), scene});
    }
  }
  return out;
}

struct Change {
  std::string name;
  Vec3 by = Vec3::Zero();  // moved [m]
  bool to_origin = false;  // by what takes the first body there
  double m = 1, kg = 1, s = 1;
  bool scales() const { return m != 1 || kg != 1 || s != 1; }
  double factor(const Dimension& d) const {
    return std::pow(m, d.m) * std::pow(kg, d.kg) * std::pow(s, d.s);
  }
};

const std::vector<Change>& changes() {
  static const std::vector<Change> kAll{
      {.name = "as it is"},
      {.name = "at the origin", .to_origin = true},
      {.name = "1e6 m away", .by = {1e6, -3e5, 0}},
      {.name = "lengths times 1e-3", .m = 1e-3},
      {.name = "lengths times 1e3", .m = 1e3},
      {.name = "masses times 1e-3", .kg = 1e-3},
      {.name = "masses times 1e3", .kg = 1e3},
      {.name = "times times 1e-3", .s = 1e-3},
      {.name = "times times 1e3", .s = 1e3},
  };
  return kAll;
}

const Change& far_away() { return changes()[2]; }

/// Of plain numbers, by their key; of texts the unit says it.
const std::map<std::string, Dimension, std::less<>>& dimensions() {
  using namespace units;
  constexpr Dimension kSecond = kTime, kOne = kRatio, kMoment = kMass * kLength.pow(2),
                      kPull = kMass * kAcceleration;
  static const std::map<std::string, Dimension, std::less<>> kAll{
      {"position", kLength},
      {"at", kLength},
      {"box", kLength},
      {"sphere", kLength},
      {"line", kLength},
      {"clothoid", kLength},  // elements of tracks
      {"arc", kLength},
      {"radius", kLength},
      {"height", kLength},
      {"length", kLength},
      {"cant_base", kLength},
      {"circle", kLength},
      {"constant", kLength},
      {"linear", kLength},
      {"s", kLength},
      {"com", kLength},
      {"mass", kMass},
      {"inertia", kMoment},
      {"velocity", kSpeed},
      {"angular_velocity", kOne / kSecond},
      {"gravity", kAcceleration},
      {"duration", kSecond},
      {"step", kSecond},
      {"output_step", kSecond},
      {"time", kSecond},
      {"joint_stiffness", kPull / kLength},
      {"stiffness", kPull / kArea},
      {"axis", kOne},
      {"normal", kOne},
      {"format", kOne},
      {"teeth", kOne},
      {"restitution", kOne},
      {"mu", kOne},
      {"static_mu", kOne},
      {"grade", kOne},
      {"gamma", kOne},
      {"to", kOne},
      {"orientation", kOne},
      {"x_axis", kOne},
      {"z_axis", kOne},
      {"accuracy", kOne},
      {"order", kOne},
      {"heading", kOne},
      {"quadratic", kMass / kLength},
      {"count", kOne},
  };
  return kAll;
}

class Changed {
 public:
  Changed(const std::string& text, const Change& change)
      : root_(toml::parse(text)), change_(change) {
    say_defaults();
    scale(root_, "");
    Vec3 by = change.by;
    if (change.to_origin) by = -first_place();
    if (!by.isZero()) move(by);
  }
  std::string text() const {
    std::ostringstream out;
    out << root_;
    return out.str();
  }

 private:
  static void set(toml::table& t, const char* key, double x) {
    if (!t.contains(key)) t.insert(key, x);
  }

  /// What is left out has a value with a dimension.
  void say_defaults() {
    if (!root_.contains("simulation")) root_.insert("simulation", toml::table{});
    toml::table& s = *root_["simulation"].as_table();
    set(s, "duration", 10);
    set(s, "step", 1e-3);
    set(s, "gravity", 9.81);
    if (s["formulation"].value_or(std::string()) == "energy" && !s.contains("gamma"))
      set(s, "joint_stiffness", 1e9);
    say_kinds("joint");
    say_kinds("body");
    each("track", [](toml::table& t) {
      if (t.contains("cant")) set(t, "cant_base", 1.5);
    });
    each("body", [](toml::table& b) {
      if (b["kind"].value_or(std::string()) == "affine") set(b, "stiffness", 1e8);
    });
  }

  /// Places that elements have by [defaults.family.kind].
  void say_kinds(const char* family) {
    const toml::node_view<toml::node> kinds = root_["defaults"][family];
    each(family, [&](toml::table& element) {
      if (const toml::table* of = kinds[element["type"].value_or(std::string())].as_table())
        for (auto&& [key, value] : *of) element.insert(key, value);
    });
  }

  static void each(toml::table& in, const char* element, const auto& f) {
    if (toml::array* list = in[element].as_array())
      for (toml::node& node : *list) f(*node.as_table());
  }
  void each(const char* element, const auto& f) { each(root_, element, f); }

  void scale(toml::node& node, const std::string& key) {
    if (toml::table* t = node.as_table()) {
      for (auto&& [k, v] : *t) scale(v, std::string(k.str()));
      for (auto&& [k, v] : *t) replace(*t, std::string(k.str()), v);
    } else if (toml::array* list = node.as_array()) {
      for (std::size_t i = 0; i < list->size(); ++i) {
        scale((*list)[i], key);
        if (const auto x = scaled((*list)[i], key))
          list->replace(list->cbegin() + static_cast<long>(i), *x);
      }
    }
  }
  void replace(toml::table& t, const std::string& key, const toml::node& node) {
    if (const auto x = scaled(node, key)) t.insert_or_assign(key, *x);
  }

  /// A number in SI of the new units; nothing where it is no quantity.
  std::optional<double> scaled(const toml::node& node, const std::string& key) const {
    if (key == "checkpoint_interval") return {};
    if (const auto* text = node.as_string()) {
      const std::string& s = text->get();
      if (s.empty() || (std::isdigit(static_cast<unsigned char>(s[0])) == 0 && s[0] != '-'))
        return {};
      Dimension d;
      const units::Quantity q = units::parse_quantity(s, &d);
      if (!q) return {};
      return q.si * change_.factor(d);
    }
    if (!node.is_number()) return {};
    const double x = node.value_or(0.0);
    if (x == 0 || !change_.scales()) return {};
    const auto it = dimensions().find(key);
    if (it == dimensions().end())
      throw std::runtime_error("put the dimension of '" + key + "' into the table of this test");
    const double factor = change_.factor(it->second);
    return factor == 1 ? std::nullopt : std::optional(x * factor);
  }

  static Vec3 vector(const toml::node_view<toml::node>& at) {
    Vec3 out = Vec3::Zero();
    if (const toml::array* list = at.as_array())
      for (int i = 0; i < 3; ++i) out[i] = list->get(static_cast<std::size_t>(i))->value_or(0.0);
    return out;
  }
  /// Numbers, or formulas of parameters.
  static void shift(toml::table& t, const char* key, const Vec3& by) {
    toml::array to;
    for (int i = 0; i < 3; ++i) {
      const toml::node_view<toml::node> x = t[key][static_cast<std::size_t>(i)];
      if (const auto* formula = x.as_string())
        to.push_back(fmt::format("({}) + ({:.17g} m)", formula->get(), by[i]));
      else
        to.push_back(x.value_or(0.0) + by[i]);
    }
    t.insert_or_assign(key, to);
  }

  Vec3 first_place() {
    Vec3 out = Vec3::Zero();
    bool first = true;
    each("body", [&](toml::table& b) {
      if (first && !b.contains("on_track")) out = vector(b["position"]);
      first = false;
    });
    return out;
  }

  void move(const Vec3& by) {
    move_elements(root_, by);
    each("track", [&](toml::table& t) { move_track(t, by); });
  }

  void move_elements(toml::table& in, const Vec3& by) {
    each(in, "body", [&](toml::table& b) {
      if (!b.contains("on_track")) shift(b, "position", by);
    });
    for (const char* held : {"joint", "bushing"})
      each(in, held, [&](toml::table& j) {
        if (j.contains("at")) shift(j, "at", by);
        if (on_ground(j) && !j.contains("track") && j.contains("frame_a"))
          shift(*j["frame_a"].as_table(), "position", by);
      });
    each(in, "law", [&](toml::table& l) {  // its ends are points of the axes it stands in
      for (const char* end : {"at", "at_a", "at_b"})
        if (l.contains(end)) shift(l, end, by);
    });
    each(in, "part", [&](toml::table& part) { shift(part, "position", by); });
    each(in, "repeat", [&](toml::table& r) { move_turns(r, by); });
  }
  static bool on_ground(toml::table& t) {
    return t["a"].value_or(std::string("ground")) == "ground";
  }

  /// Turns about an axis, which moves with all that goes round it, or one place after another.
  void move_turns(toml::table& repeat, const Vec3& by) {
    if (repeat.contains("position")) return shift(repeat, "position", by);
    if (toml::table* circle = repeat["circle"].as_table()) shift(*circle, "center", by);
    move_elements(repeat, by);
  }

  /// On the ground; one that lies on a body goes with that.
  void move_track(toml::table& t, const Vec3& by) {
    bool carried = false;
    each("joint", [&](toml::table& j) {
      carried |= j["track"].value_or(std::string()) == t["name"].value_or(std::string("?")) &&
                 j.contains("a");
    });
    if (carried) return;
    if (toml::array* chain = t["chain"].as_array())
      return shift(*chain->front().as_table(), "position", by);
    if (!t.contains("start")) t.insert("start", toml::table{});
    toml::table& start = *t["start"].as_table();
    start.insert_or_assign("x", start["x"].value_or(0.0) + by.x());
    start.insert_or_assign("y", start["y"].value_or(0.0) + by.y());
  }

  toml::table root_;
  Change change_;
};

bool has_formulas(const std::string& text) {
  for (const char* key : {"[parameters]", "formula =", "function ="})
    if (text.find(key) != std::string::npos) return true;
  return false;
}

/// Numbers whose dimension is that of their unit alone lose it where this test writes them in SI.
bool has_any_dimension(const std::string& text) {
  return text.find("[[input]]") != std::string::npos ||
         text.find("[[controller]]") != std::string::npos;
}

/// steps: of the scene, at most; 0: its whole duration.
class MovedScenes : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "trammel_moved_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Not resolved, and right to say so: by the energy formulation, which damps, or where the
  /// scene's own run is off by more than a hundredth of the mechanism.
  static bool steps_too_long(const Report& r) {
    const bool by_energy = std::all_of(r.unresolved.begin(), r.unresolved.end(),
                                       [&](const auto& u) { return r.series[u.series].by_energy; });
    return by_energy || (r.own_run && r.own_run->lost_from <= r.resolved_until());
  }

  void expect_agreement(const Named& scene, const Change& change, long steps) {
    SCOPED_TRACE(scene.name + ", " + change.name);
    std::string text;
    ASSERT_NO_THROW(text = Changed(scene.text, change).text());
    auto read = io::load_scene_text(text, scene.name);
    if (const auto* problems = std::get_if<io::SceneProblems>(&read)) {
      ADD_FAILURE() << io::to_text(problems->front());
      return;
    }
    auto& loaded = std::get<io::LoadedScene>(read);
    sim::Settings settings = loaded.scene.settings;
    if (steps > 0)
      settings.duration = std::min(settings.duration, static_cast<double>(steps) * settings.step);
    Report r = verify(loaded.built, settings, {.choose_horizon = false, .watch = {}});
    const fs::path file = folder_ / "a.h5";
    fs::remove(file);
    io::Header header;
    header.scene_text = text;
    check_results(loaded.built, settings, header, file.string(), r);
    std::string said;
    for (const std::string& f : r.findings) said += "\n" + f;
    EXPECT_TRUE(r.agrees() || (r.verdict() == Verdict::not_resolved && steps_too_long(r)))
        << r.status() << said;
  }

  void expect_agreement_of_all(long steps) {
    int n = 0, left_out = 0;
    for (const Named& scene : scenes())
      for (const Change& change : changes()) {
        if (has_any_dimension(scene.text)) continue;
        if (change.scales() && has_formulas(scene.text)) {
          ++left_out;
          fmt::print("left out: {}, {}: its formulas have units of their own\n", scene.name,
                     change.name);
          continue;
        }
        expect_agreement(scene, change, steps);
        ++n;
      }
    EXPECT_GE(n, 100) << left_out << " left out";
  }

  fs::path folder_;
};

TEST_F(MovedScenes, APendulumAgrees) {
  const Named pendulum{"pendulum", contents(TRAMMEL_SOURCE_DIR "/scenes/pendulum.toml")};
  for (const Change& change : changes()) expect_agreement(pendulum, change, 30);
}

/// What stands still far away has a speed that no step of its place can follow.
TEST_F(MovedScenes, ABufferAgreesAtRestFarAway) {
  for (const Named& scene : scenes())
    if (scene.text.find("name = \"buffer\"") != std::string::npos)
      expect_agreement(scene, far_away(), 0);
}

/// Newton's iterations end at rounding, which is far above its tolerance.
TEST_F(MovedScenes, SoftLinksEndTheirStepsFarAway) {
  const std::string text =
      Changed(contents(TRAMMEL_SOURCE_DIR "/scenes/soft_links.toml"), far_away()).text();
  auto read = io::load_scene_text(text, "soft_links");
  auto& loaded = std::get<io::LoadedScene>(read);
  loaded.scene.settings.duration = 1;
  loaded.scene.settings.form.joint_stiffness = law::kInf;
  sim::Simulation run(loaded.built, loaded.scene.settings);
  while (!run.finished() && run.advance()) continue;
  EXPECT_EQ(run.failure(), "");
  EXPECT_EQ(run.state().step, 4000);
}

class SlowMovedScenes : public MovedScenes {};
TEST_F(SlowMovedScenes, AllAgree) { expect_agreement_of_all(60); }

/// Through singular configurations for seconds: composed steps say nothing there, the others agree.
TEST_F(SlowMovedScenes, WindowsAgreeThroughSingularConfigurations) {
  const Named windows{"fourbar", contents(TRAMMEL_SOURCE_DIR "/scenes/fourbar.toml")};
  for (const Change& change : changes())
    if (change.name == "1e6 m away" || change.name == "lengths times 1e-3")
      expect_agreement(windows, change, 3000);
}

class FullMovedScenes : public MovedScenes {};
TEST_F(FullMovedScenes, AllAgreeForLonger) { expect_agreement_of_all(500); }

/// Whole durations, a scene a test.
class FullMovedScene : public MovedScenes, public testing::WithParamInterface<Named> {};
TEST_P(FullMovedScene, AgreesThroughout) {
  if (has_any_dimension(GetParam().text)) GTEST_SKIP() << "it would lose dimensions";
  for (const Change& change : changes())
    if (!change.scales() || !has_formulas(GetParam().text)) expect_agreement(GetParam(), change, 0);
}
INSTANTIATE_TEST_SUITE_P(All, FullMovedScene, testing::ValuesIn(scenes()), [](const auto& scene) {
  std::string name = scene.param.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

}  // namespace
}  // namespace trammel::verify::moved_test

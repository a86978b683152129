// Every key of every element, driven from the description of the format: in repetitions and parts,
// with braces, units and parameters, it makes the same model as written out by hand.
#include <gtest/gtest.h>

#include <cctype>

#include "io/scene.h"
#include "io/test_everywhere.h"
#include "sim/instruments.h"
#include "sim/simulation.h"

namespace trammel::io::scene_everywhere_test {
namespace {

using namespace scene_everywhere;

/// What elements name, before the element itself.
const std::vector<std::pair<const char*, std::vector<std::pair<const char*, Write>>>>& around() {
  const auto as = [](const char* text) -> Write { return [=](Style&) { return text; }; };
  const auto kind = [](const char* w) -> Write {
    return [=](Style& s) { return quoted(s.text(w)); };
  };
  const auto hinge =
      [&](const char* name, const char* b,
          const char* type) -> std::pair<const char*, std::vector<std::pair<const char*, Write>>> {
    return {"joint",
            {{"name", of_name(name)},
             {"type", kind(type)},
             {"b", of_name(b)},
             {"at", as("[0, 0, 0]")},
             {"axis", as("[0, 1, 0]")}}};
  };
  const auto ball =
      [&](const char* name,
          const char* at) -> std::pair<const char*, std::vector<std::pair<const char*, Write>>> {
    return {
        "body",
        {{"name", of_name(name)}, {"mass", as("1")}, {"sphere", as("0.1")}, {"position", as(at)}}};
  };
  static const std::vector<std::pair<const char*, std::vector<std::pair<const char*, Write>>>> all{
      {"track", {{"name", of_name("line")}, {"plan", as("[{line = 100}]")}}},
      {"material", {{"name", of_name("ice")}}},
      ball("bob", "[0, 0, -1]"),
      ball("cat", "[3, 0, -1]"),
      ball("dog", "[6, 0, -1]"),
      ball("emu", "[9, 0, -1]"),
      hinge("pin", "bob", "revolute"),
      hinge("peg", "cat", "revolute"),
      hinge("slide", "dog", "prismatic"),
      hinge("rail", "emu", "prismatic"),
      {"coupling",
       {{"name", of_name("gap")},
        {"type", kind("linear")},
        {"of",
         [](Style& s) {
           return fmt::format("[\"{}.{}\", \"{}.{}\"]", s.name("pin"), s.text("angle"),
                              s.name("peg"), s.text("angle"));
         }},
        {"coefficients", as("[1, -1]")}}}};
  return all;
}

std::string written(const std::string& family, const Lines& element, Style style,
                    const std::string& formulation) {
  const std::string inner = style.where == Style::Where::scene    ? ""
                            : style.where == Style::Where::repeat ? "repeat."
                            : style.where == Style::Where::part   ? "part."
                                                                  : "part.repeat.";
  std::string body;
  for (const auto& [of, keys] : around()) {
    body += fmt::format("[[{}{}]]\n", inner, of);
    for (const auto& [key, write] : keys) body += fmt::format("{} = {}\n", key, write(style));
  }
  body += fmt::format("[[{}{}]]\n{}\n", inner, family, fmt::join(element.write(style), "\n"));
  std::string parameters = "plain = 2\n", lists = "over = {w = [\"unused\"]";
  for (std::size_t i = 0; i < style.parameters.size(); ++i)
    parameters += fmt::format("P{} = {}\n", i, style.parameters[i]);
  for (std::size_t i = 0; i < style.texts.size(); ++i)
    lists += fmt::format(", w{} = [\"{}\"]", i, style.texts[i]);
  std::string head = fmt::format(
      "format = 1\n[simulation]\nduration = 0.003\nstep = 0.001\noutput_step = 0.001\nformulation "
      "= \"{}\"\n",
      formulation);
  if (!style.in_part()) head += "[parameters]\n" + parameters;
  if (style.in_part()) head += "[[part]]\nname = \"p\"\n[part.parameters]\n" + parameters;
  if (style.where == Style::Where::repeat) head += "[[repeat]]\n";
  if (style.where == Style::Where::both) head += "[[part.repeat]]\n";
  if (style.repeats()) head += lists + "}\nindex = \"k\"\n";
  return head + body;
}

std::string bare(std::string name) {
  for (std::size_t at = name.find("p."); at != name.npos; at = name.find("p.", at))
    if (at == 0 || !std::isalnum(static_cast<unsigned char>(name[at - 1])))
      name.erase(at, 2);
    else
      at += 2;
  return name;
}

/// Everything that a run of the scene depends on, and what it gives.
std::string model_of(const LoadedScene& s) {
  const model::Model& m = *s.built.model;
  std::string out;
  const auto add = [&](const auto&... each) { ((out += fmt::format("{} ", each)), ...); };
  const auto add_vector = [&](const Vec3& v) { add(v[0], v[1], v[2]); };
  for (const double x : s.built.params.values) add(x);
  for (const model::ParamBlock& b : m.param_blocks) add(bare(b.owner));
  for (const model::Object& o : m.objects) add(bare(o.name)), add_vector(o.com);
  for (const model::Joint& j : m.joints) {
    add(bare(j.name), j.object_A, j.object_B, j.track, j.coupling);
    add_vector(j.X_OA.p);
    add_vector(j.X_OB.p);
  }
  for (const model::LawOnRow& l : m.laws) add(bare(l.name), l.law.type->name, l.joint, l.row);
  for (const std::string& l : m.load_names) add(bare(l));
  for (const model::Input& i : m.inputs) add(bare(i.name), i.rest, i.least, i.most, i.unit);
  for (const auto& c : s.scene.controls)
    add(fmt::format("{}", fmt::join(c.keys, ",")), c.axis, c.rate, c.returns);
  for (const sim::ProbeSpec& p : s.scene.settings.probes) {
    add(bare(p.name), bare(p.body), bare(p.axes), bare(p.relative_to));
    add_vector(p.point);
  }
  for (const sim::PlotSpec& p : s.scene.settings.plots)
    add(bare(p.name), p.title, bare(p.x), bare(fmt::format("{}", fmt::join(p.y, ";"))));
  for (const model::ContactShape& shape : m.contacts.shapes) {
    add(shape.object, bare(shape.name), shape.material);
    add_vector(shape.X_OS.p);
    add_vector(shape.surface_velocity);
  }
  sim::Simulation run(s.built, s.scene.settings);
  for (int i = 0; i < 3 && run.advance(); ++i) {
  }
  for (const double x : run.state().q) add(x);
  for (const double x : run.state().P) add(x);
  for (const LiveValue& v : run.inputs()) add(v.x);
  if (run.instruments()) {
    run.instruments()->look();
    for (std::size_t i = 0; i < run.instruments()->count(); ++i)
      add(bare(s.scene.settings.sensors[i].name), run.instruments()->sensor(i),
          run.instruments()->unit(i), s.scene.settings.sensors[i].text);
  }
  return out;
}

/// The model, or what is wrong: the same words at whatever place.
struct Outcome {
  bool loads = false;
  std::string text;
};
Outcome outcome(const std::string& text) {
  auto loaded = load_scene_text(text, "x.toml");
  if (auto* s = std::get_if<LoadedScene>(&loaded)) return {true, model_of(*s)};
  std::string said;
  for (const SceneProblem& p : std::get<SceneProblems>(loaded)) said += bare(p.text) + "\n";
  return {false, said};
}

struct Count {
  std::size_t keys = 0, loaded = 0, refused = 0, scenes = 0;
};

/// Compares all ways to write an element with the one by hand.
void compare(const std::string& family, const Lines& lines, Count& count) {
  std::string formulation = "velocity";
  Outcome hand;
  for (const char* each : {"velocity", "acceleration", "energy"}) {
    const Outcome now = outcome(written(family, lines, {}, each));
    if (hand.text.empty() || now.loads) hand = now, formulation = each;
    if (hand.loads) break;
  }
  ++count.keys;
  ++(hand.loads ? count.loaded : count.refused);
  using Where = Style::Where;
  using Number = Style::Number;
  for (const auto& [where, number] : {std::pair{Where::scene, Number::unit},
                                      {Where::repeat, Number::plain},
                                      {Where::repeat, Number::unit},
                                      {Where::repeat, Number::parameter},
                                      {Where::part, Number::unit},
                                      {Where::both, Number::unit},
                                      {Where::both, Number::parameter}}) {
    const std::string text =
        written(family, lines, {.where = where, .number = number}, formulation);
    const Outcome now = outcome(text);
    ++count.scenes;
    EXPECT_EQ(now.loads, hand.loads) << lines.of << "\n" << now.text << hand.text << text;
    if (hand.loads && now.loads) {
      EXPECT_EQ(now.text, hand.text) << lines.of << "\n" << text;
    }
  }
}

/// What an element of a family has, if it has nothing else.
std::set<std::string> usual(const std::string& family) {
  const std::map<std::string, std::set<std::string>> all{
      {"body", {"mass", "sphere"}}, {"joint", {"at"}},      {"bushing", {"at", "stiffness"}},
      {"law", {"joint"}},           {"controller", {"kp"}}, {"load", {"force"}}};
  const auto it = all.find(family);
  return it == all.end() ? std::set<std::string>() : it->second;
}

void compare_all(const std::string& family, const Target& target, Count& count) {
  const Family& f = *scene_family().tables[0].key(family)->form.each[0].family;
  for (const Table& t : f.tables)
    for (const Lines& l : lines_of(family, t, target, usual(family))) compare(family, l, count);
}

/// Most keys that are refused need another one beside them that only a model of its own gives; they
/// must be refused alike.
void report(const Count& c, std::size_t least_loaded) {
  EXPECT_GE(c.loaded, least_loaded);
  EXPECT_EQ(c.scenes, 7 * c.keys);
  testing::Test::RecordProperty("keys", static_cast<int>(c.keys));
  fmt::print("{} keys and variants, {} of them load, {} are refused alike; {} scenes compared\n",
             c.keys, c.loaded, c.refused, c.scenes);
}

TEST(SceneEverywhere, LawsOnCoordinatesCouplingsAndBetweenPoints) {
  Count count;
  compare_all("law", {}, count);
  compare_all("law", on_slide(), count);
  compare_all("law",
              {"gap", "value", dimension_in(joint::coupling_table(joint::Unit::radian), "value")},
              count);
  report(count, 200);
}

TEST(SceneEverywhere, AllOtherElements) {
  Count count;
  for (const Key& key : scene_family().tables[0].keys)
    if (is_elements(key) && key.name != "law" && key.name != "part" && key.name != "repeat")
      compare_all(key.name, {}, count);
  report(count, 650);
}

}  // namespace
}  // namespace trammel::io::scene_everywhere_test

// Every key of the format given a value of every kind: what the key does not take is a complaint at
// its place, and nothing is anything worse than a complaint.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "io/scene.h"
#include "io/scene_forms.h"

namespace trammel::io::scene_kinds_test {
namespace {

using Kind = Form::Kind;

struct Sample {
  const char* text;
  enum class Type : unsigned char { flag, integer, real, text, list, table, time } type;
};
constexpr Sample kSamples[] = {
    {"true", Sample::Type::flag},
    {"2", Sample::Type::integer},
    {"-3", Sample::Type::integer},
    {"9223372036854775807", Sample::Type::integer},
    {"-0.5", Sample::Type::real},
    {"1e300", Sample::Type::real},
    {"nan", Sample::Type::real},
    {"inf", Sample::Type::real},
    {"\"x\"", Sample::Type::text},
    {"\"\"", Sample::Type::text},
    {"\".\"", Sample::Type::text},
    {"\"1e400 m\"", Sample::Type::text},
    {"\"x.y.z\"", Sample::Type::text},
    {"[]", Sample::Type::list},
    {"[1]", Sample::Type::list},
    {"[1, 2, 3]", Sample::Type::list},
    {"[0, 0, 0]", Sample::Type::list},
    {"[\"x\"]", Sample::Type::list},
    {"[\"x\", \"x\"]", Sample::Type::list},
    {"[[1, 2], [3, 4]]", Sample::Type::list},
    {"[1, \"x\", [true]]", Sample::Type::list},
    {"[{}]", Sample::Type::list},
    {"[{x = 1}, {x = 1}]", Sample::Type::list},
    {"{}", Sample::Type::table},
    {"{x = 1}", Sample::Type::table},
    {"1979-05-27T07:32:00Z", Sample::Type::time},
};

/// Whether a form may take a value of a type; said here anew, apart from the reader.
bool may_take(const Form& form, Sample::Type type) {
  using T = Sample::Type;
  const bool number = type == T::integer || type == T::real;
  switch (form.kind) {
    case Kind::flag:
      return type == T::flag;
    case Kind::integer:
      return type == T::integer;
    case Kind::text:
    case Kind::color:
    case Kind::name:
    case Kind::force:
    case Kind::profile:
      return type == T::text;
    case Kind::motion:
    case Kind::placing:
    case Kind::quantity:
    case Kind::measured:
      return number || type == T::text;
    case Kind::parameter:
      return number || type == T::text || (form.family && type == T::table);
    case Kind::signal:
    case Kind::drive:
      return number || type == T::text || type == T::table;
    case Kind::list:
      return type == T::list || (form.each[0].kind == Kind::text && type == T::text);
    case Kind::direction:
      return type == T::list;
    case Kind::items:
      return type == T::list;
    case Kind::map:
    case Kind::table:
    case Kind::partial:
      return type == T::table;
  }
  return false;
}

std::string table_text(const Family& family, const Table& table, const Key* but,
                       const std::string& value, int depth);

/// Something that the form takes, for keys that must be there.
std::string taken(const Form& form, int depth) {
  switch (form.kind) {
    case Kind::flag:
      return "true";
    case Kind::integer:
      return form.choices.front();
    case Kind::text:
      return fmt::format("\"{}\"", form.choices.empty() ? "x" : form.choices.front());
    case Kind::color:
      return "\"#0072b2\"";
    case Kind::name:
      return "\"x\"";
    case Kind::force:
    case Kind::profile:
      return "\"x\"";
    case Kind::motion:
    case Kind::placing:
    case Kind::quantity:
    case Kind::measured:
    case Kind::parameter:
    case Kind::signal:
    case Kind::drive:
      return "1";
    case Kind::direction:
      return "[0, 0, 1]";
    case Kind::list: {
      const std::size_t n = form.counts.empty() ? 1 : form.counts.front();
      return fmt::format("[{}]",
                         fmt::join(std::vector<std::string>(n, taken(form.each[0], depth)), ", "));
    }
    case Kind::items:
      return "[1]";
    case Kind::map:
    case Kind::partial:
      return "{}";
    case Kind::table:
      return table_text(*form.family, form.family->tables.front(), nullptr, "", depth + 1);
  }
  return "{}";
}

/// An inline table with what it needs, and with `value` for the key `but`.
std::string table_text(const Family& family, const Table& table, const Key* but,
                       const std::string& value, int depth) {
  std::vector<std::string> entries;
  if (!table.tag.empty() && !table.value.empty() && !(but && but->name == table.tag))
    entries.push_back(fmt::format("{} = \"{}\"", table.tag, table.value));
  std::vector<std::string> there;
  for (const Key& key : table.keys) {
    const bool needed =
        key.fallback == kRequired || (table.value.empty() && key.name == table.tag) ||
        (&family == &repeat_family() && key.name == "count" && !(but && but->name == "over"));
    if (&key == but || (but && key.name == but->name) || key.name == "format" || depth > 6)
      continue;
    if (!needed || (key.name == table.tag && !table.value.empty())) continue;
    if (std::find(there.begin(), there.end(), key.name) != there.end()) continue;
    there.push_back(key.name);
    entries.push_back(fmt::format("{} = {}", key.name, taken(key.form, depth)));
  }
  if (but) entries.push_back(fmt::format("{} = {}", but->name, value));
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

/// Calls f(table, wrap) for every table of the format once; wrap puts its text into a whole scene.
using Wrap = std::function<std::string(const std::string&)>;
void each_table(const std::function<void(const Family&, const Table&, const Wrap&)>& f) {
  std::vector<const Family*> seen;
  const std::function<void(const Family&, const Wrap&)> visit = [&](const Family& family,
                                                                    const Wrap& wrap) {
    if (std::find(seen.begin(), seen.end(), &family) != seen.end()) return;
    seen.push_back(&family);
    for (const Table& table : family.tables) {
      f(family, table, wrap);
      for (const Key& key : table.keys) {
        std::function<std::string(const std::string&)> value = [](const std::string& t) {
          return t;
        };
        const Form* form = &key.form;
        for (; form->kind == Kind::list || form->kind == Kind::map; form = &form->each[0]) {
          const bool is_list = form->kind == Kind::list;
          const std::size_t n = form->counts.empty() ? 1 : form->counts.front();
          value = [value, is_list, n](const std::string& t) {
            return value(is_list ? fmt::format("[{}]", fmt::join(std::vector(n, t), ", "))
                                 : fmt::format("{{x = {}}}", t));
          };
        }
        const Wrap inner = [&family, &table, &key, value, wrap](const std::string& text) {
          return wrap(table_text(family, table, &key, value(text), 0));
        };
        if (form->family) visit(*form->family, inner);
        if (form->kind == Kind::drive) visit(drive_family(), inner);
        if (form->kind == Kind::signal || form->kind == Kind::drive) visit(signal_family(), inner);
      }
    }
  };
  // the whole file is no inline table: its keys stand one a line
  visit(scene_family(), [](const std::string& text) { return text; });
}

/// "{a = 1, b = 2}" of the outermost table as a file; commas within brackets and quotes stay.
std::string as_file(const std::string& table) {
  std::string out = "format = 1\n";
  int depth = 0;
  bool quoted = false;
  for (const char c : table.substr(1, table.size() - 2)) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ']' || c == '}')) --depth;
    out += c == ',' && depth == 0 && !quoted ? '\n' : c;
  }
  return out + "\n";
}

TEST(SceneKinds, EveryKeyOfEveryTableTakesOrRefusesEveryKind) {
  long keys = 0, scenes = 0;
  each_table([&](const Family& family, const Table& table, const Wrap& wrap) {
    for (const Key& key : table.keys) {
      if (key.name == "format") continue;
      ++keys;
      for (const Sample& sample : kSamples) {
        const std::string text = as_file(wrap(table_text(family, table, &key, sample.text, 0)));
        SCOPED_TRACE(text);
        ++scenes;
        const auto result = load_scene_text(text, "s.toml");
        const bool takes = std::any_of(table.keys.begin(), table.keys.end(), [&](const Key& k) {
          return k.name == key.name && may_take(k.form, sample.type);
        });
        const auto* problems = std::get_if<SceneProblems>(&result);
        if (takes || ::testing::Test::HasFailure()) continue;
        ASSERT_NE(problems, nullptr);
        EXPECT_TRUE(std::any_of(problems->begin(), problems->end(), [&](const SceneProblem& p) {
          return p.path.find(key.name) != std::string::npos;
        })) << to_text(problems->front());
      }
    }
  });
  EXPECT_GT(keys, 250);  // the format has so many
  EXPECT_GT(scenes, 6000);
}

/// Lists that are counted are not to be had by a text that stands for one.
TEST(SceneKinds, ATextIsNoListOfTwo) {
  const std::string scene =
      "format = 1\n[[body]]\nname = \"a\"\nmass = 1\nsphere = 1\n[[joint]]\nname = \"x\"\n"
      "type = \"revolute\"\nb = \"a\"\nat = [0, 0, 0]\n[[coupling]]\nname = \"c\"\n";
  for (const char* kind : {"type = \"gear\"\nteeth = [1, 2]\n", "type = \"belt\"\nradii = [1, 2]\n",
                           "type = \"screw\"\npitch = 1\n", "type = \"rack\"\nradius = 1\n",
                           "type = \"pulley\"\n", "type = \"cam\"\npolynomial = [1, 2]\n"}) {
    const auto result = load_scene_text(scene + kind + "of = \"x\"\n", "s.toml");
    const auto* problems = std::get_if<SceneProblems>(&result);
    ASSERT_NE(problems, nullptr) << kind;
    EXPECT_NE(problems->front().text.find("found the text \"x\""), std::string::npos)
        << to_text(problems->front());
  }
}

}  // namespace
}  // namespace trammel::io::scene_kinds_test

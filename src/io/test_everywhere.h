#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/scene_forms.h"
#include "io/scene_walk.h"

/// Texts of elements for every key that the format describes, in all the ways in which their names,
/// texts and numbers can be written.
namespace trammel::io::scene_everywhere {

using Kind = Form::Kind;
using units::Dimension;

constexpr double kSome = 0.25;

/// How a scene is written, and what its texts and numbers need around them.
struct Style {
  enum class Where { scene, repeat, part, both } where = Where::scene;
  enum class Number { plain, unit, parameter } number = Number::plain;
  std::vector<std::string> texts = {}, parameters = {};

  bool repeats() const { return where == Where::repeat || where == Where::both; }
  bool in_part() const { return where == Where::part || where == Where::both; }
  std::string name(const std::string& word) const { return word + (repeats() ? "{k}" : "0"); }
  std::string text(const std::string& word) {
    if (!repeats()) return word;
    texts.push_back(word);
    return fmt::format("{{w{}}}", texts.size() - 1);
  }
  std::string quantity(double x, const Dimension& d) {
    if (number == Number::plain) return fmt::format("{}", x);
    std::string unit = units::symbol(d);
    std::replace(unit.begin(), unit.end(), ' ', '*');  // as formulas write it, too
    const std::string in_unit = fmt::format("\"{}{}{}\"", x, unit.empty() ? "" : " ", unit);
    if (number == Number::unit) return in_unit;
    parameters.push_back(in_unit);
    return fmt::format("\"P{}\"", parameters.size() - 1);
  }
};

inline std::string quoted(const std::string& text) { return '"' + text + '"'; }

/// The dimension that the reader finds for a coordinate of a joint.
inline Dimension dimension_in(const joint::Table& table, const std::string& coordinate) {
  return dimension_of(table, coordinate).value_or(Dimension());
}

/// The joint and coordinate that an element is about.
struct Target {
  std::string law = "pin", coordinate = "angle";
  Dimension x = dimension_in(*joint::find_table("revolute"), "angle");
};
inline Target on_slide() {
  return {"slide", "travel", dimension_in(*joint::find_table("prismatic"), "travel")};
}
/// The distance of two points, which is its own joint.
inline Target between_points() { return {"", "", dimension_in(joint::distance_table(), "")}; }

using Write = std::function<std::string(Style&)>;

/// Values of keys that are not as good as any other.
inline std::optional<Write> special(const std::string& key, const Target& target) {
  const auto names = [](std::vector<std::string> words, std::string tail = "") -> Write {
    return [=](Style& s) {
      std::vector<std::string> out;
      for (const std::string& w : words) {
        const auto dot = w.find('.');
        out.push_back(quoted(s.name(w.substr(0, dot)) +
                             (dot == w.npos ? tail : "." + s.text(w.substr(dot + 1)))));
      }
      return fmt::format("[{}]", fmt::join(out, ", "));
    };
  };
  const auto word = [](std::string w) -> Write {
    return [=](Style& s) { return quoted(s.text(w)); };
  };
  const auto number = [](double x, Dimension d) -> Write {
    return [=](Style& s) { return s.quantity(x, d); };
  };
  const auto by_row = [](std::string row, Dimension d, bool two) -> Write {
    return [=](Style& s) {
      const std::string x = s.quantity(kSome, d);
      const std::string value = two ? fmt::format("[{}, {}]", s.quantity(-kSome, d), x) : x;
      return fmt::format("{{\"{}\" = {}}}", s.text(row), value);
    };
  };
  const std::map<std::string, Write> all{
      {"law.coordinate", word(target.coordinate)},
      {"law.from", number(-kSome, target.x)},
      {"law.force_min", number(-kSome, dimension_of(Of::force, target.x))},
      {"law.value", number(0, target.x)},
      {"law.load", [](Style& s) { return quoted(s.name("screw")); }},
      {"joint.type", word("revolute")},
      {"joint.start", by_row("angle", units::kAngle, false)},
      {"joint.rate", by_row("angle", units::kAngle / units::kTime, false)},
      {"joint.limits", by_row("Ax.D", units::kForce, true)},
      {"joint.value", by_row("Ax.D", units::kLength, false)},
      {"joint.unilateral", [](Style& s) { return fmt::format("[\"{}\"]", s.text("Ax.D")); }},
      {"joint.rows", [](Style& s) { return fmt::format("[\"Ax.D\", \"{}\"]", s.text("Ay.D")); }},
      {"joint.terms", [](Style& s) { return fmt::format("[\"{}\"]", s.text("D")); }},
      {"joint.coordinates",
       [](Style& s) { return fmt::format("[\"down = {}\"]", s.text("Az.D")); }},
      {"bushing.start", by_row("x", units::kLength, false)},
      {"bushing.rate", by_row("x", units::kSpeed, false)},
      {"coupling.gear.of", names({"pin.angle", "peg.angle"})},
      {"coupling.belt.of", names({"pin.angle", "peg.angle"})},
      {"coupling.screw.of", names({"slide.travel", "pin.angle"})},
      {"coupling.rack.of", names({"slide.travel", "pin.angle"})},
      {"coupling.pulley.of", names({"slide.travel", "rail.travel"})},
      {"coupling.cam.of", names({"slide.travel", "pin.angle"})},
      {"coupling.linear.of", names({"pin.angle"})},
      {"coupling.limits",
       [target](Style& s) {
         const Dimension f = dimension_of(Of::force, target.x);
         return fmt::format("[{}, {}]", s.quantity(-kSome, f), s.quantity(kSome, f));
       }},
      {"coupling.points", [](Style&) { return "[[0, 0], [1, 0.5], [2, 3]]"; }},
      {"no_contact.between", names({"bob", "cat"})},
      {"contact_pair.between", names({"bob", "cat"})},
      {"contact.between", names({"ice", "ice"})},
      {"body.electric", [](Style& s) { return fmt::format("[\"{}\"]", s.text("red")); }},
      {"system.electric", [](Style& s) { return fmt::format("[\"{}\"]", s.text("red")); }},
      {"system.coordinate.name", word("u")},
      {"system.object.name", word("rod")},
      {"system.force.coordinate", word("u")},
      {"system.object.on", word("rod")},
      {"input.keys", [](Style& s) { return fmt::format("[\"{}\"]", s.text("q")); }},
      {"input.from", number(-1, units::kRatio)},
      {"input.to", number(1, units::kRatio)},
      {"input.unit", word("m")},
      {"sensor.unit", word("rad")},
      {"controller.unit", word("rad")},
      {"controller.kp", number(kSome, units::kRatio)},
      {"controller.ki", number(kSome, units::kRatio / units::kTime)},
      {"controller.kd", number(kSome, units::kTime)},
      {"controller.limits",
       [](Style& s) {
         return fmt::format("[{}, {}]", s.quantity(-kSome, {}), s.quantity(kSome, {}));
       }},
      {"plot.x", [](Style& s) { return quoted(s.name("pin") + "." + s.text("angle")); }},
      {"material.name", [](Style& s) { return quoted(s.name("own")); }},
  };
  const auto it = all.find(key);
  return it == all.end() ? std::nullopt : std::optional(it->second);
}

inline std::vector<Write> variants(const std::string& key, const Form& form, const Target& target);

/// The keys of a table that go together with one of them, which may be none.
inline std::vector<const Key*> chosen(const Table& table, const Key* key,
                                      const std::set<std::string>& usual) {
  std::set<std::string> in;
  if (key) in.insert(key->name);
  for (const Key& k : table.keys)
    if (k.fallback == kRequired || usual.contains(k.name)) in.insert(k.name);
  const auto kept = [&](const std::string& k) {
    return (key && k == key->name) || table.key(k)->fallback == kRequired;
  };
  for (int round = 0; round < 5; ++round)
    for (const Rule& r : table.rules) {
      std::vector<std::string> there;
      for (const std::string& k : r.keys)
        if (in.contains(k)) there.push_back(k);
      if (r.kind == Rule::Kind::needs) {
        if (there.size() == 1 && there[0] == r.keys[0]) in.insert(r.keys[1]);
      } else if (there.empty() && r.kind != Rule::Kind::at_most_one) {
        in.insert(r.keys[0]);
      } else if (there.size() > 1 && r.kind != Rule::Kind::any) {
        for (const std::string& k : there)
          if (!kept(k)) in.erase(k);
      }
    }
  std::vector<const Key*> out;
  for (const Key& k : table.keys)
    if (in.contains(k.name) && (out.empty() || out.back()->name != k.name)) out.push_back(&k);
  return out;
}

/// What an element with these keys is about: where it is its own joint, that.
inline Target target_of(const std::string& family, const Table& table,
                        const std::vector<const Key*>& keys, const Target& target) {
  const auto is_end = [](const Key* k) { return k->name == "b"; };
  if (family == "law" && std::any_of(keys.begin(), keys.end(), is_end)) return between_points();
  const std::set<std::string> of_travels{"screw", "rack", "pulley", "cam"};
  return family == "coupling" && of_travels.contains(table.value) ? on_slide() : target;
}

/// One text of a table, as "key = value" each, for every variant of every key of it.
struct Lines {
  std::string of;  // table and key
  std::function<std::vector<std::string>(Style&)> write;
};
inline std::vector<Lines> lines_of(const std::string& family, const Table& table,
                                   const Target& target, const std::set<std::string>& usual) {
  const std::string tag = table.value.empty() ? "" : "." + table.value;
  const auto all = [&](const Key& k, const Target& about) {
    if (!table.value.empty() && k.name == table.tag)
      return std::vector<Write>{[value = table.value](Style& s) { return quoted(s.text(value)); }};
    if (auto w = special(family + tag + "." + k.name, about)) return std::vector{*w};
    if (auto w = special(family + "." + k.name, about)) return std::vector{*w};
    return variants(family + "." + k.name, k.form, about);
  };
  std::vector<Lines> out;
  for (const Key& key : table.keys) {
    const std::vector<const Key*> keys = chosen(table, &key, usual);
    const Target about = target_of(family, table, keys, target);
    for (const Write& write : all(key, about)) {
      std::vector<std::pair<std::string, Write>> fields;
      for (const Key* k : keys)
        fields.emplace_back(k->name, k->name == key.name ? write : all(*k, about).front());
      out.push_back({family + tag + "." + key.name, [fields](Style& s) {
                       std::vector<std::string> lines;
                       for (const auto& [name, w] : fields) lines.push_back(name + " = " + w(s));
                       return lines;
                     }});
    }
  }
  return out;
}

inline Write of_name(const std::string& word, const std::string& tail = "") {
  return [=](Style& s) { return quoted(s.name(word) + (tail.empty() ? "" : "." + s.text(tail))); };
}

inline Write reference(Refers to, const Target& target) {
  switch (to) {
    case Refers::body:
      return of_name("bob");
    case Refers::joint:
      return of_name(target.law);
    case Refers::coordinate:
    case Refers::channel:
      return of_name("pin", "angle");
    case Refers::track:
      return of_name("line");
    case Refers::material:
      return of_name("ice");
    default:
      return [](Style& s) { return quoted(s.text("word")); };
  }
}

/// Values of a form: of a table one for each of its keys.
inline std::vector<Write> variants(const std::string& key, const Form& form, const Target& target) {
  const Dimension d = form.of == Of::fixed ? form.dimension
                      : form.of == Of::any ? Dimension()
                                           : dimension_of(form.of, target.x);
  const auto fixed = [](std::string text) -> std::vector<Write> {
    return {[=](Style&) { return text; }};
  };
  switch (form.kind) {
    case Kind::flag:
      return fixed("true");
    case Kind::integer:
      return fixed(form.choices.back());
    case Kind::text:
      if (form.refers != Refers::nothing) return {reference(form.refers, target)};
      return {[w = form.choices.empty() ? "word" : form.choices.back()](Style& s) {
        return quoted(s.text(w));
      }};
    case Kind::color:
      return {[](Style& s) { return quoted(s.text("orange")); }};
    case Kind::name:
      return {of_name("own")};
    case Kind::quantity:
    case Kind::parameter:
    case Kind::signal:
    case Kind::drive:
    case Kind::motion:
      return {[=](Style& s) { return s.quantity(kSome, d); }};
    case Kind::placing:
      return {[=](Style& s) { return s.quantity(kSome, form.of == Of::any ? Dimension() : d); }};
    case Kind::direction:
      return {[](Style& s) { return fmt::format("[0, {}, 0]", s.quantity(1, units::kLength)); }};
    case Kind::force:
      return {[](Style& s) {
        return fmt::format("\"-{}*x\"", s.number == Style::Number::parameter ? "plain" : "2");
      }};
    case Kind::profile:
      return {[](Style& s) {
        return fmt::format("\"{}*x^2\"", s.number == Style::Number::parameter ? "plain" : "2");
      }};
    case Kind::measured:
      return {of_name("pin", "angle")};
    case Kind::list: {
      std::vector<Write> out;
      const std::size_t n = form.counts.empty() ? 1 : form.counts.front();
      for (const Write& each : variants(key, form.each[0], target))
        out.push_back([=](Style& s) {
          std::vector<std::string> items;
          for (std::size_t i = 0; i < n; ++i) items.push_back(each(s));
          return fmt::format("[{}]", fmt::join(items, ", "));
        });
      return out;
    }
    case Kind::map: {
      std::vector<Write> out;
      for (const Write& each : variants(key, form.each[0], target))
        out.push_back([=](Style& s) {
          const std::string value = each(s);
          return fmt::format("{{\"{}\" = {}}}", s.text("ab"), value);
        });
      return out;
    }
    case Kind::table: {
      std::vector<Write> out;
      for (const Table& t : form.family->tables)
        for (const Lines& l : lines_of(key, t, target, {}))
          out.push_back(
              [w = l.write](Style& s) { return fmt::format("{{{}}}", fmt::join(w(s), ", ")); });
      return out;
    }
    case Kind::partial:
    case Kind::items:
      break;
  }
  return fixed("0");
}

}  // namespace trammel::io::scene_everywhere

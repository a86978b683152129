// Values by their form.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "io/scene_hints.h"
#include "io/scene_walk.h"
#include "model/shape.h"
#include "units/nearest.h"
#include "units/quantity.h"

namespace trammel::io {

using Kind = Form::Kind;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::optional<double> infinite(std::string_view text) {
  if (text == "inf" || text == "+inf") return kInfinity;
  if (text == "-inf") return -kInfinity;
  return {};
}

}  // namespace

bool is_name(std::string_view name) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || static_cast<unsigned char>(c) >= 0x80;
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), good);
}

namespace {

struct Restore {  // of a member at the end of a scope
  std::optional<units::Dimension>& member;
  std::optional<units::Dimension> before = member;
  ~Restore() { member = before; }
};

}  // namespace

std::string type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return node.is_array_of_tables() ? "an array of tables" : "a list";
    case toml::node_type::string:
      return fmt::format("the text \"{}\"", **node.as_string());
    case toml::node_type::integer:
      return fmt::format("the number {}", **node.as_integer());
    case toml::node_type::floating_point:
      return fmt::format("the number {}", **node.as_floating_point());
    case toml::node_type::boolean:
      return **node.as_boolean() ? "true" : "false";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time:
      return "a date or time";
    case toml::node_type::none:
      break;
  }
  return "nothing";
}

Value Walker::read(const toml::node& node, const Form& form, const std::string& path) {
  Value out;
  out.path = path;
  out.given = true;
  out.place = place_of(node.source());
  findings_.origins.places.try_emplace(path, out.place);
  switch (form.kind) {
    case Kind::flag:
      if (is(node, toml::node_type::boolean, form, path)) out.flag = **node.as_boolean();
      break;
    case Kind::integer:
    case Kind::text:
    case Kind::color:
    case Kind::name:
      read_text(node, form, out);
      break;
    case Kind::quantity:
      read_quantity(node, form, out);
      break;
    case Kind::parameter:
      read_parameter(node, form, out);
      break;
    case Kind::force:
    case Kind::profile:
    case Kind::motion:
      read_formula(node, form, out);
      break;
    case Kind::placing:
      read_placing(node, form, out);
      break;
    case Kind::measured:
      read_measured(node, out);
      break;
    case Kind::direction:
      read_direction(node, out);
      break;
    case Kind::signal:
    case Kind::drive:
      read_signal(node, form, out);
      break;
    case Kind::list:
      read_list(node, form, out);
      break;
    case Kind::map:
      read_map(node, form, out);
      break;
    case Kind::partial:
      read_defaults(node, out);
      break;
    case Kind::items:
      read_items(node, form, out);
      break;
    case Kind::table:
      if (is(node, toml::node_type::table, form, path))
        return read_table(*node.as_table(), *form.family, path);
      out.sound = false;
  }
  return out;
}

/// The text of a node with its braces filled in. Nothing: complained.
std::optional<std::string> Walker::text_of(const toml::node& node, const std::string& path) {
  return expand(**node.as_string(), *scope_, path, place_of(node.source()), findings_);
}

void Walker::read_text(const toml::node& node, const Form& form, Value& out) {
  const bool integer = form.kind == Kind::integer;
  if (!is(node, integer ? toml::node_type::integer : toml::node_type::string, form, out.path))
    return;
  out.text = integer ? fmt::format("{}", **node.as_integer()) : **node.as_string();
  const bool own_name = form.kind == Kind::name && element_ && out.path == element_->path + ".name";
  if (!integer && !form.literal && !own_name) {  // an own name was filled in where it was unfolded
    auto whole = text_of(node, out.path);
    if (!whole) return;
    out.text = std::move(*whole);
  }
  if (form.kind == Kind::name) return read_name(node, out);
  if (form.kind == Kind::color) return read_color(node, out);
  if (form.refers != Refers::nothing) return read_reference(form, out);
  if (form.choices.empty()) return;
  if (std::find(form.choices.begin(), form.choices.end(), out.text) != form.choices.end()) return;
  const auto meant = integer ? std::nullopt : units::nearest(out.text, form.choices);
  std::string hint = element_ && element_->family && out.path == element_->path + ".type"
                         ? hint_for(out.text, element_->family->name + ".type")
                         : "";
  if (hint.empty() && meant) hint = fmt::format("; did you mean '{}'?", *meant);
  complain(node, out.path,
           fmt::format("'{}' is not known here{}; known: {}", out.text, hint,
                       fmt::join(form.choices, ", ")));
}

void Walker::read_color(const toml::node& node, Value& out) {
  if (std::string wrong = model::wrong_color(out.text); !wrong.empty())
    complain(node, out.path, std::move(wrong));
}

/// Of an element the name is its full one, unless it is known only where it stands.
void Walker::read_name(const toml::node& node, Value& out) {
  const bool own = element_ && out.path == element_->path + ".name";
  const std::size_t prefix = own ? scope_->prefix.size() : 0;
  const bool broken =
      own && element_->name.size() <= prefix && out.text.find('{') != std::string::npos;
  if (broken) return;  // complained of where it was unfolded
  if (own) out.text = element_->name;
  if (!is_name(std::string_view(out.text).substr(prefix)))
    complain(
        node, out.path,
        fmt::format("'{}': a name is made of letters, digits, _ and -", out.text.substr(prefix)));
}

void Walker::read_reference(const Form& form, Value& out) {
  if (form.refers == Refers::words) return;
  const std::string text = std::move(out.text);
  if (form.refers != Refers::channel) {
    out.text = names_.find(form.refers, text, *scope_);
    return;
  }
  out.text.clear();
  for (std::size_t at = 0; at <= text.size();) {  // several, between commas
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::size_t begin = at;
    while (begin < end && text[begin] == ' ') out.text += text[begin++];
    out.text += names_.find(Refers::channel, text.substr(begin, end - begin), *scope_);
    if (end < text.size()) out.text += ',';
    at = end + 1;
  }
}

/// Numbers, formulas or texts; what is no number of these is a text.
void Walker::read_items(const toml::node& node, const Form& form, Value& out) {
  if (!is(node, toml::node_type::array, form, out.path)) return;
  for (const toml::node& each : *node.as_array()) {
    Value& item = out.items.emplace_back();
    item.path = fmt::format("{}[{}]", out.path, out.items.size() - 1);
    item.given = true;
    item.place = place_of(each.source());
    if (each.is_string()) {
      if (const auto text = text_of(each, item.path)) scope_->formulas.read_item(*text, item);
    } else if (const auto n = each.is_number() ? each.value<double>() : std::nullopt) {
      item.number = *n;
    } else {
      complain(each, item.path,
               fmt::format("found {}, a quantity or a text is needed", type_name(each)));
    }
  }
}

std::optional<units::Dimension> Walker::measure(const Form& form) const {
  if (form.of == Of::fixed) return form.dimension;
  if (!x_ || form.of == Of::any) return {};
  return dimension_of(form.of, *x_);
}

std::optional<double> Walker::number(const toml::node& node, const Form& form,
                                     const std::string& path) {
  double x = 0;
  const auto dimension = measure(form);
  if (node.is_string()) {
    const auto text = text_of(node, path);
    if (!text) return {};
    if (const auto inf = form.infinite ? infinite(*text) : std::nullopt) return inf;
    if (!dimension) {
      findings_.doubt(path, place_of(node.source()),
                      fmt::format("'{}' cannot be read: its dimension follows from the coordinate "
                                  "'{}', which is not known",
                                  *text, about_));
      return {};
    }
    const units::Quantity q = units::parse_quantity(*text, *dimension);
    if (!q && scope_->formulas.is_formula(*text)) {
      const auto value = scope_->formulas.number(path, *text, place_of(node.source()), dimension);
      if (!value) return {};
      x = *value;
    } else if (!q) {
      complain(node, path, q.error + stop_hint(form, *text));
      return {};
    } else {
      x = q.si;
    }
  } else if (const auto n = node.is_number() ? node.value<double>() : std::nullopt) {
    x = *n;
  } else {
    complain(node, path, fmt::format("found {}, {} is needed", type_name(node), describe(form)));
    return {};
  }
  if (std::isnan(x) || (std::isinf(x) && !form.infinite)) {
    complain(node, path, fmt::format("{} is not a finite number", x));
    return {};
  }
  const auto shown = [&](double si) {
    return dimension ? units::format_quantity(si, *dimension) : fmt::format("{}", si);
  };
  if (!(x > form.above))
    complain(node, path, fmt::format("{} must be greater than {}", shown(x), shown(form.above)));
  if (!(x <= form.most))
    complain(node, path, fmt::format("{} must not be greater than {}", shown(x), shown(form.most)));
  return x;
}

void Walker::read_quantity(const toml::node& node, const Form& form, Value& out) {
  const auto x = number(node, form, out.path);
  if (x) out.number = *x;
  out.given = x.has_value() || form.of == Of::fixed;
}

/// A formula of channels is kept as text: they are known once the mechanism is.
void Walker::read_measured(const toml::node& node, Value& out) {
  if (const auto* text = node.as_string()) {
    out.text = text_of(node, out.path).value_or("");
    out.sound = !out.text.empty();
    if (text->get().empty()) complain(node, out.path, "a formula is needed, or a number");
  } else if (const auto x = number(node, {.kind = Kind::quantity}, out.path)) {
    out.text = fmt::format("{}", *x);
  } else {
    out.sound = false;
  }
}

/// A formula of coordinates is kept as text: the system knows them.
void Walker::read_placing(const toml::node& node, const Form& form, Value& out) {
  const auto* text = node.as_string();
  if (!text) {
    const auto x = number(node, {.kind = Kind::quantity, .dimension = form.dimension}, out.path);
    if (x) out.number = *x;
    out.sound = x.has_value();
    return;
  }
  out.text = text_of(node, out.path).value_or("");
  out.sound = out.text.find_first_not_of(" \t\r\n") != std::string::npos;
  if (!out.sound && text->get().find('{') == std::string::npos)
    complain(node, out.path, "a formula is needed, or a number");
}

/// A formula is kept as text: it may name parameters that follow.
void Walker::read_parameter(const toml::node& node, const Form& form, Value& out) {
  out.number = 1;  // what a fault leaves
  if (const toml::table* t = form.family ? node.as_table() : nullptr) {
    Value read = read_table(*t, *form.family, out.path);
    out.table = read.table;
    out.fields = std::move(read.fields);
    out.sound = read.sound;
  } else if (node.is_string()) {
    const auto text = text_of(node, out.path);
    units::Dimension found;
    if (!text) {
      out.sound = false;
    } else if (text->find_first_not_of(" \t\r\n") == std::string::npos) {
      complain(node, out.path,
               "an empty text is no value: a number, a quantity or a formula is needed");
      out.sound = false;
    } else if (const units::Quantity q = units::parse_quantity(*text, &found)) {
      out.number = q.si;
      out.dimension = found;
    } else {
      out.text = *text;
    }
  } else if (const auto x = number(node, form, out.path)) {
    out.number = *x;
  } else {
    out.sound = false;
  }
}

/// A number of a direction, plain or of any dimension, which is that of the others. Nothing:
/// complained.
std::optional<double> Walker::component(const toml::node& node, const std::string& path,
                                        std::optional<Dimension>& dimension) {
  if (!node.is_string()) return number(node, {.kind = Kind::quantity}, path);
  const auto text = text_of(node, path);
  if (!text) return {};
  std::optional<Dimension> own;
  const auto x = scope_->formulas.number(path, *text, place_of(node.source()), &own);
  if (x && own && dimension && *own != *dimension) {
    complain(node, path,
             fmt::format("{} beside {}: the numbers of a direction are of one kind",
                         units::name(*own), units::name(*dimension)));
    return {};
  }
  if (own) dimension = own;
  return x;
}

void Walker::read_direction(const toml::node& node, Value& out) {
  out.numbers = {1, 0, 0};
  const Form form{.kind = Kind::direction};
  if (!is(node, toml::node_type::array, form, out.path)) return;
  const toml::array& array = *node.as_array();
  if (array.size() != 3)
    return complain(node, out.path,
                    fmt::format("found {} numbers, {} is needed", array.size(), describe(form)));
  std::vector<double> v;
  std::optional<Dimension> dimension;
  for (const toml::node& n : array)
    if (const auto x = component(n, out.path, dimension)) v.push_back(*x);
  if (v.size() != 3) return;
  const double norm = std::hypot(v[0], v[1], v[2]);
  if (!(norm > 0 && std::isfinite(norm)))
    return complain(node, out.path,
                    fmt::format("the direction [{}] has no length", fmt::join(v, ", ")));
  for (double& x : v) x /= norm;
  out.numbers = std::move(v);
}

void Walker::read_list(const toml::node& node, const Form& form, Value& out) {
  const Form& each = form.each[0];
  if (node.is_table() && each.family && each.family->element)
    return complain(node, out.path,
                    fmt::format("write [[{}]], with two brackets: there can be several", out.path));
  out.numbers.assign(form.counts.empty() ? 0 : form.counts[0], 0.0);  // what a fault leaves
  const auto counts = [&](std::size_t n) {
    return form.counts.empty() ||
           std::find(form.counts.begin(), form.counts.end(), n) != form.counts.end();
  };
  if (each.kind == Kind::text && node.is_string() && counts(1)) {  // one, without brackets
    out.items.push_back(read(node, each, out.path));
    return;
  }
  if (!is(node, toml::node_type::array, form, out.path)) return;
  const toml::array& array = *node.as_array();
  if (!counts(array.size()))
    return complain(node, out.path,
                    fmt::format("found {} values, {} is needed", array.size(), describe(form)));
  if (each.kind != Kind::quantity) return read_elements(array, each, out);
  std::vector<double> numbers;
  numbers.reserve(array.size());
  for (const toml::node& n : array) {
    if (const auto x = number(n, each, fmt::format("{}[{}]", out.path, numbers.size())))
      numbers.push_back(*x);
    else
      return;  // the first fault of a list will do
  }
  out.numbers = std::move(numbers);
}

void Walker::read_elements(const toml::array& array, const Form& each, Value& out) {
  const bool element = each.family && each.family->element;
  for (std::size_t i = 0; i < array.size(); ++i) {
    std::string path = fmt::format("{}[{}]", out.path, i);
    if (const toml::table* t = element ? array[i].as_table() : nullptr) {
      const std::string named = out.path + "." + (*t)["name"].value_or(std::string());
      if (is_name(std::string_view(named).substr(out.path.size() + 1)) &&
          !findings_.origins.places.contains(named))
        path = named;
    }
    out.items.push_back(read(array[i], each, path));
  }
}

void Walker::read_map(const toml::node& node, const Form& form, Value& out) {
  if (!is(node, toml::node_type::table, form, out.path)) return;
  if (node.as_table()->empty()) return complain(node, out.path, "names nothing");
  const Restore restore{x_};
  for (const auto& [key, value] : *node.as_table()) {
    auto name = std::optional(std::string(key.str()));
    const std::string path = out.path + "." + *name;
    if (!form.literal) name = expand(*name, *scope_, path, place_of(key.source()), findings_);
    if (!name) continue;
    x_ = joint_ ? dimension_of(*joint_, *name) : std::nullopt;
    about_ = *name;
    if (!out.fields.emplace(*name, read(value, form.each[0], path)).second)
      complain(value, path, fmt::format("'{}' is there already", *name));
  }
}

void Walker::read_signal(const toml::node& node, const Form& form, Value& out) {
  const Restore restore{x_};
  x_ = measure(form);
  if (const toml::table* t = node.as_table()) {
    const bool plain = form.kind == Kind::signal || t->contains("time") || t->contains("value") ||
                       t->contains("formula");
    Value read = read_table(*t, plain ? signal_family() : drive_family(), out.path);
    out.table = read.table;
    out.fields = std::move(read.fields);
    if (plain && read.sound)
      out.signal =
          out.has("formula") ? by_formula(*t->get("formula"), out["formula"]) : spline(out);
    return;
  }
  if (node.is_string()) {
    const auto whole = text_of(node, out.path);
    if (!whole) return;
    if (!names_.inputs_in(*whole, *scope_).empty()) {
      out.text = *whole;
      out.signal = by_formula(node, out);
      return;
    }
    if (refuses_coordinates(node, out.path, *whole)) return;
  }
  Form plain = form;
  plain.kind = Kind::quantity;
  plain.of = Of::x;  // as set above
  if (const auto x = number(node, plain, out.path)) out.signal = Signal(*x);
}

/// A signal by a formula of the time and of inputs.
Signal Walker::by_formula(const toml::node& node, const Value& v) {
  const Place quote = place_of(node.source());
  if (refuses_coordinates(node, v.path, v.text)) return {};
  return scope_->formulas.signal(v, quote, x_, names_.inputs_in(v.text, *scope_));
}

void Walker::read_formula(const toml::node& node, const Form& form, Value& out) {
  if (form.kind == Kind::motion && node.is_number()) {
    const double x = *node.value<double>();
    auto constant = std::make_shared<law::LoadFunction>([x](const auto&) { return x; });
    constant->of_time = false;
    out.motion = std::move(constant);
    return;
  }
  if (!is(node, toml::node_type::string, form, out.path)) return;
  const auto whole = text_of(node, out.path);
  if (!whole) return;
  out.text = *whole;
  const Place quote = place_of(node.source());
  if (form.kind == Kind::force) {
    const std::size_t before = findings_.problems.size();
    const std::vector<Formulas::Live> live = live_in(out.path, out.text, quote);
    if (findings_.problems.size() == before)
      out.force = scope_->formulas.force(out, quote, x_, live, form.least);
  } else if (form.kind == Kind::motion)
    out.motion = scope_->formulas.motion(out, quote, form.dimension);
  else
    out.profile = scope_->formulas.profile(out, quote, followed_, x_);
}

Signal Walker::spline(const Value& knots) {
  const std::vector<double>&t = knots["time"].numbers, &x = knots["value"].numbers;
  if (t.empty() || (t.size() != x.size() && !x.empty())) {
    findings_.complain(
        knots.path, fmt::format("{} times and {} values: as many of both are needed, at least one",
                                t.size(), x.size()));
    return {};
  }
  if (x.empty()) return {};
  for (std::size_t i = 1; i < t.size(); ++i)
    if (t[i] < t[i - 1]) {
      findings_.complain(knots.path + ".time",
                         fmt::format("time falls from {} s to {} s", t[i - 1], t[i]));
      return {};
    }
  return Signal::spline(t, x);
}

namespace {

/// A default as it would stand in a file: what is neither a number, a list nor a flag is a text.
toml::table as_toml(const Key& key) {
  const std::string& text = key.fallback;
  const bool number =
      key.form.kind != Kind::text && text.find_first_not_of("+-.0123456789e") == std::string::npos;
  const bool plain = number || text[0] == '[' || key.form.kind == Kind::flag;
  return toml::parse(plain ? "v = " + text : "v = \"" + text + "\"");
}

}  // namespace

Value Walker::fallback(const Key& key, const std::string& path) {
  const auto [it, fresh] = defaults_.try_emplace(&key);
  if (fresh) {
    Findings none;
    Scope nowhere(none);
    Walker walker(none, joints_, names_, nowhere);
    it->second = walker.read(*as_toml(key).get("v"), key.form, path);
    it->second.given = false;
    assert(none.problems.empty());
  }
  Value out = it->second;
  out.path = path;
  if (key.form.refers != Refers::nothing)
    out.text = names_.find(key.form.refers, out.text, *scope_);
  return out;
}

}  // namespace trammel::io

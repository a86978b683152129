#include "joint/row.h"

#include <algorithm>

#include "joint/material.h"

namespace trammel::joint {

namespace {

std::string_view trim(std::string_view s) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!s.empty() && blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && blank(s.back())) s.remove_suffix(1);
  return s;
}

std::optional<Feature> parse_feature(std::string_view text) {
  const auto it = std::find(kFeatureNames.begin(), kFeatureNames.end(), trim(text));
  if (it == kFeatureNames.end()) return {};
  return static_cast<Feature>(it - kFeatureNames.begin());
}

/// Two features with `sep` between them.
std::optional<Product> parse_pair(std::string_view text, std::string_view sep) {
  const auto at = text.find(sep);
  if (at == std::string_view::npos) return {};
  const auto u = parse_feature(text.substr(0, at)), v = parse_feature(text.substr(at + sep.size()));
  if (!u || !v) return {};
  return Product{*u, *v};
}

/// The text between `name(` and the closing parenthesis.
std::optional<std::string_view> argument(std::string_view text, std::string_view name) {
  if (!text.starts_with(name) || !text.ends_with(')')) return {};
  text.remove_prefix(name.size());
  text = trim(text);
  if (!text.starts_with('(')) return {};
  return text.substr(1, text.size() - 2);
}

bool on_curve(Feature f) { return f >= Feature::Cx; }

/// The body that a feature is on; C slides along A.
enum class Carried { A, B, C, between };
Carried carried(Feature f) {
  if (is_vector(f)) return Carried::between;
  return f >= Feature::Cx ? Carried::C : f >= Feature::Bx ? Carried::B : Carried::A;
}
bool constant(const Product& p) {
  if (carried(p.u) == carried(p.v)) return carried(p.u) != Carried::between;
  const auto pair = std::minmax(p.u, p.v);
  return pair.first == Feature::Cx && pair.second == Feature::E;
}
bool same(const Product& p, const Product& q) {
  return std::minmax(p.u, p.v) == std::minmax(q.u, q.v);
}

/// The parts of a list with commas; of an empty text an empty one.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (auto comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    out.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  out.push_back(text);
  return out;
}

std::optional<Row> parse_products(const Function& f, std::string_view inside) {
  const auto parts = parts_of(inside);
  if (parts.size() != static_cast<std::size_t>(f.products)) return {};
  Row row{&f, {}};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto p = parse_pair(parts[i], ".");
    if (!p) return {};
    row.of[i] = *p;
  }
  return row;
}

/// Axes of the frames A and B.
std::optional<Row> parse_axes(const Function& f, std::string_view inside) {
  const auto parts = parts_of(inside);
  if (parts.size() != static_cast<std::size_t>(f.axes)) return {};
  std::array<Feature, 3> axes{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto axis = parse_feature(parts[i]);
    if (!axis || *axis >= Feature::D) return {};
    axes[i] = *axis;
  }
  return Row{&f, {Product{axes[0], axes[1]}, Product{axes[2], axes[2]}}};
}

/// The text as a row of this function, if it is one.
std::optional<Row> parse_as(const Function& f, std::string_view text) {
  if (f.coupled) return {};
  if (f.products == 0 && f.axes == 0)
    return text == f.name ? std::optional(Row{&f, {}}) : std::nullopt;
  const auto inside = f.name.empty() ? std::optional(text) : argument(text, f.name);
  if (!inside) return {};
  const auto row = f.axes > 0 ? parse_axes(f, *inside) : parse_products(f, *inside);
  return row && (f.fits == nullptr || f.fits(*row)) ? row : std::nullopt;
}

std::string name(Feature f) { return std::string(kFeatureNames[static_cast<std::size_t>(f)]); }
std::string to_text(const Product& p) { return name(p.u) + "." + name(p.v); }

}  // namespace

bool Row::on_curve() const {
  if (fn->features != nullptr) return (fn->features(*this) & kProjection) != 0;
  for (int i = 0; i < products(); ++i) {
    const Product& p = of[static_cast<std::size_t>(i)];
    if (joint::on_curve(p.u) || joint::on_curve(p.v)) return true;
  }
  return false;
}

bool Row::constant() const {
  for (int i = 0; i < products(); ++i)
    if (!joint::constant(of[static_cast<std::size_t>(i)])) return false;
  return products() > 0 && !shape();
}

unsigned Row::features() const {
  if (fn->features != nullptr) return fn->features(*this);
  unsigned mask = on_curve() ? kProjection : 0;
  for (int i = 0; i < products(); ++i) {
    const Product& p = of[static_cast<std::size_t>(i)];
    mask |= 1u << static_cast<unsigned>(p.u) | 1u << static_cast<unsigned>(p.v);
  }
  return mask;
}

Unit Row::unit() const {
  if (fn->unit) return *fn->unit;
  const int lengths = is_vector(of[0].u) + is_vector(of[0].v);
  return lengths == 0 ? Unit::one : lengths == 1 ? Unit::metre : Unit::square_metre;
}

Push push(const Row& row) {
  Push out;
  if (row.fn != kFunctions) return out;
  Feature u = row.of[0].u, v = row.of[0].v;
  const auto number = [](Feature f) {
    const int i = static_cast<int>(f);
    return i >= static_cast<int>(Feature::Cx) ? i - static_cast<int>(Feature::Cx) : i % 3;
  };
  const auto of_B = [](Feature f) {
    return f == Feature::Bx || f == Feature::By || f == Feature::Bz;
  };
  if (is_vector(u) || of_B(u)) std::swap(u, v);
  if (is_vector(u) || of_B(u)) return out;
  if (is_vector(v)) out.force = Vec3::Unit(number(u));
  if (of_B(v)) out.torque = Vec3::Unit(number(v)).cross(Vec3::Unit(number(u)));
  return out;
}

bool same(const Row& a, const Row& b) {
  bool all = a.fn == b.fn;
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.products()); ++i)
    all = all && same(a.of[i], b.of[i]);
  if (a.holonomic()) return all;
  return all && a.direction() == b.direction() && a.normal() == b.normal() && a.axis() == b.axis();
}

void append_bytes(const Row& row, std::string& out) {
  out += static_cast<char>(row.fn - kFunctions);
  for (const Product& p : row.of) out += {static_cast<char>(p.u), static_cast<char>(p.v)};
}

std::optional<Row> parse_row(std::string_view text) {
  for (const Function& f : functions())
    if (const auto row = parse_as(f, trim(text))) return row;
  return {};
}

std::optional<Term> parse_term(std::string_view text) {
  text = trim(text);
  if (const auto p = parse_pair(text, " x ")) return Term{Term::Kind::cross, p->u, p->v};
  if (const auto p = parse_pair(text, "-")) return Term{Term::Kind::difference, p->u, p->v};
  if (const auto f = parse_feature(text)) return Term{Term::Kind::vector, *f, *f};
  if (const auto row = parse_row(text)) return Term{Term::Kind::row, {}, {}, *row};
  return {};
}

std::optional<Coordinate> parse_coordinate(std::string_view text) {
  const auto eq = text.find('=');
  if (eq == std::string_view::npos) {
    const auto row = parse_row(text);
    return row ? std::optional(Coordinate{to_text(*row), *row}) : std::nullopt;
  }
  std::string_view right = trim(text.substr(eq + 1));
  const double sign = right.starts_with('-') ? -1 : 1;
  if (sign < 0) right.remove_prefix(1);
  const auto row = parse_row(right);
  const std::string_view name = trim(text.substr(0, eq));
  if (!row || name.empty()) return {};
  return Coordinate{std::string(name), *row, sign};
}

std::string to_text(const Row& row) {
  const Function& f = *row.fn;
  const std::array<Feature, 3> axes{row.direction(), row.normal(), row.axis()};
  std::string list;
  const auto add = [&](const std::string& text) { list += (list.empty() ? "" : ", ") + text; };
  for (std::size_t i = 0; i < static_cast<std::size_t>(f.axes); ++i) add(name(axes[i]));
  for (std::size_t i = 0; f.axes == 0 && i < static_cast<std::size_t>(f.products); ++i)
    add(to_text(row.of[i]));
  if (list.empty()) return std::string(f.name);
  return f.name.empty() ? list : std::string(f.name) + "(" + list + ")";
}

std::string to_text(const Term& t) {
  switch (t.kind) {
    case Term::Kind::vector:
      return name(t.u);
    case Term::Kind::difference:
      return name(t.u) + "-" + name(t.v);
    case Term::Kind::cross:
      return name(t.u) + " x " + name(t.v);
    case Term::Kind::row:
      break;
  }
  return to_text(t.row);
}

}  // namespace trammel::joint

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

/// Of axes: which body they are on; C slides along A.
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

constexpr unsigned bit(Feature f) { return 1u << static_cast<unsigned>(f); }
constexpr unsigned kAxesAndD = bit(Feature::D) | (bit(Feature::D) - 1);

/// slip(d), slip(d, n), slip(d, n, a): axes of the two bodies.
std::optional<Row> parse_slip(std::string_view inside) {
  constexpr std::array<Function, 3> kKinds{Function::slip, Function::slip_ball,
                                           Function::slip_disc};
  std::array<Feature, 3> axes{};
  std::size_t n = 0;
  for (bool more = true; more; ++n) {
    const auto comma = inside.find(',');
    const auto f = parse_feature(inside.substr(0, comma));
    if (n == 3 || !f || *f >= Feature::D) return {};
    axes[n] = *f;
    more = comma != std::string_view::npos;
    if (more) inside.remove_prefix(comma + 1);
  }
  return Row{kKinds[n - 1], {Product{axes[0], axes[1]}, Product{axes[2], axes[2]}}};
}

/// Two axes of frame A, or of frame B, parted by a comma.
std::optional<Row> parse_shape(Function fn, std::string_view inside) {
  const auto p = parse_pair(inside, ",");
  const bool axes = p && p->u < Feature::D && p->v < Feature::D;
  return axes && carried(p->u) == carried(p->v) ? std::optional(Row{fn, {*p}}) : std::nullopt;
}

/// Two products, parted by a comma.
std::optional<Row> parse_two(Function fn, std::string_view inside) {
  const auto comma = inside.find(',');
  if (comma == std::string_view::npos) return {};
  const auto y = parse_pair(inside.substr(0, comma), "."),
             x = parse_pair(inside.substr(comma + 1), ".");
  return y && x ? std::optional(Row{fn, {*y, *x}}) : std::nullopt;
}

std::string name(Feature f) { return std::string(kFeatureNames[static_cast<std::size_t>(f)]); }
std::string to_text(const Product& p) { return name(p.u) + "." + name(p.v); }

}  // namespace

std::string_view symbol(Unit unit) {
  constexpr std::array<std::string_view, 4> kSymbols{"1", "m", "m^2", "rad"};
  return kSymbols[static_cast<std::size_t>(unit)];
}

bool Row::on_curve() const {
  if (fn == Function::arc) return true;
  for (int i = 0; i < products(); ++i) {
    const Product& p = of[static_cast<std::size_t>(i)];
    if (joint::on_curve(p.u) || joint::on_curve(p.v)) return true;
  }
  return false;
}

bool Row::constant() const {
  for (int i = 0; i < products(); ++i)
    if (!joint::constant(of[static_cast<std::size_t>(i)])) return false;
  return fn < Function::strain;
}

unsigned Row::features() const {
  if (!holonomic()) return kAxesAndD;  // the axes tell how the objects turn
  unsigned mask = on_curve() ? kProjection : 0;
  for (int i = 0; i < products(); ++i) {
    const Product& p = of[static_cast<std::size_t>(i)];
    mask |= 1u << static_cast<unsigned>(p.u) | 1u << static_cast<unsigned>(p.v);
  }
  if (fn == Function::stretch)  // of all three
    mask |=
        carried(of[0].u) == Carried::A ? bit(Feature::Bx) - 1 : bit(Feature::D) - bit(Feature::Bx);
  return mask;
}

Unit Row::unit() const {
  if (fn == Function::atan2 || fn == Function::coupled_angle) return Unit::radian;
  if (distance() || fn == Function::arc || !holonomic() || fn == Function::coupled_length)
    return Unit::metre;
  const int lengths = is_vector(of[0].u) + is_vector(of[0].v);
  return lengths == 0 ? Unit::one : lengths == 1 ? Unit::metre : Unit::square_metre;
}

bool same(const Row& a, const Row& b) {
  bool all = a.fn == b.fn;
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.products()); ++i)
    all = all && same(a.of[i], b.of[i]);
  if (a.holonomic()) return all;
  return all && a.direction() == b.direction() && a.normal() == b.normal() && a.axis() == b.axis();
}

std::optional<Row> parse_row(std::string_view text) {
  text = trim(text);
  if (text == "s") return Row{Function::arc, {}};
  if (const auto inside = argument(text, "sqrt")) {
    const auto p = parse_pair(*inside, ".");
    return p && p->u == p->v && is_vector(p->u) ? std::optional(Row{Function::sqrt, {*p}})
                                                : std::nullopt;
  }
  if (const auto inside = argument(text, "abs")) {
    const auto p = parse_pair(*inside, ".");
    return p ? std::optional(Row{Function::abs, {*p}}) : std::nullopt;
  }
  if (const auto inside = argument(text, "atan2")) return parse_two(Function::atan2, *inside);
  if (const auto inside = argument(text, "radius")) {
    const auto row = parse_two(Function::radius, *inside);
    const bool fits = row && is_vector(row->of[0].u) != is_vector(row->of[0].v) &&
                      !is_vector(row->of[1].u) && !is_vector(row->of[1].v);
    return fits ? row : std::nullopt;
  }
  if (const auto inside = argument(text, "slip")) return parse_slip(*inside);
  if (const auto inside = argument(text, "strain")) return parse_shape(Function::strain, *inside);
  if (const auto inside = argument(text, "stretch")) return parse_shape(Function::stretch, *inside);
  const auto p = parse_pair(text, ".");
  return p ? std::optional(Row{Function::product, {*p}}) : std::nullopt;
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
  switch (row.fn) {
    case Function::arc:
      return "s";
    case Function::sqrt:
      return "sqrt(" + to_text(row.of[0]) + ")";
    case Function::abs:
      return "abs(" + to_text(row.of[0]) + ")";
    case Function::atan2:
      return "atan2(" + to_text(row.of[0]) + ", " + to_text(row.of[1]) + ")";
    case Function::radius:
      return "radius(" + to_text(row.of[0]) + ", " + to_text(row.of[1]) + ")";
    case Function::strain:
      return "strain(" + name(row.of[0].u) + ", " + name(row.of[0].v) + ")";
    case Function::stretch:
      return "stretch(" + name(row.of[0].u) + ", " + name(row.of[0].v) + ")";
    case Function::slip:
      return "slip(" + name(row.direction()) + ")";
    case Function::slip_ball:
      return "slip(" + name(row.direction()) + ", " + name(row.normal()) + ")";
    case Function::slip_disc:
      return "slip(" + name(row.direction()) + ", " + name(row.normal()) + ", " + name(row.axis()) +
             ")";
    case Function::coupled_length:
    case Function::coupled_angle:
      return "value";
    case Function::product:
      break;
  }
  return to_text(row.of[0]);
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

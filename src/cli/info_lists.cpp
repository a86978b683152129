#include <fmt/format.h>

#include <cmath>

#include "cli/info.h"
#include "cli/text_table.h"
#include "io/json.h"
#include "joint/table.h"
#include "law/law.h"
#include "units/unit.h"

namespace trammel::cli {

namespace {

/// "lateral = Cy.E", or the row alone where that is its name.
std::string coordinate_text(const joint::Coordinate& c) {
  const std::string row = (c.sign < 0 ? "-" : "") + joint::to_text(c.row);
  return c.name == row ? row : c.name + " = " + row;
}

template <class List, class F>
std::vector<std::string> texts(const List& list, F text) {
  std::vector<std::string> out;
  for (const auto& x : list) out.push_back(text(x));
  return out;
}

std::string or_dash(const std::vector<std::string>& list) {
  return list.empty() ? "-" : fmt::format("{}", fmt::join(list, "; "));
}

struct JointTexts {
  std::vector<std::string> rows, terms, coordinates;
};
JointTexts texts_of(const joint::Table& t) {
  return {texts(t.rows, coordinate_text),
          texts(t.terms, [](const joint::Term& x) { return joint::to_text(x); }),
          texts(t.coordinates, [](const joint::Coordinate& c) {
            return fmt::format("{} [{}]", coordinate_text(c), joint::symbol(c.row.unit()));
          })};
}

std::string dimension(law::Quantity q) {
  switch (q) {
    case law::Quantity::x:
      return "coordinate";
    case law::Quantity::force:
      return "force";
    case law::Quantity::force_per_x:
      return "force/coordinate";
    case law::Quantity::force_per_v:
      return "force/rate";
    case law::Quantity::speed:
      return "rate";
    case law::Quantity::length:
      return "length";
    case law::Quantity::ratio:
      return "1";
  }
  return "";
}

std::string drive_text(const law::Type& t) {
  if (t.takes_force) return "force";
  if (!t.takes_drive) return "-";
  return t.velocity_only ? "velocity" : "displacement, velocity or acceleration";
}

}  // namespace

std::string info_joints(bool json) {
  io::Json j;
  std::string out =
      "Rows are products of the axes of frames A and B (on a track: C) and the vector D from A to "
      "B\n"
      "(E from the track to B); x is the joint's axis.\n";
  j.begin('[');
  for (const joint::Table& t : joint::tables()) {
    const JointTexts texts = texts_of(t);
    j.begin('{')
        .field("name", t.name)
        .field("rows", texts.rows)
        .field("terms", texts.terms)
        .field("coordinates", texts.coordinates)
        .end();
    out += fmt::format("\n{}\n  rows         {}\n  terms        {}\n  coordinates  {}\n", t.name,
                       or_dash(texts.rows), or_dash(texts.terms), or_dash(texts.coordinates));
  }
  return json ? j.end().text() : out;
}

std::string info_laws(bool json) {
  io::Json j;
  std::string out =
      "Forces and rates are those of the coordinate: N, m/s along it, N m, rad/s about it.\n";
  j.begin('[');
  for (const law::Type* type : law::types()) {
    out += fmt::format("\n{}: {}\n", type->name, type->doc);
    if (type->takes_drive || type->takes_force)
      out += fmt::format("  follows {}\n", drive_text(*type));
    j.begin('{')
        .field("name", type->name)
        .field("doc", type->doc)
        .field("drive", drive_text(*type));
    j.key("parameters").begin('[');
    TextTable table("llll");
    for (const law::Parameter& p : type->parameters) {
      const std::string fallback =
          std::isnan(p.fallback) ? "required" : fmt::format("{:g}", p.fallback);
      table.row({std::string(p.name), dimension(p.quantity), fallback, std::string(p.doc)});
      j.begin('{')
          .field("name", p.name)
          .field("dimension", dimension(p.quantity))
          .field("default", fallback)
          .field("doc", p.doc)
          .end();
    }
    j.end().end();
    out += table.text();
  }
  return json ? j.end().text() : out;
}

std::string info_units(bool json) {
  io::Json j;
  std::string out;
  TextTable table("lll");
  j.begin('[');
  for (const std::string_view name : units::unit_names()) {
    const units::Unit u = units::parse_unit(name).unit;
    const std::string si = units::symbol(u.dimension);
    std::string value = fmt::format("{:g} {}", u.numerator / u.denominator, si);
    if (u.offset != 0) value += fmt::format(", zero at {:g} {}", u.offset, si);
    table.row({std::string(name), "=", value});
    j.begin('{')
        .field("name", name)
        .field("factor", u.numerator / u.denominator)
        .field("offset", u.offset)
        .field("si", si)
        .end();
  }
  out += table.text("") +
         "\nProducts by a space, * or a dot, quotients by /, powers by ^: kN s/m, N*m, m/s^2.\n";
  return json ? j.end().text() : out;
}

}  // namespace trammel::cli

// What numbers of a scene are made of: parameters, and data of tables in formulas.
#include "io/scene_forms.h"

namespace trammel::io {

using namespace forms;
using namespace units;

namespace {

Family of_points(const char* name, const char* doc, std::vector<Table> tables) {
  Family f{name, doc, std::move(tables)};
  f.element = true;
  return f;
}
Family numbers(const char* name, const char* doc, std::vector<Table> tables) {
  return {name, doc, std::move(tables)};
}

}  // namespace

const Family& data_family() {
  static const Family f = of_points(
      "data", "Points for table(x, name) and spline(x, name) in formulas.",
      {{"",
        "",
        {
            name_key("data"),
            {"x", list(quantity(kRatio)), kNeeded, "rising, at least two"},
            {"y", list(quantity(kRatio)), kNeeded, "as many"},
            {"x_unit", text(), "", "of x; else they may be anything, in SI"},
            {"y_unit", text(), "", "of y, likewise"},
            {"slope_first", quantity(kRatio), "",
             "of the spline at the first point, in y_unit by x_unit; else it is straight there"},
            {"slope_last", quantity(kRatio), "", "at the last point"},
        },
        {}}});
  return f;
}

const Family& parameter_family() {
  static const Family f = numbers(
      "parameter",
      "A number with a name. `value`, `from` and `to` may be formulas of other parameters.",
      {{"",
        "",
        {
            {"value", parameter_value(), kNeeded, "the number; a plain one is in `unit`, or in SI"},
            {"unit", text(), "", "of a plain number; what it is of"},
            {"from", parameter_value(), "", "least value, in SI or with a unit"},
            {"to", parameter_value(), "", "greatest value"},
            {"text", text(), "", "what it is"},
        },
        {}}});
  return f;
}

}  // namespace trammel::io

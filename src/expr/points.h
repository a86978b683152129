#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expr/dimensions.h"
#include "expr/function.h"

namespace trammel::expr {

/// Data for table(x, name) and spline(x, name): x rising, y, at least two points.
struct Points {
  std::vector<double> x, y;
  std::optional<double> slope_first = {}, slope_last = {};  // of the spline's ends; none: y'' = 0
  MaybeDimension x_dimension = {}, y_dimension = {};
};

/// Returns what is wrong with the data, or nothing.
std::string complaint(const Points& points);

/// Linear between the points, the first and last value outside; at a point the derivative is that
/// to the right.
std::shared_ptr<const Function> table(const std::string& name, const Points& points);
/// The cubic spline through the points (twice continuously differentiable), continued straight
/// outside; at a point the third derivative is that to the right.
std::shared_ptr<const Function> spline(const std::string& name, const Points& points);

}  // namespace trammel::expr

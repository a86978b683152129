// Couplings: what they are made of, and the usual ones.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <utility>

#include "math/dense.h"
#include "math/index.h"
#include "model/build_rows.h"
#include "units/nearest.h"

namespace trammel::model {

namespace {

std::optional<Source> source_of(Draft& d, const CouplingSpec& s, const CoordinateSpec& c,
                                const std::vector<JointSpec>& joints) {
  const auto complain = [&](const char* key, std::string text) {
    d.complain((c.path.empty() ? s.path : c.path) + key,
               fmt::format("coupling '{}': {}", s.name, text));
  };
  if (!d.joints.contains(c.joint)) {
    std::vector<std::string> known;
    for (const JointSpec& j : joints) known.push_back(j.name);
    complain("",
             fmt::format("there is no joint '{}'{}", c.joint, units::did_you_mean(c.joint, known)));
    return {};
  }
  const int j = d.made_joint(c.joint);
  if (j < 0) return {};
  const joint::Table& table = *d.model.joints[at(j)].table;
  const auto found = find_coordinate(c.coordinate, table);
  if (!found || found->row.constant() || (found->row.on_curve() && !table.on_curve)) {
    complain("", fmt::format("a {} joint has no coordinate '{}'{}", table.name, c.coordinate,
                             units::did_you_mean(c.coordinate, names(table))));
    return {};
  }
  if (!found->row.holonomic()) {
    complain("", fmt::format("'{}' of joint '{}' is a rate without a value: it cannot be coupled",
                             found->name, c.joint));
    return {};
  }
  Source source{j, found->row, found->sign, -1};
  if (found->row.turns()) source.angle = d.model.n_angles++;
  return source;
}

bool check(Draft& d, const CouplingSpec& s) {
  const std::size_t before = d.problems.size();
  const auto complain = [&](std::string text) {
    d.complain(s.path, fmt::format("coupling '{}' {}", s.name, text));
  };
  if (s.of.empty() || s.of.size() > joint::kCoupled)
    complain(
        fmt::format("couples {} coordinates; it can be one to {}", s.of.size(), joint::kCoupled));
  if (s.coefficients.size() != s.of.size())
    complain(
        fmt::format("has {} coefficients for {} coordinates", s.coefficients.size(), s.of.size()));
  for (const double a : s.coefficients)
    if (!std::isfinite(a)) complain(fmt::format("has a coefficient of {}", a));
  for (std::size_t i = 0; i < std::min(s.of.size(), s.coefficients.size()); ++i)
    if (s.coefficients[i] == 0 && !(s.profile && i + 1 == s.of.size()))
      complain(
          fmt::format("has '{}.{}' with a coefficient of zero", s.of[i].joint, s.of[i].coordinate));
  for (std::size_t i = 0; i < s.of.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (s.of[i].joint == s.of[k].joint && s.of[i].coordinate == s.of[k].coordinate)
        complain(fmt::format("has '{}.{}' twice", s.of[i].joint, s.of[i].coordinate));
  return d.problems.size() == before;
}

constexpr const char* kind_of(joint::Unit unit) {
  switch (unit) {
    case joint::Unit::metre:
      return "a length";
    case joint::Unit::square_metre:
      return "the square of a length";
    case joint::Unit::radian:
      return "an angle";
    default:
      return "a plain number";
  }
}

/// A screw takes a travel and an angle, in this order.
bool check_kinds(Draft& d, const CouplingSpec& s, const std::vector<Source>& sources) {
  const std::size_t before = d.problems.size();
  for (std::size_t i = 0; i < std::min(s.takes.size(), sources.size()); ++i) {
    const joint::Unit unit = sources[i].row.unit();
    if (unit == s.takes[i]) continue;
    const bool swapped = sources.size() == 2 && sources[0].row.unit() == s.takes[1] &&
                         sources[1].row.unit() == s.takes[0];
    std::string name = s.of[i].joint;
    if (!s.of[i].coordinate.empty()) name += "." + s.of[i].coordinate;
    d.complain(s.of[i].path.empty() ? s.path : s.of[i].path,
               fmt::format("coupling '{}': a {} takes {}: '{}' is {}{}", s.name, s.kind,
                           s.takes[0] != s.takes[1] ? "a length and an angle, in this order"
                           : s.takes[0] == joint::Unit::metre ? "two lengths"
                                                              : "two angles",
                           name, kind_of(unit), swapped ? "; change them over" : ""));
    break;
  }
  return d.problems.size() == before;
}

void add(Draft& d, const CouplingSpec& s, const std::vector<Source>& sources) {
  Joint j;
  j.name = s.name;
  j.path = s.path;
  const joint::Table& table = joint::coupling_table(sources.front().row.unit());
  j.table = std::shared_ptr<const joint::Table>(std::shared_ptr<void>{}, &table);  // static
  j.coupling = static_cast<int>(d.model.couplings.size());
  Coupling c;
  c.joint = static_cast<int>(d.model.joints.size());
  c.first_source = static_cast<int>(d.model.sources.size());
  c.n = static_cast<int>(sources.size());
  std::copy(s.coefficients.begin(), s.coefficients.end(), c.h.a.begin());
  c.h.profile = s.profile;
  c.from_start = s.from_start;
  d.model.joints.push_back(std::move(j));
  d.model.couplings.push_back(std::move(c));
  d.model.sources.insert(d.model.sources.end(), sources.begin(), sources.end());
}

}  // namespace

std::vector<JointSpec> add_couplings(Draft& d, const std::vector<CouplingSpec>& specs,
                                     const std::vector<JointSpec>& joints) {
  std::vector<JointSpec> out;
  for (const CouplingSpec& s : specs) {
    bool ok = d.claim(s.name, s.path, "joint", d.joints, static_cast<int>(d.model.joints.size()));
    ok &= check(d, s);
    std::vector<Source> sources;
    for (const CoordinateSpec& c : s.of)
      if (const auto source = source_of(d, s, c, joints)) sources.push_back(*source);
    if (!ok || sources.size() != s.of.size() || !check_kinds(d, s, sources)) continue;
    add(d, s, sources);
    JointSpec spec;
    spec.name = s.name;
    spec.path = s.path;
    spec.rows = {s.options};
    spec.rows[0].row = "value";
    out.push_back(std::move(spec));
  }
  return out;
}

namespace {
constexpr joint::Unit kLength = joint::Unit::metre, kAngle = joint::Unit::radian;

CouplingSpec couple(std::string kind, std::vector<joint::Unit> takes,
                    std::vector<CoordinateSpec> of, std::vector<double> coefficients) {
  CouplingSpec s;
  s.kind = std::move(kind);
  s.takes = std::move(takes);
  s.of = std::move(of);
  s.coefficients = std::move(coefficients);
  return s;
}
}  // namespace

CouplingSpec gear(CoordinateSpec a, CoordinateSpec b, double teeth_a, double teeth_b,
                  bool internal) {
  return couple("gear", {kAngle, kAngle}, {std::move(a), std::move(b)},
                {1, (internal ? -1 : 1) * teeth_b / teeth_a});
}

CouplingSpec belt(CoordinateSpec a, CoordinateSpec b, double radius_a, double radius_b,
                  bool crossed) {
  return couple("belt", {kAngle, kAngle}, {std::move(a), std::move(b)},
                {1, (crossed ? 1 : -1) * radius_b / radius_a});
}

CouplingSpec screw(CoordinateSpec travel, CoordinateSpec angle, double pitch) {
  return couple("screw", {kLength, kAngle}, {std::move(travel), std::move(angle)},
                {1, -pitch / (2 * M_PI)});
}

CouplingSpec rack(CoordinateSpec travel, CoordinateSpec angle, double radius) {
  return couple("rack", {kLength, kAngle}, {std::move(travel), std::move(angle)}, {1, -radius});
}

CouplingSpec pulley(CoordinateSpec a, CoordinateSpec b, double ratio) {
  return couple("pulley", {kLength, kLength}, {std::move(a), std::move(b)}, {1, ratio});
}

CouplingSpec cam(CoordinateSpec follower, CoordinateSpec angle,
                 std::shared_ptr<const joint::Profile> profile) {
  CouplingSpec s = couple("cam", {}, {std::move(follower), std::move(angle)}, {1, 0});
  s.profile = std::move(profile);
  s.from_start = false;
  return s;
}

namespace {
/// Second derivatives of the cubic spline through (x, y): natural, or periodic with the last point
/// the first again. Cyclic tridiagonal, by elimination and one correction (Sherman, Morrison 1950).
std::vector<double> curvatures(const std::vector<double>& x, const std::vector<double>& y,
                               bool periodic) {
  const std::size_t n = x.size() - 1;  // intervals
  const auto h = [&](std::size_t i) { return x[i % n + 1] - x[i % n]; };
  const auto slope = [&](std::size_t i) { return (y[i % n + 1] - y[i % n]) / h(i); };
  MatX A = MatX::Identity(static_cast<int>(n) + 1, static_cast<int>(n) + 1);
  VecX b = VecX::Zero(static_cast<int>(n) + 1);
  for (std::size_t i = periodic ? 0 : 1; i < n; ++i) {
    const std::size_t before = (i + n - 1) % n;
    const auto row = static_cast<int>(i);
    A(row, row) = 2 * (h(before) + h(i));
    A(row, periodic ? static_cast<int>(before) : row - 1) += h(before);
    A(row, periodic ? static_cast<int>((i + 1) % n) : row + 1) += h(i);
    b[row] = 6 * (slope(i) - slope(before));
  }
  if (periodic) A(static_cast<int>(n), 0) = -1;  // the last is the first
  const VecX m = dense::Lu(A).solve(b);
  return {m.begin(), m.end()};
}
}  // namespace

namespace {
void check_points(const std::vector<double>& x, const std::vector<double>& y, bool periodic) {
  const auto finite = [](double v) { return std::isfinite(v); };
  if (x.size() < 3 || x.size() != y.size())
    throw std::invalid_argument(
        fmt::format("a spline takes at least three points, as many lifts as coordinates: there are "
                    "{} and {}",
                    y.size(), x.size()));
  if (!std::all_of(x.begin(), x.end(), finite) || !std::all_of(y.begin(), y.end(), finite))
    throw std::invalid_argument("a point of a spline is not finite");
  if (std::adjacent_find(x.begin(), x.end(), std::greater_equal<>()) != x.end())
    throw std::invalid_argument("the coordinates of a spline's points must rise");
  if (periodic && y.front() != y.back())
    throw std::invalid_argument("the last lift of a periodic profile is the first");
}
}  // namespace

joint::Profile tabulated(std::vector<double> x, std::vector<double> y, bool periodic) {
  check_points(x, y, periodic);
  std::vector<double> m = curvatures(x, y, periodic);
  return [x = std::move(x), y = std::move(y), m = std::move(m), periodic](double at) {
    const double turn = periodic ? std::floor((at - x.front()) / (x.back() - x.front())) : 0;
    at -= turn * (x.back() - x.front());
    const double inside = std::clamp(at, x.front(), x.back());
    const auto next = std::upper_bound(x.begin() + 1, x.end() - 1, inside);
    const auto i = static_cast<std::size_t>(next - x.begin()) - 1;
    const double h = x[i + 1] - x[i], a = (x[i + 1] - inside) / h, b = (inside - x[i]) / h;
    Jet f{
        a * y[i] + b * y[i + 1] + ((a * a * a - a) * m[i] + (b * b * b - b) * m[i + 1]) * h * h / 6,
        (y[i + 1] - y[i]) / h + ((1 - 3 * a * a) * m[i] + (3 * b * b - 1) * m[i + 1]) * h / 6,
        a * m[i] + b * m[i + 1]};
    if (at == inside) return f;
    return Jet{f.x + (at - inside) * f.v, f.v, 0};  // straight on beyond the table
  };
}

joint::Profile polynomial(std::vector<double> c) {
  return [c = std::move(c)](double x) {
    Jet f;
    for (std::size_t i = c.size(); i-- > 0;) {  // Horner, with both derivatives
      f.a = f.a * x + 2 * f.v;
      f.v = f.v * x + f.x;
      f.x = f.x * x + c[i];
    }
    return f;
  };
}

}  // namespace trammel::model

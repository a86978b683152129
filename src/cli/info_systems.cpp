// The equations of systems in generalised coordinates, for `trammel info`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "body/system.h"
#include "cli/info.h"
#include "expr/build.h"
#include "expr/latex.h"
#include "expr/parse.h"
#include "expr/readable.h"
#include "math/index.h"
#include "model/system.h"

namespace trammel::cli {

namespace {

using body::symbolic::minus;
using body::symbolic::plus;
using body::symbolic::times;
using expr::Expression;

constexpr std::size_t kMostText = 400;  // bytes of an expression

/// The equations with numbers for masses, gravity among the potentials.
struct Written {
  std::vector<std::string> coordinates, units;
  Expression V;
  std::vector<Expression> A, b, slope;  // lower triangle; b; grad V
  std::vector<bool> cyclic;             // nothing depends on the coordinate
  std::string error;
};

Expression weight(const body::SystemSpec& spec, const body::Equations& e, const Vec3& g) {
  Expression V = e.V;
  for (std::size_t k = 0; k < spec.objects.size(); ++k)
    for (std::size_t i = 0; i < 3; ++i)
      V = minus(V, times(spec.objects[k].mass * g[static_cast<int>(i)], e.objects[k].p[i]));
  return V;
}

Expression readable_or_0(Expression e, expr::Graph& graph) {
  return e ? expr::readable(e) : graph.constant(0);
}

Written written(const body::SystemSpec& spec, const Vec3& gravity) {
  Written out;
  body::SystemSpec heavy = spec;
  body::Equations e = body::lagrange(heavy, false);
  out.error = e.error;
  if (!out.error.empty()) return out;
  heavy.potential = weight(spec, e, gravity);
  e = body::lagrange(heavy, false);
  out.error = e.error;
  if (!out.error.empty()) return out;
  expr::Graph& graph = *spec.graph;
  for (const body::SystemCoordinate& c : spec.coordinates) {
    out.coordinates.push_back(c.name);
    out.units.emplace_back(c.is_angle ? "rad" : "m");
  }
  out.V = readable_or_0(e.V, graph);
  for (const Expression& a : e.A) out.A.push_back(readable_or_0(a, graph));
  for (std::size_t i = 0; i < out.coordinates.size(); ++i) {
    out.b.push_back(readable_or_0(e.b[i], graph));
    out.slope.push_back(readable_or_0(e.grad_V[i], graph));
    const Expression dL = readable_or_0(minus(e.grad_T[i], e.grad_V[i]), graph);
    out.cyclic.push_back(expr::is_constant(dL) && expr::constant_value(dL) == 0);
  }
  return out;
}

/// A_ij of the lower triangle.
Expression entry(const Written& w, std::size_t i, std::size_t j) {
  return i >= j ? w.A[i * (i + 1) / 2 + j] : w.A[j * (j + 1) / 2 + i];
}

/// The left side of an equation.
Expression left(const Written& w, std::size_t i) {
  Expression sum;
  expr::Graph& graph = *w.V.graph;
  for (std::size_t j = 0; j < w.coordinates.size(); ++j) {
    const Expression a = entry(w, i, j);
    if (expr::is_constant(a) && expr::constant_value(a) == 0) continue;
    sum = plus(sum, times(a, graph.variable(w.coordinates[j] + "''")));
  }
  for (const Expression& e : {w.b[i], w.slope[i]})
    if (!(expr::is_constant(e) && expr::constant_value(e) == 0)) sum = plus(sum, e);
  return sum ? sum : graph.constant(0);
}

std::string plain(const std::string& name, const Written& w) {
  std::string out = fmt::format("\nsystem '{}'\n", name);
  if (!w.error.empty()) return out + "  " + w.error + "\n";
  for (std::size_t i = 0; i < w.coordinates.size(); ++i)
    out += fmt::format("  {} [{}]{}\n", w.coordinates[i], w.units[i],
                       w.cyclic[i] ? ", cyclic: its momentum is kept where no law acts on it" : "");
  const auto text = [](Expression e) { return expr::to_text(e, kMostText); };
  out += "  V = " + text(w.V) + "\n";
  for (std::size_t i = 0; i < w.coordinates.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      out += fmt::format("  A({}, {}) = {}\n", w.coordinates[i], w.coordinates[j],
                         text(entry(w, i, j)));
  for (std::size_t i = 0; i < w.coordinates.size(); ++i)
    out += fmt::format("  b({}) = {}\n", w.coordinates[i], text(w.b[i]));
  out += "  equations, Q what laws, loads and joints make\n";
  for (std::size_t i = 0; i < w.coordinates.size(); ++i)
    out += fmt::format("  {} = Q({})\n", text(left(w, i)), w.coordinates[i]);
  return out;
}

void json(const std::vector<std::string>& names, const Written& w, io::Json& out) {
  out.begin('{').field("name", names[0]);
  if (names.size() > 1)
    out.key("alike").value(std::vector<std::string>(names.begin() + 1, names.end()));
  if (!w.error.empty()) {
    out.field("error", w.error).end();
    return;
  }
  const std::size_t n = w.coordinates.size();
  out.key("coordinates").begin('[');
  for (std::size_t i = 0; i < n; ++i)
    out.begin('{')
        .field("name", w.coordinates[i])
        .field("unit", w.units[i])
        .field("cyclic", static_cast<bool>(w.cyclic[i]))
        .end();
  out.end().field("V", expr::to_text(w.V)).key("A").begin('[');
  std::vector<std::string> b, equations;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::string> row;
    for (std::size_t j = 0; j < n; ++j) row.push_back(expr::to_text(entry(w, i, j)));
    out.value(row);
    b.push_back(expr::to_text(w.b[i]));
    equations.push_back(fmt::format("{} = Q({})", expr::to_text(left(w, i)), w.coordinates[i]));
  }
  out.end().field("b", b).field("equations", equations).end();
}

std::string latex(const std::string& name, const Written& w) {
  std::string out = fmt::format("% system {}\n", name);
  if (!w.error.empty()) return out + "% " + w.error + "\n";
  out += "\\begin{align}\n  V &= " + expr::to_latex(w.V) + " \\\\\n  A &= \\begin{pmatrix}\n";
  const std::size_t n = w.coordinates.size();
  for (std::size_t i = 0; i < n; ++i) {
    out += "    ";
    for (std::size_t j = 0; j < n; ++j) out += (j ? " & " : "") + expr::to_latex(entry(w, i, j));
    out += i + 1 < n ? " \\\\\n" : "\n";
  }
  out += "  \\end{pmatrix} \\\\\n";
  for (std::size_t i = 0; i < n; ++i)
    out += fmt::format("  {} &= Q_{{{}}}{}\n", expr::to_latex(left(w, i)),
                       expr::name_in_latex(w.coordinates[i]), i + 1 < n ? " \\\\" : "");
  return out + "\\end{align}\n";
}

/// Calls f(names of the systems, equations of the first), which hold for all but for masses.
template <class F>
void for_systems(const model::Built& built, F&& f) {
  const Vec3 g = vec3(built.params.values.data() + model::kGravityParam);
  for (const model::PoolSlot& s : built.model->pools)
    if (const auto* pool = model::system_of(s)) {
      std::vector<std::string> names;
      for (int b = 0; b < pool->n_blocks; ++b)
        names.push_back(model::system_name(*built.model, s, b));
      f(names, written(pool->spec(), g));
    }
}

/// Names behind the first, not all of many.
std::string others(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 8;
  std::string out;
  for (std::size_t i = 1; i < names.size(); ++i)
    if (i <= kMost || i + 1 == names.size())
      out += (i == 1 ? "" : i > kMost + 1 ? ", ..., " : ", ") + names[i];
  return out;
}

}  // namespace

std::string info_systems(const model::Built& built, bool as_latex) {
  std::string out;
  for_systems(built, [&](const std::vector<std::string>& names, const Written& w) {
    out += as_latex ? latex(names[0], w) : plain(names[0], w);
    if (names.size() > 1)
      out += fmt::format(
          "{}{} more have the same equations, with masses and moments of their own: {}\n",
          as_latex ? "% " : "  ", names.size() - 1, others(names));
  });
  return out;
}

void info_systems(const model::Built& built, io::Json& to) {
  to.begin('[');
  for_systems(built,
              [&](const std::vector<std::string>& names, const Written& w) { json(names, w, to); });
  to.end();
}

}  // namespace trammel::cli

// A force by a formula, from outside: 2 kg on a spring of 2 N/m, x = cos t.
#include <fmt/core.h>
#include <trammel/expr/adapters.h>
#include <trammel/expr/parse.h>
#include <trammel/sim/simulation.h>
using namespace trammel;

int main() {
  expr::Graph graph;
  expr::Symbols names(graph);
  names.variable("x", units::kLength);
  names.variable("v", units::kSpeed);
  names.variable("t", units::kTime);
  const expr::Parsed parsed = expr::parse("-2 [N/m]*x", names, units::kForce);
  for (const expr::Problem& p : parsed.problems) fmt::print("{}: {}\n", p.column, p.text);
  if (!parsed) return 2;
  const expr::Compiled c = expr::compile_force(parsed.expression, graph.variable("x"),
                                               graph.variable("v"), graph.variable("t"));
  const auto force = [f = expr::ForceOf(c.tape)](double x, double v, double t) {
    const expr::ForceValue y = f(x, v, t);
    return law::Force{y.f, y.f_x, y.f_v};
  };
  model::Builder builder;
  const model::Solid ball{model::Solid::Kind::sphere, {0.05, 0, 0}};
  builder.add_body({.name = "ball", .mass = 2, .solid = ball, .X_WB = {{1, 0, 0}}});
  builder.add_joint(
      {.name = "slide", .type = "prismatic", .b = "ball", .frame_a = Pose{}, .frame_b = Pose{}});
  builder.add_law({.name = "spring",
                   .type = "spring",
                   .joint = "slide",
                   .coordinate = "travel",
                   .function = std::make_shared<law::ForceFunction>(force)});
  sim::Simulation run(std::get<model::Built>(builder.build()), {.duration = 1, .step = 1e-3});
  while (!run.finished() && run.advance()) continue;
  fmt::print("x = {:.4f} m after {} s\n", run.formulation().now().T_WO[1].p.x(), run.state().t);
}

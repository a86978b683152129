#include <fmt/core.h>
#include <trammel/sim/trial.h>
using namespace trammel;

// A law of the program's own: f = -stiffness (1 + hardening x^2) x (docs/adding-a-law.md).
constexpr law::Parameter kNumbers[] = {
    {"stiffness", law::Quantity::force_per_x, 0, 0, law::kInf, "at the middle"},
    {"hardening", law::Quantity::ratio, 0, 0, law::kInf, "share by which it is stiffer"}};

law::ConstraintSpec no_constraint(const law::Law&, const double*, double) {
  law::ConstraintSpec out;
  out.level = law::Level::force;
  return out;
}
law::Force pull(const law::Law&, const double* p, double x, double, const law::Instant&) {
  return {-p[0] * (1 + p[1] * x * x) * x, -p[0] * (1 + 3 * p[1] * x * x), 0};
}
double stored(const law::Law&, const double* p, double x) {
  return p[0] * x * x * (0.5 + 0.25 * p[1] * x * x);
}
constexpr law::Type kHardening{.name = "hardening",
                               .doc = "spring that stiffens as it moves out",
                               .parameters = kNumbers,
                               .conservative = true,
                               .constraint = no_constraint,
                               .force = pull,
                               .energy = stored};

int main() {
  model::Builder builder;
  const model::Solid ball{model::Solid::Kind::sphere, {0.05, 0, 0}};
  builder.add_body({.name = "ball", .mass = 2, .solid = ball, .X_WB = {{0.5, 0, 0}}});
  builder.add_joint(
      {.name = "slide", .type = "prismatic", .b = "ball", .frame_a = Pose{}, .frame_b = Pose{}});
  builder.add_law({.name = "spring",
                   .joint = "slide",
                   .coordinate = "travel",
                   .numbers = {{"stiffness", 20}, {"hardening", 8}},
                   .own_type = &kHardening});
  sim::Trial trial(std::get<model::Built>(builder.build()), {.duration = 1, .step = 1e-3});
  const double before = trial.simulation().energy();
  while (trial.advance()) continue;
  fmt::print("x = {:.4f} m, energy {:.3f} J of {:.3f} J\n", trial.now().coordinate("slide.travel"),
             trial.simulation().energy(), before);
  return 0;
}

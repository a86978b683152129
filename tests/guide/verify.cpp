#include <fmt/core.h>
#include <trammel/verify/verify.h>
using namespace trammel;

int main() {
  model::Builder builder;
  const model::Solid ball{model::Solid::Kind::sphere, {0.05, 0, 0}};
  builder.add_body({.name = "bob", .mass = 2, .solid = ball, .X_WB = {{0, 1, 0}}});
  builder.add_joint({.name = "pivot", .type = "revolute", .b = "bob", .at = Pose{}});
  const auto built = std::get<model::Built>(builder.build());
  const verify::Report report =
      verify::verify(built, {.duration = 0.2, .step = 2e-3}, {.choose_horizon = false});
  fmt::print("{}\n", report.status());
  for (const std::string& finding : report.findings) fmt::print("{}\n", finding);
  return 0;
}

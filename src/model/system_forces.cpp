#include "model/system_forces.h"

#include <fmt/format.h>

#include "expr/build.h"
#include "expr/derivative.h"
#include "law/formula_force.h"
#include "math/index.h"
#include "math/signal.h"

namespace trammel::model {

namespace {

using expr::Expression;

class Forces {
 public:
  Forces(const SystemSpec& spec, std::vector<Problem>& wrong) : s_(spec), wrong_(wrong) {}

  std::vector<LawSpec> run() {
    dissipate();
    std::vector<Expression> sum(s_.of.coordinates.size());
    std::vector<std::string> paths(sum.size());
    for (const SystemForce& f : s_.forces) {
      if (f.coordinate < 0 || at(f.coordinate) >= sum.size() || !f.force) {
        complain(path_of(f), "a force acts on one of its coordinates");
        continue;
      }
      Expression& all = sum[at(f.coordinate)];
      all = all ? all + f.force : f.force;
      paths[at(f.coordinate)] = path_of(f);
    }
    for (std::size_t i = 0; i < sum.size(); ++i)
      if (sum[i]) add(i, sum[i], "force", paths[i]);
    return std::move(out_);
  }

 private:
  void complain(const std::string& path, const std::string& text) {
    wrong_.push_back({path, fmt::format("system '{}': {}", s_.name, text)});
  }
  std::string path_of(const SystemForce& f) const { return f.path.empty() ? s_.path : f.path; }

  /// -dD/dx'_i on each coordinate.
  void dissipate() {
    if (!s_.dissipation) return;
    const std::string path = s_.path + ".dissipation";
    bool any = false;
    for (std::size_t i = 0; i < s_.of.coordinates.size(); ++i) {
      const Expression rate = rate_of(*s_.of.graph, s_.of.coordinates[i]);
      if (!depends(s_.dissipation, rate)) continue;
      any = true;
      const expr::Derivative d = expr::derivative(s_.dissipation, rate);
      if (!d) return complain(path, d.error);
      add(i, -d.value, "dissipation", path);
    }
    if (!any)
      complain(path,
               "the dissipation depends on no rate: it is Rayleigh's function, whose "
               "derivatives by the rates are the forces against them");
  }

  /// A law on coordinate i that follows what else its force depends on.
  void add(std::size_t i, Expression force, const char* what, const std::string& path) {
    const auto& coordinates = s_.of.coordinates;
    std::vector<Expression> variables{coordinates[i].x, rate_of(*s_.of.graph, coordinates[i]),
                                      time_of(*s_.of.graph)};
    std::vector<std::string> live;
    const auto follow = [&](Expression variable, const std::string& name) {
      if (!depends(force, variable)) return;
      variables.push_back(variable);
      live.push_back(name);
    };
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      if (k == i) continue;
      const std::string name = dial_of(s_.name, coordinates[k].name) + "." +
                               dial_table(coordinates[k].is_angle)->coordinates.front().name;
      follow(coordinates[k].x, name);
      follow(rate_of(*s_.of.graph, coordinates[k]), name + ".rate");
    }
    for (const auto& [name, variable] : s_.inputs) follow(variable, name);
    const std::string joint = dial_of(s_.name, coordinates[i].name);
    if (live.size() > kMostLive)
      return complain(path, fmt::format("the {} on '{}' follows {} others, at most {} are possible",
                                        what, coordinates[i].name, live.size(), kMostLive));
    LawSpec law;
    law::FormulaForce made = law::formula_force(force, variables, std::move(live));
    if (!made.function) return complain(path, made.error);
    law.name = joint + "." + what;
    law.path = path;
    law.type = "spring";
    law.joint = joint;
    law.function = std::move(made.function);
    out_.push_back(std::move(law));
  }

  const SystemSpec& s_;
  std::vector<Problem>& wrong_;
  std::vector<LawSpec> out_;
};

}  // namespace

std::vector<LawSpec> forces_of(const SystemSpec& spec, std::vector<Problem>& wrong) {
  return Forces(spec, wrong).run();
}

}  // namespace trammel::model

#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expr/parse.h"
#include "expr/points.h"
#include "io/scene_value.h"

/// Formulas in scenes, with the constants and data that all of them may name. What is wrong in one
/// is a problem at its place in the file.
namespace trammel::io {

class Formulas {
 public:
  using Dimension = units::Dimension;
  using Maybe = std::optional<Dimension>;

  explicit Formulas(Findings& findings) : findings_(findings) {}

  /// Sections of the scene: names for numbers, and points for table(x, name), spline(x, name).
  void add_constants(const Value& map);
  void add_data(const Value& list);

  /// A quantity of the time t.
  Signal signal(const Value& text, Place quote, const Maybe& result);
  /// A force of the coordinate x, its rate v and the time t.
  std::shared_ptr<const law::ForceFunction> force(const Value& text, Place quote, const Maybe& x);
  /// Returns what follows the coordinate x.
  std::shared_ptr<const joint::Profile> profile(const Value& text, Place quote, const Maybe& x,
                                                const Maybe& result);

 private:
  using Variables = std::vector<std::pair<std::string, Maybe>>;
  std::optional<expr::Points> points(const Value& data);
  const expr::Symbols& with(const Variables& variables);
  expr::Parsed parse(const Value& text, Place quote, const Variables& variables,
                     const Maybe& result);
  void name(const Value& v, std::string wrong);

  Findings& findings_;
  expr::Graph graph_{1'000'000};
  expr::Symbols common_{graph_};
  std::list<std::pair<Variables, expr::Symbols>> known_;  // by what the variables are
};

}  // namespace trammel::io

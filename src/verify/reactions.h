#pragma once

#include <string>
#include <vector>

#include "sim/simulation.h"
#include "verify/determined.h"

/// Reactions of joints in several ways of solving, side by side (docs/verify.md).
namespace trammel::verify {

struct Methods;
struct Series;

/// What a run leaves of reactions: their values at the times of a grid, kComponents numbers a
/// joint, all joints, time after time. In the velocity formulation the mean of both steps beside
/// that time: each is a mean over its step, the mean of both is the value between them but for a
/// part of order h^2.
struct ReactionSamples {
  std::size_t joints = 0;
  std::vector<double> value;
  /// By how much steps beside that time differ from a straight line, the force and the torque of
  /// each joint: of order h^2 where the reaction is smooth, its jump where it jumps. Zero where
  /// steps are longer than the scene's.
  std::vector<double> rough;
  long times() const { return joints == 0 ? 0 : static_cast<long>(rough.size() / (2 * joints)); }
};

/// Takes samples of the reactions of a run: see() is called at its start and after every step.
class ReactionWatch {
 public:
  /// `every`: so many steps from one time of the grid to the next.
  ReactionWatch(const form::Settings& form, long every) : form_(&form), every_(every) {}
  void see(const sim::Simulation& run);
  ReactionSamples samples;

 private:
  using Reactions = std::vector<model::Reaction>;
  void put(const Reactions& before, const Reactions& here, const Reactions& next,
           const Reactions& after);

  const form::Settings* form_;
  long every_;
  std::vector<Reactions> last_;  // of the last steps, up to four of them
};

/// One component of the reaction of a joint in two series.
struct ReactionPair {
  std::size_t a = 0, b = 0;  // of Report::series
  std::string joint;         // where they differ by the greatest part of what is allowed
  std::string component;     // "fx" ... "tz"
  const char* unit = "N";
  double t = 0, value_a = 0, value_b = 0, allowed = 0;
  bool differs = false;  // by more than is allowed
};

/// How far the reactions of a series' first run, with the scene's own step or the coarsest
/// accuracy, are from its limit, where that is the greatest part of the greatest reaction.
struct ReactionError {
  std::size_t series = 0;
  double order = 0;  // observed; NaN: not to be seen
  std::string joint, component;
  const char* unit = "N";
  double t = 0, value = 0, error = 0;
};

struct ReactionReport {
  std::vector<ReactionError> errors;
  std::vector<ReactionPair> pairs;
  std::size_t joints = 0;      // whose reactions are compared
  std::size_t components = 0;  // of them
  std::vector<std::string> left_out, findings;
};

/// Compares the reactions of all joints between two objects, all components that are determined;
/// `until`: times of the grid up to which each series is resolved.
ReactionReport compare_reactions(const Methods& methods, const std::vector<Series>& series,
                                 const std::vector<long>& until);

}  // namespace trammel::verify

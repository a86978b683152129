#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verify/growth.h"
#include "verify/independent.h"
#include "verify/meetings.h"
#include "verify/own_run.h"
#include "verify/series.h"

/// Solves a scene in several ways and compares what they tend to (docs/verify.md).
namespace trammel::verify {

struct Options {
  bool choose_horizon = true;  // so that it takes about `work`; else the settings' duration
  double work = 25e9;          // [units of form::Meter]: some half a minute of one core
  Watch watch = {};
};

/// Limits of two series.
struct Pair {
  std::size_t a = 0, b = 0;          // of Report::series
  long until = 0;                    // times compared
  Distance greatest, final;          // over all these times, and at the last
  double length_t = 0, angle_t = 0;  // when they were greatest [s]
  Distance allowed;                  // at the last of them
  long differs = -1;                 // first time at which more than uncertainty is between them
  std::string body;                  // which one differs there; or is farthest off
};

/// A series that says nothing from a time on.
struct Unresolved {
  std::size_t series = 0;
  double from = 0;  // [s]
  std::string why;
};

/// The verdicts, the graver one first where several are due.
enum class Verdict : unsigned char { unfinished, disagrees, ill_posed, not_resolved, agrees };
constexpr std::string_view name_of(Verdict v) {
  constexpr std::string_view kNames[] = {"unfinished", "disagrees", "ill-posed", "not resolved",
                                         "agrees"};
  return kNames[static_cast<int>(v)];
}

struct Report {
  Grid grid;
  double size = 1;    // of the mechanism and its motion [m]
  Distance rounding;  // what places and directions are known to
  std::vector<Series> series;
  std::vector<LeftOut> left_out;
  Growth growth;
  std::vector<long> resolved;          // of each series: times before its uncertainty exceeds kLost
  std::vector<double> chaotic_beyond;  // of each series [s]; infinite: not
  std::vector<double> late_beyond;     // from when on impacts leave more than kLate, likewise
  std::vector<Pair> pairs;
  Meetings meetings;  // of bodies that touch
  ReactionReport reactions;
  std::vector<std::string> findings;   // empty: all that is resolved agrees
  std::vector<Unresolved> unresolved;  // not for chaos: see chaotic_beyond
  std::vector<std::string> ill_posed;  // why forces are not determined: balance.h, sticking.h
  bool motion_undetermined = false;    // and the motion depends on them
  std::vector<int> object;             // of the scene, those that are compared
  std::optional<Independent> independent;
  std::optional<OwnRun> own_run;
  std::vector<std::string> unfinished;  // what was not done, and why; else empty
  double t0 = 0;
  double time(long k) const { return t0 + static_cast<double>(k + 1) * grid.apart(); }  // [s]
  /// Findings are none where something is left undone; what is not resolved contradicts nobody.
  Verdict verdict() const {
    if (!unfinished.empty()) return Verdict::unfinished;
    if (!findings.empty()) return Verdict::disagrees;
    if (!ill_posed.empty()) return Verdict::ill_posed;
    return unresolved.empty() ? Verdict::agrees : Verdict::not_resolved;
  }
  bool agrees() const { return verdict() == Verdict::agrees; }
  std::string status() const { return std::string(name_of(verdict())); }
  /// Returns the first time from which on a series says nothing; infinite: all say something.
  double resolved_until() const {
    double out = std::numeric_limits<double>::infinity();
    for (const Unresolved& u : unresolved) out = std::min(out, u.from);
    return out;
  }
};

/// Returns the series whose limit is known best, and longest.
std::size_t reference(const Report& report);

/// Records the scene's own method over the horizon of the report into a file with what the header
/// says of the scene, checks it, and puts what is wrong among the findings.
void check_results(const model::Built& built, const sim::Settings& settings,
                   const io::Header& header, const std::string& file, Report& report,
                   const Options& options = {});

/// The same mechanism made of something else, with settings of its own.
struct Twin {
  const model::Built* built = nullptr;
  form::Settings form = {};
};

/// All methods that the content allows, those of a twin too. Throws what add_twin throws.
Report verify(const model::Built& built, const sim::Settings& settings, const Options& options,
              const Twin& twin = {});
/// These methods; all of mechanisms with the same bodies.
Report compare(const Methods& methods, const sim::Settings& settings, const Options& options);

}  // namespace trammel::verify

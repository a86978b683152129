// What is said of energy that is lost at kinks of tracks.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "math/index.h"
#include "sim/judgement_forces.h"

namespace trammel::sim {

namespace {

constexpr std::size_t kMostNames = 3;  // of joints that a text names

/// What the joints on one track have lost, the names of those that have lost most first.
struct TrackLoss {
  double energy = 0;
  long count = 0;
  std::vector<std::pair<double, std::string>> joints;
};

std::string worst_names(TrackLoss& of) {
  std::stable_sort(of.joints.begin(), of.joints.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string out;
  for (std::size_t i = 0; i < std::min(kMostNames, of.joints.size()); ++i)
    out += fmt::format("{}'{}'", i > 0 ? ", " : "", of.joints[i].second);
  const std::size_t more = of.joints.size() - std::min(kMostNames, of.joints.size());
  return more > 0 ? fmt::format("{} and {} more", out, more) : out;
}

}  // namespace

void judge_kinks(const Watch& watch, const model::Model& model, std::vector<Warning>& out) {
  const Kinks& k = watch.seen.kinks;
  const double limit = kShareLimit * k.kinetic;
  if (!(k.lost.worst > limit)) return;
  std::vector<TrackLoss> tracks(model.tracks.size());
  for (const model::Joint& joint : model.joints) {
    if (joint.arc < 0) continue;
    const KinkLoss& loss = k.joints[at(joint.arc)];
    if (loss.count == 0) continue;
    TrackLoss& of = tracks[at(loss.track)];
    of.energy += loss.energy;
    of.count += loss.count;
    of.joints.emplace_back(loss.energy, joint.name);
  }
  const auto worst = std::max_element(tracks.begin(), tracks.end(),
                                      [](auto& a, auto& b) { return a.energy < b.energy; });
  Warning w;
  w.kind = WarningKind::energy_lost_at_kinks;
  w.subject = model.tracks[static_cast<std::size_t>(worst - tracks.begin())].name;
  w.value = k.lost.worst;
  w.limit = limit;
  w.unit = "J";
  w.t_first = k.lost.first_beyond(limit);
  w.t_worst = k.lost.t_worst;
  w.text = fmt::format(
      "its kinks have taken {:.3g} J from joint{} {} in {} impacts; all kinks together {:.3g} J, "
      "{:.3g} % of the greatest kinetic energy of {:.3g} J",
      worst->energy, worst->joints.size() > 1 ? "s" : "", worst_names(*worst), worst->count,
      w.value, 100 * w.value / k.kinetic, k.kinetic);
  w.remedy = "lay curves or transitions there, so that the direction of the track does not jump";
  out.push_back(w);
}

void judge_rolling(const Watch& watch, const model::Model& model, const std::string& remedy,
                   std::vector<Warning>& out) {
  const Climb& taken = watch.seen.touches.taken;
  const double kinetic = watch.seen.kinks.kinetic, limit = kShareLimit * kinetic;
  if (!(taken.worst > limit)) return;
  Warning w;
  w.kind = WarningKind::coarse_rolling;
  w.subject = model.name;
  w.t_first = taken.first_beyond(limit);
  w.t_worst = taken.t_worst;
  w.value = taken.worst;
  w.limit = limit;
  w.unit = "J";
  w.grave = w.value > kGrave * limit;
  w.text = fmt::format(
      "where bodies touch goes far over a shape in an eighth of a step; what happens in between is "
      "not seen, and has changed the energy by {:.3g} J, {:.3g} % of the greatest "
      "kinetic energy",
      w.value, 100 * w.value / kinetic);
  w.remedy = remedy;
  out.push_back(w);
}

}  // namespace trammel::sim

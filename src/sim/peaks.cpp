// Which channels are watched, and how; sim/peaks_list.cpp says what comes out of it.
#include "sim/peaks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "constraint/row_kinds.h"
#include "math/index.h"
#include "sim/parts.h"

namespace trammel::sim {

namespace {

constexpr std::string_view kReactions = "/joints/reactions", kCouplings = "/couplings/reaction",
                           kLaws = "/laws/force", kPairs = constraint::ContactRecord::kPairs,
                           kTouchers = constraint::ContactRecord::kBodies, kForces = "/loads/force",
                           kTorques = "/loads/torque", kTracks = "/tracks/running";

/// A dataset whose channels are watched.
struct Watched {
  std::string_view path;
  const char* kind;
  bool force, at_frames;
  int blows = -1;  // Blown: impulses of its items are watched too
};
constexpr std::array<Watched, 10> kWatched{{{"/probes/acceleration", "probe", false, false},
                                            {kReactions, "joint", true, false, kJointBlows},
                                            {kCouplings, "coupling", true, false, kCouplingBlows},
                                            {kLaws, "law", true, false, kLawBlows},
                                            {kPairs, "contact", true, false, kTouchBlows},
                                            {kTouchers, "contact", true, true, kTouchBlows},
                                            {kForces, "load", true, false},
                                            {kTorques, "load", true, false},
                                            {kTracks, "track", false, true},
                                            {"/bodies/strain", "body", false, false}}};

bool has(const Recorder& recorder, std::string_view path) {
  const std::vector<Quantity>& all = recorder.quantities();
  return std::any_of(all.begin(), all.end(), [&](const Quantity& q) { return q.path == path; });
}

/// Contacts by pairs, where these have channels; else by bodies.
std::vector<std::string_view> watched_paths(const Recorder& recorder) {
  std::vector<std::string_view> out;
  for (const Watched& w : kWatched)
    if (w.path != kTouchers || !has(recorder, kPairs)) out.push_back(w.path);
  return out;
}

}  // namespace

Peaks::Peaks(const Simulation& simulation, PeaksSeen& seen)
    : sim_(&simulation), seen_(&seen), recorder_(simulation) {
  recorder_.keep_only(watched_paths(recorder_));
  add_series();
  find_items();
}

void Peaks::add_series() {
  std::size_t first = 0;
  for (std::size_t i = 0; i < recorder_.quantities().size(); ++i) {
    const Quantity& q = recorder_.quantities()[i];
    const auto w = std::find_if(kWatched.begin(), kWatched.end(),
                                [&](const Watched& x) { return x.path == q.path; });
    const bool load = q.path == kForces || q.path == kTorques,
               at_frames = w->at_frames || (load && recorder_.loads_move());
    series_.push_back({i, w->kind, w->force, at_frames, w->blows, first, q.columns.size(),
                       recorder_.joints_of(q.path)});
    first += q.items.size() * q.columns.size();
    rates_at_frames_ |= at_frames && (load || q.path == kTracks);
    if (w->blows >= 0) seen_->blows[at(w->blows)].resize(q.items.size());
  }
  seen_->channels.resize(first);
}

void Peaks::find_items() {
  const model::Model& m = sim_->model();
  joint_item_.assign(m.joints.size(), -1);
  law_item_.assign(m.rows.size(), -1);
  const std::vector<int> joints = recorder_.joints_of(kReactions), &laws = recorder_.laws();
  for (int i = 0; i < count(joints); ++i) joint_item_[at(joints[at(i)])] = i;
  for (int i = 0; i < count(laws); ++i) law_item_[at(m.laws[at(laws[at(i)])].row)] = i;
  part_ = parts_of(m);
  for (int j = 0; j < count(m.joints); ++j) part_of_joint_.push_back(part_of_joint(m, part_, j));
  shaken_.assign(m.objects.size(), 0);  // there are no more mechanisms than objects
  met_.assign(seen_->blows[kTouchBlows].size(), 0);
  pair_impulse_.assign(met_.size(), Vec3::Zero());
  row_impulse_.assign(m.rows.size(), 0);
  seen_->rows.assign(m.rows.size(), 0);
}

/// True where the numbers of an item are no forces: of a joint that has let go, and where they
/// have the impulse of an impact in them.
bool Peaks::is_hidden(const Series& s, std::size_t item) const {
  if (s.blows == kTouchBlows) return met_[item] != 0;
  if (s.joint.empty()) return false;
  const std::size_t joint = at(s.joint[item]);
  if (!sim_->state().on[joint]) return true;
  const int part = part_of_joint_[joint];
  return s.force && part >= 0 && shaken_[at(part)] != 0;
}

void Peaks::see(bool frame) {
  const auto needs_points = [&](const Series& s) {
    return s.blows == kTouchBlows && (frame || !s.at_frames);
  };
  recorder_.take(frame && rates_at_frames_,
                 std::any_of(series_.begin(), series_.end(), needs_points));
  for (const Series& s : series_) {
    if (s.force && sim_->last().struck) continue;
    if (recorder_.quantities()[s.quantity].path == kReactions)
      see_reactions(s, frame);
    else if (frame || !s.at_frames)
      see(s);
  }
}

void Peaks::see(const Series& s) {
  const std::vector<double>& x = recorder_.frame(s.quantity);
  for (std::size_t i = 0; i * s.columns < x.size(); ++i) {
    if (is_hidden(s, i)) continue;
    for (std::size_t c = i * s.columns; c < (i + 1) * s.columns; ++c)
      seen_->channels[s.first + c].see(x[c], sim_->state().t);
  }
}

/// Returns true where a row of a joint carries more than ever before.
bool Peaks::carries_more(int joint) {
  const model::Model& m = sim_->model();
  const std::vector<double>& force = sim_->formulation().row_forces();
  bool out = false;
  for (std::size_t row = at(m.joints[at(joint)].first_row);
       row < m.rows.size() && m.rows[row].joint == joint; ++row) {
    const double size = std::abs(force[row]);
    out |= size > seen_->rows[row];
    seen_->rows[row] = std::max(seen_->rows[row], size);
  }
  return out;
}

void Peaks::see_reactions(const Series& s, bool frame) {
  const double t = sim_->state().t;
  for (std::size_t i = 0; i < s.joint.size(); ++i) {
    if (is_hidden(s, i) || !(carries_more(s.joint[i]) || frame)) continue;
    const model::Reaction r = sim_->formulation().reaction(at(s.joint[i]));
    Greatest* channel = &seen_->channels[s.first + i * s.columns];
    for (int k = 0; k < 3; ++k) {
      channel[k].see(r.force[k], t);
      channel[3 + k].see(r.torque[k], t);
    }
  }
}

void Peaks::end_step() {
  std::fill(shaken_.begin(), shaken_.end(), static_cast<unsigned char>(0));
  std::fill(met_.begin(), met_.end(), static_cast<unsigned char>(0));
}

void Peaks::see_impacts(const form::StepReport& r) {
  if (!r.impacts.rows.empty()) see_row_impulses(r.impacts.rows);
  if (!r.impacts.bodies.empty()) see_contact_impulses(r.impacts.bodies);
}

/// Adds what a joint or a coupling got: the reaction that the impulses of its rows make.
void Peaks::see_joint(int joint, double impulse) {
  if (const int item = joint_item_[at(joint)]; item >= 0)
    seen_->blows[kJointBlows][at(item)].see(impulse, sim_->state().t);
}

void Peaks::see_row_impulses(const std::vector<form::RowImpulse>& impulses) {
  const model::Model& m = sim_->model();
  const double t = sim_->state().t;
  struck_.clear();
  for (const auto& [row, impulse] : impulses) {
    if (at(row) >= row_impulse_.size()) continue;  // of a transient joint
    row_impulse_[at(row)] += impulse;
    struck_.push_back(m.rows[at(row)].joint);
  }
  std::sort(struck_.begin(), struck_.end());
  struck_.erase(std::unique(struck_.begin(), struck_.end()), struck_.end());
  const form::Formulation& f = sim_->formulation();
  for (const int j : struck_)
    if (joint_item_[at(j)] >= 0)
      see_joint(j,
                model::reaction(f.kinematics(), f.now(), at(j), row_impulse_.data()).force.norm());
  for (const auto& [row, impulse] : impulses) {
    if (at(row) >= row_impulse_.size() || row_impulse_[at(row)] == 0) continue;
    const double p = row_impulse_[at(row)];
    row_impulse_[at(row)] = 0;
    if (const int item = law_item_[at(row)]; item >= 0)
      seen_->blows[kLawBlows][at(item)].see(m.rows[at(row)].sign * p, t);
    if (const int c = m.joints[at(m.rows[at(row)].joint)].coupling; c >= 0)
      seen_->blows[kCouplingBlows][at(c)].see(m.couplings[at(c)].h.a[0] * p, t);
  }
}

/// The velocity formulation's forces of this step have the impulses in them: those of the contacts,
/// and of all joints of mechanisms in which bodies have met.
void Peaks::see_contact_impulses(const std::vector<constraint::ContactImpulse>& impulses) {
  using Formulation = form::Settings::Formulation;
  const bool mixed = sim_->settings().form.formulation == Formulation::velocity;
  recorder_.touching().add(impulses, pair_impulse_, mixed ? &met_ : nullptr);
  for (const constraint::ContactImpulse& c : impulses)
    for (const int object : {c.A, c.B})
      if (const int part = part_[at(object)]; mixed && part >= 0) shaken_[at(part)] = 1;
  for (std::size_t i = 0; i < pair_impulse_.size(); ++i) {
    if (!pair_impulse_[i].isZero(0))
      seen_->blows[kTouchBlows][i].see(pair_impulse_[i].norm(), sim_->state().t);
    pair_impulse_[i].setZero();
  }
  if (mixed) see_shaken();
}

/// What joints and laws gave in this step, in mechanisms in which bodies have met.
void Peaks::see_shaken() {
  const form::Formulation& f = sim_->formulation();
  const model::Model& m = sim_->model();
  const double h = sim_->state().rows.h;
  const auto shaken = [&](int joint) {
    const int part = part_of_joint_[at(joint)];
    return part >= 0 && shaken_[at(part)] != 0 && sim_->state().on[at(joint)] != 0;
  };
  for (int j = 0; j < count(joint_item_); ++j)
    if (joint_item_[at(j)] >= 0 && shaken(j)) see_joint(j, h * f.reaction(at(j)).force.norm());
  for (std::size_t row = 0; row < law_item_.size(); ++row)
    if (law_item_[row] >= 0 && shaken(m.rows[row].joint) &&
        constraint::has_impulses(f.specs()[row]))
      seen_->blows[kLawBlows][at(law_item_[row])].see(h * m.rows[row].sign * f.row_forces()[row],
                                                      sim_->state().t);
}

}  // namespace trammel::sim

// The peaks of a run as its summary has them.
#include <algorithm>
#include <cmath>

#include "math/index.h"
#include "sim/channels.h"
#include "sim/peaks.h"

namespace trammel::sim {

namespace {

constexpr std::size_t kMostElements = 100;  // of a kind that are listed
constexpr std::string_view kTrackColumns[] = {"speed", "cant_deficiency"};  // that are listed

bool is_listed(const Quantity& q, const std::string& column) {
  return q.path != "/tracks/running" ||
         std::find(std::begin(kTrackColumns), std::end(kTrackColumns), column) !=
             std::end(kTrackColumns);
}

std::string unit_of(const Quantity& q, std::size_t item, std::size_t column) {
  return q.units.size() == q.columns.size() ? q.units[column]
                                            : q.units[item * q.columns.size() + column];
}

/// Returns the items with the largest sizes above zero, in their order, and counts the others.
std::vector<std::size_t> largest(const std::vector<double>& size, long& left_out) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < size.size(); ++i)
    if (size[i] > 0) out.push_back(i);
  if (out.size() <= kMostElements) return out;
  left_out += static_cast<long>(out.size() - kMostElements);
  std::nth_element(
      out.begin(), out.begin() + kMostElements, out.end(),
      [&](std::size_t a, std::size_t b) { return size[a] != size[b] ? size[a] > size[b] : a < b; });
  out.resize(kMostElements);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

double Peaks::so_far(std::string_view path, std::size_t item) const {
  for (const Series& s : series_)
    if (recorder_.quantities()[s.quantity].path == path)
      return seen_->channels[s.first + item * s.columns].value;
  return 0;
}

/// The weight of all that moves, by the mechanism's length for torques; without one the greatest
/// force of the run.
Peaks::Reference Peaks::reference() const {
  const model::Kinematics& kin = sim_->formulation().kinematics();
  const double length = model::greatest_arm(*sim_->built().model, sim_->built().params);
  const model::Model& m = sim_->model();
  Reference out;
  out.of_joint.assign(m.joints.size(), -1);
  out.of_row.assign(m.rows.size(), -1);
  for (int i = 0; i < count(m.strengths); ++i) {
    const model::Strength& s = m.strengths[at(i)];
    (s.row < 0 ? out.of_joint[at(s.joint)] : out.of_row[at(s.row)]) = i;
  }
  out.force =
      kin.total_mass() * vec3(sim_->built().params.values.data() + model::kGravityParam).norm();
  if (!(out.force > 0)) {
    out.what = "greatest force";
    out.torque_what = "greatest force x length";
    for (const Series& s : series_) {
      const Quantity& q = recorder_.quantities()[s.quantity];
      for (std::size_t c = 0; s.force && c < q.items.size() * s.columns; ++c) {
        const double x = std::abs(seen_->channels[s.first + c].value);
        const bool torque = unit_of(q, c / s.columns, c % s.columns) == "N m";
        out.force = std::max(out.force, torque ? x / length : x);
      }
    }
  }
  out.torque = out.force * length;
  return out;
}

/// Compares a force with the strength of its joint or law where that has one.
Peaks::Ratio Peaks::compare(const Reference& with, const Series& s, std::size_t item, double force,
                            bool torque) const {
  if (!s.force) return {};
  Ratio out{torque ? with.torque : with.force, torque ? with.torque_what : with.what};
  const bool law = recorder_.quantities()[s.quantity].path == "/laws/force";
  const model::Model& m = sim_->model();
  int strength = -1;
  if (law)
    strength = with.of_row[at(m.laws[at(recorder_.laws()[item])].row)];
  else if (!s.joint.empty())
    strength = with.of_joint[at(s.joint[item])];
  if (strength >= 0) {
    const double* most = sim_->built().params.values.data() + m.strengths[at(strength)].first_param;
    const double own = most[(law ? force > 0 : torque) ? 1 : 0];
    if (std::isfinite(own)) out = {own, "strength"};
  }
  out.value = out.value > 0 ? std::abs(force) / out.value : 0;
  return out;
}

void Peaks::add_extremes(const Series& s, const Reference& with, PeakList& out) const {
  const Quantity& q = recorder_.quantities()[s.quantity];
  const auto each = [&](std::size_t i, const auto& f) {
    for (std::size_t c = 0; c < s.columns; ++c) {
      const Greatest& x = seen_->channels[s.first + i * s.columns + c];
      const std::string unit = unit_of(q, i, c);
      if (x.value != 0 && is_listed(q, q.columns[c]))
        f(c, x, unit, compare(with, s, i, x.value, unit == "N m"));
    }
  };
  std::vector<double> size(q.items.size(), 0);
  for (std::size_t i = 0; i < size.size(); ++i)
    each(i, [&](std::size_t, const Greatest& x, const std::string&, const Ratio& r) {
      size[i] = std::max(size[i], s.force ? r.value : std::abs(x.value));
    });
  for (const std::size_t i : largest(size, out.left_out))
    each(i, [&](std::size_t c, const Greatest& x, const std::string& unit, const Ratio& r) {
      out.extremes.push_back({s.kind, q.items[i], channel_name(q.items[i], q.name, q.columns[c]),
                              unit, x.value, x.t, r.value, r.to});
    });
}

void Peaks::add_impulses(const Series& s, PeakList& out) const {
  if (s.blows < 0) return;
  const std::vector<Blows>& of = seen_->blows[at(s.blows)];
  const Quantity& q = recorder_.quantities()[s.quantity];
  std::vector<double> size;
  for (const Blows& b : of) size.push_back(std::abs(b.greatest.value));
  for (const std::size_t i : largest(size, out.left_out))
    out.impulses.push_back({s.kind, q.items[i], unit_of(q, i, 0) + " s", of[i].greatest.value,
                            of[i].greatest.t, of[i].count});
}

PeakList Peaks::list() const {
  PeakList out;
  const Reference with = reference();
  for (const Series& s : series_) add_extremes(s, with, out);
  for (const Series& s : series_) add_impulses(s, out);
  return out;
}

}  // namespace trammel::sim

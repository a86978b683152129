#include "model/assemble.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "law/targets.h"
#include "math/index.h"
#include "model/reactions.h"
#include "model/system.h"

namespace trammel::model {

std::string shown(double x, joint::Unit unit) {
  if (unit == joint::Unit::radian) return fmt::format("{:.6g} deg", x * 180 / M_PI);
  return fmt::format("{:.6g}{}", x, unit == joint::Unit::one ? "" : " m");
}

namespace {
std::string rate_shown(double x, joint::Unit unit) { return shown(x, unit) + "/s"; }
}  // namespace

Assembly::Assembly(Draft& d, const Kinematics& kin, ConstraintSpecs& specs, GivenRows& rows)
    : draft_(&d), kin_(&kin), specs_(&specs), rows_(&rows), islands_(d.model, d.given) {}

/// A row on the same coordinate, which a law or the joint itself holds.
void Assembly::check(const Given& g, std::size_t i) {
  const Model& m = draft_->model;
  const RowInfo& row = m.rows[i];
  const law::ConstraintSpec& d = (*specs_)[i];
  const joint::Unit unit = row.row.unit();
  const double sign = g.coordinate.sign;
  const LawOnRow& law = m.laws[at_(row.law)];
  const bool own = law.joint < 0 || law.path == m.joints[at_(g.joint)].path;
  const std::string who = own ? "its joint" : fmt::format("law '{}'", law.name);
  const double off = g.value ? std::abs(law::rigid_offset(d, sign * *g.value)) : 0;
  if (g.value && off > draft_->meets(unit))
    draft_->complain(
        g.path,
        fmt::format("'{}' is to start at {}, where {} {} it at {}: they differ by {}", g.name,
                    shown(*g.value, unit), who, law::place_words(*law.law.type, d).verb,
                    shown(sign * d.place(sign * *g.value), unit), shown(off, unit)));
  const auto rate = law::fixed_rate(d);
  if (g.rate && rate && std::abs(*g.rate - sign * *rate) > 1e-9)
    draft_->complain(
        g.rate_path,
        fmt::format("'{}' is to start with a rate of {}, where {} {} {}", g.name,
                    rate_shown(*g.rate, unit), who,
                    *rate != 0 || law.law.type->takes_drive ? "moves it at" : "holds it at",
                    rate_shown(sign * *rate, unit)));
}

void Assembly::check() {
  const Model& m = draft_->model;
  for (const Given& g : draft_->given)
    for (auto i = at_(m.joints[at_(g.joint)].first_row);
         i < m.rows.size() && m.rows[i].joint == g.joint; ++i)
      if (same(m.rows[i].row, g.coordinate.row)) check(g, i);
}

const Given* Assembly::given_for(int joint, const joint::Row& row) const {
  for (const Given& g : draft_->given)
    if (g.value && g.joint == joint && same(g.coordinate.row, row)) return &g;
  return nullptr;
}

/// Counts an angle by so many whole turns more, wherever it is counted.
void Assembly::shift(int joint, const joint::Row& row, double turns, KinematicsCache& at) {
  const Model& m = draft_->model;
  const double by = 2 * M_PI * turns;
  for (auto i = at_(m.joints[at_(joint)].first_row); i < m.rows.size() && m.rows[i].joint == joint;
       ++i)
    if (m.rows[i].angle >= 0 && same(m.rows[i].row, row))
      draft_->state.angle[at_(m.rows[i].angle)] = at.g[i] += by;
  for (std::size_t k = 0; k < m.sources.size(); ++k)
    if (m.sources[k].joint == joint && m.sources[k].angle >= 0 && same(m.sources[k].row, row))
      draft_->state.angle[at_(m.sources[k].angle)] = at.x[k] += by;
}

/// The one angle of a coupling that is not known yet makes as many whole turns as leave it nearest
/// to being met. Returns true where there was one.
bool Assembly::count_coupled(const Coupling& c, std::vector<unsigned char>& known,
                             KinematicsCache& at) {
  const Model& m = draft_->model;
  int open = -1, others = 0;
  double h = -c.h.offset;
  for (int i = 0; i < c.n; ++i) {
    const auto k = at_(c.first_source + i);
    h += c.h.a[at_(i)] * m.sources[k].sign * at.x[k];
    if (known[k]) ++others;
    if (known[k] || m.sources[k].angle < 0) continue;
    if (open >= 0) return false;
    open = i;
  }
  if (open < 0 || others == 0 || c.h.profile) return false;
  const Source& s = m.sources[at_(c.first_source + open)];
  shift(s.joint, s.row, std::round(-h / (c.h.a[at_(open)] * s.sign * 2 * M_PI)), at);
  for (std::size_t k = 0; k < m.sources.size(); ++k)
    known[k] |= m.sources[k].joint == s.joint && same(m.sources[k].row, s.row);
  return true;
}

/// An angle is known to whole turns only: those with which it is where a law holds or drives it, or
/// else between its stops. Whoever else counts the same angle counts as many.
void Assembly::count_by_laws(KinematicsCache& at) {
  const Model& m = draft_->model;
  std::vector<unsigned char> known(m.rows.size(), 0);
  const auto count = [&](std::size_t i, double to) {
    const RowInfo& row = m.rows[i];
    shift(row.joint, row.row, std::round((to - at.g[i]) / (2 * M_PI)), at);
    for (auto k = at_(m.joints[at_(row.joint)].first_row);
         k < m.rows.size() && m.rows[k].joint == row.joint; ++k)
      known[k] |= same(m.rows[k].row, row.row);
  };
  const auto for_angles = [&](auto f) {
    for (std::size_t i = 0; i < m.rows.size(); ++i)
      if (m.rows[i].angle >= 0 && !known[i]) f(i, (*specs_)[i]);
  };
  for_angles([&](std::size_t i, const law::ConstraintSpec& spec) {
    if (const auto value = law::held_value(spec)) count(i, joint::turned_near(at.g[i], *value));
  });
  for_angles([&](std::size_t i, const law::ConstraintSpec& spec) {
    if (const auto value = law::between_stops(spec, at.g[i], 2 * M_PI)) count(i, *value);
  });
}

/// Angles of systems are among the unknowns, whole turns and all.
void Assembly::count_by_unknowns(KinematicsCache& at) {
  const Model& m = draft_->model;
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const int unknown = unknown_of(m, m.joints[j]);
    if (unknown < 0) continue;
    const joint::Coordinate& c = m.joints[j].table->coordinates.front();
    if (!c.row.turns()) continue;
    const int joint = static_cast<int>(j);
    const double x = c.sign * draft_->state.q[at_(unknown)];
    const double turns = std::round((x - coordinate(*kin_, at, joint, c.row)) / (2 * M_PI));
    if (turns != 0) shift(joint, c.row, turns, at);
  }
}

void Assembly::count_turns(KinematicsCache& at) {
  Model& m = draft_->model;
  keep_turns(m, at, draft_->state.angle);
  count_by_unknowns(at);
  count_by_laws(at);
  kin_->values(draft_->state, at);
  for (Coupling& c : m.couplings) {
    if (!c.from_start) continue;
    std::array<double, joint::kCoupled> x{};
    bool all = true;
    for (int i = 0; i < c.n; ++i) {
      const Source& s = m.sources[at_(c.first_source + i)];
      const Given* g = given_for(s.joint, s.row);
      all = all && g != nullptr;
      if (g) x[at_(i)] = s.sign * g->coordinate.sign * *g->value;
    }
    const auto own = std::span<const double>(x).first(at_(c.n));
    c.h.offset += all ? joint::evaluate(c.h, own).h : at.g[at_(c.row)];
  }
  for (const Given& g : draft_->given) {
    if (!g.value || !g.coordinate.row.turns()) continue;
    const double x = at.x[source_of(m, g)], to = g.coordinate.sign * *g.value;
    shift(g.joint, g.coordinate.row, std::round((to - x) / (2 * M_PI)), at);
  }
  std::vector<unsigned char> known(m.sources.size(), 0);
  for (std::size_t k = 0; k < known.size(); ++k)
    known[k] = given_for(m.sources[k].joint, m.sources[k].row) != nullptr;
  for (bool more = true; more;) {
    more = false;
    for (const Coupling& c : m.couplings) more = more || count_coupled(c, known, at);
  }
  kin_->values(draft_->state, at);
}

void Assembly::place(KinematicsCache& at) {
  const Model& m = draft_->model;
  std::vector<unsigned char> open(m.joints.size(), 0);
  for (std::size_t i = 0; i < m.rows.size(); ++i) {
    const Joint& j = m.joints[at_(m.rows[i].joint)];
    const auto value = law::held_value((*specs_)[i]);
    if (j.coupling < 0 && value &&
        !(std::abs(at.g[i] - *value) <= draft_->meets(m.rows[i].row.unit())))
      open[at_(m.rows[i].joint)] = 1;
  }
  if (at.lost_joint >= 0) open[at_(at.lost_joint)] = 1;
  islands_.keep_where_closed(open);
  place_along_joints(*draft_, *kin_, *specs_, islands_, at);
  for (std::size_t i = 0; i < at.arc.size(); ++i)
    at.arc[i] = {draft_->state.s[i], draft_->state.piece[i]};
  kin_->transforms(draft_->state.q.data(), 0, at);
  kin_->values(draft_->state, at);
}

void Assembly::hold_starts() {
  rows_->hold([](const Given& g) { return g.value && true; });
}
void Assembly::hold_rates() {
  for (const Given& g : draft_->given)
    if (g.rate || g.balanced)
      specs_->hold(row_of(draft_->model, g), {g.value.value_or(0), g.rate.value_or(0), 0});
  rows_->hold([](const Given& g) { return g.rate || g.balanced; });
}
void Assembly::hold_nothing() {
  rows_->hold([](const Given&) { return false; });
}

/// Holds the coordinates given, that part of the way from where they were.
void Assembly::aim(const std::vector<double>& from, double part) {
  std::size_t k = 0;
  for (const Given& g : draft_->given)
    if (g.value) {
      const double x = from[k++];
      specs_->hold(row_of(draft_->model, g),
                   {part < 1 ? x + part * (*g.value - x) : *g.value, 0, 0});
    }
}

Projector::Position Assembly::move(Projector& projector, double tolerance, KinematicsCache& at) {
  constexpr double kStep = 0.2, kLeast = 1e-4;  // of the mechanism's length, [rad]; of the way
  constexpr double kMet = 1e-8;
  hold_starts();
  std::vector<double> from;
  double way = 0;
  for (const Given& g : draft_->given)
    if (g.value) {
      const joint::Unit unit = draft_->model.rows[row_of(draft_->model, g)].row.unit();
      from.push_back(g.coordinate.sign * at.x[source_of(draft_->model, g)]);
      way = std::max(way, std::abs(*g.value - from.back()) / draft_->model.scales.value(unit));
    }
  Projector::Position out;
  double step = 1 / std::clamp(std::ceil(way / kStep), 1., 1000.), done = 0;
  while (true) {
    const double to = done + step > 1 - 1e-9 ? 1 : done + step;
    const State before = draft_->state;
    aim(from, to);
    Projector::Position moved = projector.position(
        *specs_, to < 1 ? std::max(tolerance, 1e-10) : tolerance, draft_->state, at);
    moved.iterations += out.iterations;
    const bool met = moved.converged || moved.residual <= 1e-9;
    if (!out.displacement.empty())
      for (std::size_t i = 0; i < moved.displacement.size(); ++i)
        moved.displacement[i] += out.displacement[i];
    if (met && to >= 1) return moved;
    if (met) {
      out = std::move(moved);
      done = to;
      continue;
    }
    step /= 2;
    draft_->state = before;
    out.iterations = moved.iterations;
    if (from.empty()) return moved;
    const bool stuck = step < kLeast;
    if (stuck) {
      aim(from, 1);
      if (position_conflict(*kin_, *specs_, draft_->state).left >
          kMet * draft_->model.scales.length)
        return moved;
    }
    for (std::size_t i = 0; i < at.arc.size(); ++i)
      at.arc[i] = {draft_->state.s[i], draft_->state.piece[i]};
    if (stuck) return projector.position(*specs_, tolerance, draft_->state, at);
  }
}

std::vector<FoundCoordinate> Assembly::found(KinematicsCache& at) const {
  std::vector<FoundCoordinate> out;
  const Model& m = draft_->model;
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const bool wanted = islands_.placed(j) || draft_->options.equilibrium;
    if (!wanted || m.joints[j].coupling >= 0 || m.joints[j].strain()) continue;
    for (const joint::Coordinate& c : m.joints[j].table->coordinates) {
      const Given* g = given_for(static_cast<int>(j), c.row);
      double x = c.sign * coordinate(*kin_, at, static_cast<int>(j), c.row);
      for (auto i = at_(m.joints[j].first_row);  // with the turns that laws and sources count
           i < m.rows.size() && m.rows[i].joint == static_cast<int>(j); ++i)
        if (m.rows[i].angle >= 0 && same(m.rows[i].row, c.row)) x = c.sign * at.g[i];
      if (g && c.row.turns()) x = joint::turned_near(x, *g->value);
      out.push_back({m.joints[j].name + "." + c.name, c.row.unit(), x, g && !g->balanced});
    }
  }
  return out;
}

}  // namespace trammel::model

// Whether steps follow what is given as a function of the time: forces, and limits of forces, as
// they are within a step while all else stays as it is at its end.
#include <algorithm>
#include <cmath>

#include "math/gauss.h"
#include "math/index.h"
#include "sim/judgement.h"
#include "sim/observed.h"
#include "sim/smooth.h"
#include "units/dimension.h"

namespace trammel::sim {

namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Kind = model::TimedOwner::Kind;

/// Moments of a force f(x), x from 0 to 1 within a step: by (1 - x), which what a step makes of its
/// first half goes by, and by x.
struct Moments {
  Vec6 first = Vec6::Zero(), second = Vec6::Zero();
  void add(double weight, double x, const Vec6& f) {
    first += weight * (1 - x) * f;
    second += weight * x * f;
  }
};

/// A force over a piece of a step: its impulse whatever its direction, and what the steps miss.
struct Missed {
  Vec6 size = Vec6::Zero(), error = Vec6::Zero();
};

/// Steps that take means see the force at the points of Gauss' rule, others at their ends.
template <class F>
Missed missed(const F& f, double from, double to, bool means) {
  const double h = to - from;
  Moments right, seen;
  Missed out;
  for (const GaussNode& node : kGaussKronrod) {
    const Vec6 value = f(from + node.x * h);
    right.add(node.kronrod, node.x, value);
    if (means) seen.add(node.gauss, node.x, value);
    out.size += h * node.kronrod * value.cwiseAbs();
  }
  if (means) {
    out.error =
        h * ((seen.first - right.first).cwiseAbs() + (seen.second - right.second).cwiseAbs());
    return out;
  }
  const Vec6 ends = (f(from) + f(to)) / 2;
  out.error = h * (ends - right.first - right.second).cwiseAbs();
  return out;
}

/// Mean rate of a row over a step of h, from its place before.
double mean_rate(const form::Formulation& form, int row, double place, double h) {
  return h > 0 ? (form.now().g[at(row)] - place) / h : 0;
}

}  // namespace

/// Collects what varies with the time: each law or load once, each motion.
struct Watch::CollectTimed {
  Watch& out;
  using Owner = model::TimedOwner;

  void drive(const Owner& o, const Drive& d, bool exact) const {
    if (!d.signal.varies() || (o.kind == Kind::law && o.index < 0)) return;
    Subject s{o.kind == Kind::law ? "law" : "body", std::string(o.name), -1, &d, ""};
    s.unit = is_length(o, d) ? "m" : "rad";
    s.rate = !exact || d.level != Drive::Level::displacement;
    if (s.rate) s.unit += "/s";
    out.drives_.push_back(std::move(s));
  }
  void force(const Owner& o, const Signal& s) const {
    if (s.varies()) add(o);
  }
  template <class Function>
  void function(const Owner& o, const std::shared_ptr<const Function>& f) const {
    if (f && f->of_time) add(o);
  }

 private:
  const model::LawOnRow& law_of(const Owner& o) const { return out.model_->laws[at(o.index)]; }
  bool is_length(const Owner& o, const Drive& d) const {
    if (o.kind == Kind::law)
      return out.model_->rows[at(law_of(o).row)].row.unit() == joint::Unit::metre;
    for (const model::Moved& moved : out.model_->prescribed)
      for (const Drive& along : moved.motion.displacement)
        if (&along == &d) return true;
    return false;
  }
  void add(const Owner& o) const {
    const auto same = [&](const Timed& t) { return t.kind == o.kind && t.index == o.index; };
    if (o.index < 0 || (!out.timed_.empty() && same(out.timed_.back()))) return;
    Timed t{o.kind, o.index};
    t.name = o.name;
    t.first = out.seen.load_watches.size();
    if (o.kind == Kind::law) {
      t.row = law_of(o).row;
      t.limits = law_of(o).law.type->follow != nullptr;
      if (out.model_->rows[at(t.row)].row.unit() != joint::Unit::metre) t.unit[0] = t.unit[1];
    } else {
      t.parts = 2;
    }
    out.seen.load_watches.resize(t.first + t.parts);
    out.timed_.push_back(std::move(t));
  }
};

/// Laws of transient joints are not among those of the model.
void Watch::find_timed() {
  model::for_each_time_function(*model_, CollectTimed{*this});
  for (std::size_t i = 0; i < model_->laws.size(); ++i)
    if (model_->laws[i].law.type->follow && model_->laws[i].law.function)
      limited_.push_back(static_cast<int>(i));
  seen.limits.resize(limited_.size());
}

/// The force of a law's function or signal, or of a load, at any time while all else stays.
class Watch::TimedForce {
 public:
  TimedForce(const Watch& w, const Timed& timed, const form::Formulation& form, double rate)
      : model_(*w.model_), params_(w.params_), timed_(timed), now_(form.now()), rate_(rate) {}

  Vec6 operator()(double t) const {
    Vec6 out = Vec6::Zero();
    if (timed_.kind == Kind::load) {
      const law::Load& load = model_.loads[at(timed_.index)];
      const auto o = at(load.object);
      const law::Wrench w = law::wrench(load, params_.values.data(), now_.T_WO[o], now_.rate[o], t);
      out << w.f, w.torque;
    } else {
      out[0] = force(t);
    }
    return out;
  }
  double force(double t) const {
    const law::Law& law = model_.laws[at(timed_.index)].law;
    const double sign = model_.rows[at(timed_.row)].sign;
    double f = law.force.value(t);
    if (law.function)
      f += (*law.function)(sign * now_.g[at(timed_.row)], sign * rate_, now_.moving().at(t)).f;
    return timed_.limits ? std::max(0., f) : f;
  }
  /// The first of its switches after `from`, not after `to`.
  Switch next_switch(double from, double to) const {
    Switch first;
    const auto take = [&](const Switch& s) {
      if (s.t < first.t) first = s;
    };
    if (timed_.kind == Kind::law) {
      const law::Law& law = model_.laws[at(timed_.index)].law;
      take(switches_of(law.force)(from, to));
      if (law.function && law.function->switches) take(law.function->switches(from, to));
      return first;
    }
    const law::Load& load = model_.loads[at(timed_.index)];
    for (const Signal& s : load.value) take(switches_of(s)(from, to));
    for (const auto& f : load.function)
      if (f && f->switches) take(f->switches(from, to));
    return first;
  }

 private:
  const model::Model& model_;
  const model::Params& params_;
  const Timed& timed_;
  const model::KinematicsCache& now_;
  double rate_;
};

void Watch::keep_places(const form::Formulation& form) {
  for (const Timed& timed : timed_)
    if (timed.row >= 0) seen.load_watches[timed.first].place = form.now().g[at(timed.row)];
  for (std::size_t i = 0; i < limited_.size(); ++i)
    seen.limits[i].place = form.now().g[at(model_->laws[at(limited_[i])].row)];
}

void Watch::see_timed(const form::Formulation& form, const model::State& s, double h) {
  if (!grid_) return;
  for (const Timed& timed : timed_) {
    const int row = timed.row;
    if (row >= 0 && !s.on[at(model_->rows[at(row)].joint)]) continue;
    const TimedForce force(
        *this, timed, form,
        row < 0 ? 0 : mean_rate(form, row, seen.load_watches[timed.first].place, h));
    Missed all;
    double least = kNever;  // of a limit
    for_smooth([&](double from, double to) { return force.next_switch(from, to); }, s.t - h, s.t,
               [&](double from, double to) {
                 const Missed piece = missed(
                     [&](double t) {
                       const Vec6 f = force(t);
                       least = std::min(least, f[0]);
                       return f;
                     },
                     from, to, means_);
                 all.size += piece.size;
                 all.error += piece.error;
               });
    // a limit that is above the force all along limits nothing
    if (timed.limits && std::abs(form.row_forces()[at(row)]) < (1 - 1e-6) * least) continue;
    for (std::size_t k = 0; k < timed.parts; ++k) {
      LoadWatch& p = seen.load_watches[timed.first + k];
      const double error = all.error.segment<3>(static_cast<Eigen::Index>(3 * k)).norm();
      p.total += all.size.segment<3>(static_cast<Eigen::Index>(3 * k)).norm();
      p.error.see(p.error.worst + error, s.t);
      if (error > p.worst) p.t_worst = s.t;
      p.worst = std::max(p.worst, error);
    }
  }
}

/// Watches whether limits of forces fall below zero, at the ends of steps.
void Watch::see_limits(const form::Formulation& form, const model::State& s, double h) {
  for (std::size_t i = 0; i < limited_.size(); ++i) {
    const model::LawOnRow& l = model_->laws[at(limited_[i])];
    if (!s.on[at(model_->rows[at(l.row)].joint)]) continue;
    const double sign = model_->rows[at(l.row)].sign;
    const double f = (*l.law.function)(sign * form.now().g[at(l.row)],
                                       sign * mean_rate(form, l.row, seen.limits[i].place, h),
                                       form.now().moving())
                         .f;
    LimitWatch& w = seen.limits[i];
    if (std::isnan(f)) w.t_no_number = std::min(w.t_no_number, s.t);
    w.most = std::max(w.most, std::abs(f));
    if (f < 0) w.t_first = std::min(w.t_first, s.t);
    if (!(f < w.least)) continue;
    w.least = f;
    w.t_least = s.t;
  }
}

}  // namespace trammel::sim

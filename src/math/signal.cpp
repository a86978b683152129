#include "math/signal.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <string>

namespace trammel {

namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
}

Signal Signal::spline(std::vector<double> t, std::vector<double> x) {
  if (t.empty() || t.size() != x.size())
    throw std::invalid_argument("a signal has " + std::to_string(t.size()) + " knot times and " +
                                std::to_string(x.size()) +
                                " values: as many of both are needed, at least one");
  for (std::size_t i = 1; i < t.size(); ++i)
    if (t[i] < t[i - 1])
      throw std::invalid_argument("the knot times of a signal fall from " +
                                  std::to_string(t[i - 1]) + " s to " + std::to_string(t[i]) +
                                  " s");
  auto k = std::make_shared<Knots>();
  k->t = std::move(t);
  k->x = std::move(x);
  k->first = {0};
  k->second = {0};
  for (std::size_t i = 1; i < k->t.size(); ++i) {
    const double d = k->t[i] - k->t[i - 1], a = k->x[i - 1], b = k->x[i];
    k->second.push_back(k->second[i - 1] + d * k->first[i - 1] + d * d * (2 * a + b) / 6);
    k->first.push_back(k->first[i - 1] + d * (a + b) / 2);
  }
  Signal s;
  s.knots_ = std::move(k);
  return s;
}

double just_before(double t) {
  return t - 2 * std::numeric_limits<double>::epsilon() * std::abs(t);
}

Signal Signal::function(std::function<Jet(double)> fn, Switches switches) {
  if (!fn) throw std::invalid_argument("a signal by a function that is empty");
  Signal s;
  if (switches) s.switches_ = std::make_shared<const Switches>(std::move(switches));
  s.fn_ = std::make_shared<const std::function<Jet(double)>>(std::move(fn));
  return s;
}

void LiveValue::set(double value, double t) {
  second = double_integral(t);
  first = integral(t);
  since = t;
  x = value;
}

Signal Signal::live(std::string name) {
  Signal s;
  s.live_ = std::make_shared<const Live>(Live{{std::move(name)}, {}, {}, {}});
  return s;
}

Signal Signal::live(std::vector<std::string> names, LiveFunction fn, Switches switches) {
  if (!fn) throw std::invalid_argument("a live signal by a function that is empty");
  if (names.empty() || names.size() > kMostLive)
    throw std::invalid_argument("a live signal reads " + std::to_string(names.size()) +
                                " values: one to " + std::to_string(kMostLive) + " are possible");
  Signal s;
  if (switches) s.switches_ = std::make_shared<const Switches>(std::move(switches));
  s.live_ = std::make_shared<const Live>(Live{std::move(names), std::move(fn), {}, {}});
  return s;
}

std::span<const std::string> Signal::live_names() const {
  if (!live_) return {};
  return live_->names;
}

Signal Signal::bound(std::shared_ptr<const LiveValues> values, std::vector<std::size_t> at) const {
  assert(live_ && at.size() == live_->names.size());
  Signal s = *this;
  s.live_ =
      std::make_shared<const Live>(Live{live_->names, live_->fn, std::move(values), std::move(at)});
  return s;
}

const LiveValue& Signal::live_value() const {
  static constexpr LiveValue kNone;
  return live_->values ? (*live_->values)[live_->at[0]] : kNone;
}

Jet Signal::live_jet(double t) const {
  if (!live_->fn) return {live_value().x, 0, 0};
  std::array<double, kMostLive> x{};
  if (live_->values)
    for (std::size_t i = 0; i < live_->at.size(); ++i) x[i] = (*live_->values)[live_->at[i]].x;
  return live_->fn(t, std::span(x.data(), live_->names.size()));
}

std::size_t Signal::interval(double t) const {
  const auto& kt = knots_->t;
  const auto it = std::upper_bound(kt.begin(), kt.end(), t);
  return it == kt.begin() ? 0 : static_cast<std::size_t>(it - kt.begin()) - 1;
}

Jet Signal::jet(double t) const {
  if (fn_) return (*fn_)(t);
  if (live_) return live_jet(t);
  if (!knots_) return {constant_, 0, 0};
  const auto& k = *knots_;
  const std::size_t i = interval(t);
  if (t < k.t[0] || i + 1 == k.t.size()) return {k.x[i], 0, 0};
  const double slope = (k.x[i + 1] - k.x[i]) / (k.t[i + 1] - k.t[i]);
  return {k.x[i] + slope * (t - k.t[i]), slope, 0};
}

bool Signal::finite() const {
  if (!knots_) return std::isfinite(value(0));
  const auto all = [](const std::vector<double>& v) {
    return std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
  };
  return all(knots_->t) && all(knots_->x);
}

double Signal::value(double t) const { return is_constant() ? constant_ : jet(t).x; }

double Signal::integral_from_first(double t, bool twice) const {
  const auto& k = *knots_;
  const std::size_t i = interval(t);
  const double d = t - k.t[i], x = k.x[i], slope = jet(t).v;
  if (twice) return k.second[i] + d * k.first[i] + d * d * (x / 2 + slope * d / 6);
  return k.first[i] + d * (x + slope * d / 2);
}

double Signal::integral(double t) const {
  assert(!is_function());
  if (live_) return live_value().integral(t);
  if (!knots_) return constant_ * t;
  return integral_from_first(t, false) - integral_from_first(0, false);
}

double Signal::double_integral(double t) const {
  assert(!is_function());
  if (live_) return live_value().double_integral(t);
  if (!knots_) return constant_ * t * t / 2;
  // int_0^t int_0^r = F2(t) - F2(0) - t F1(0), F from the first knot
  return integral_from_first(t, true) - integral_from_first(0, true) -
         t * integral_from_first(0, false);
}

double Signal::next_jump(double t, int order) const {
  if (!knots_) return kInf;
  const auto& k = *knots_;
  for (auto i = static_cast<std::size_t>(std::upper_bound(k.t.begin(), k.t.end(), t) - k.t.begin());
       i < k.t.size(); ++i) {
    const bool step = (i + 1 < k.t.size() && k.t[i + 1] == k.t[i] && k.x[i + 1] != k.x[i]);
    if (order == 0 ? step : (step || jet(k.t[i]).v != jet(std::nextafter(k.t[i], -kInf)).v))
      return k.t[i];
  }
  return kInf;
}

Switch Signal::next_switch(double from, double to, int order) const {
  if (switches_) return (*switches_)(from, to);
  double t = next_jump(from, 0);
  if (order > 0) t = std::min(t, next_jump(from, 1));
  return t <= to ? Switch{just_before(t), t, false} : Switch{};
}

Jet Drive::at(double t) const {
  if (level == Level::displacement) return signal.jet(t);
  const Jet s = signal.jet(t);
  if (level == Level::velocity) return {x0 + signal.integral(t), s.x, s.v};
  return {x0 + v0 * t + signal.double_integral(t), v0 + signal.integral(t), s.x};
}

double Drive::next_jump(double t) const {
  if (level == Level::acceleration) return kInf;
  return signal.next_jump(t, level == Level::displacement ? 1 : 0);
}

}  // namespace trammel

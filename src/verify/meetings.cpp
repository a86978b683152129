#include "verify/meetings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace trammel::verify {

namespace {

constexpr double kTogether = 2;   // steps
constexpr double kWeak = 0.05;    // of the greatest speed
constexpr double kEstimates = 5;  // times what is an estimate, and no bound
constexpr double kAlike = 2;      // impacts of one of more than so many times the other's speed are
                                  // not the same

using Times = std::vector<Meeting::Time>;

/// Returns what may be of the uncertainty of places at an impact [m], estimates five times. By
/// energy what follows an impact obeys another law, and is none of it.
double place_at(const Series& s, double t, double rounding) {
  const Samples& run = s.finest();
  const double times = (t - run.t0) / run.apart;
  const auto k =
      std::clamp(static_cast<long>(s.by_energy ? std::floor(times) : std::ceil(times)) - 1, 0L,
                 std::max(0L, s.count() - 1));
  if (s.count() == 0) return 0;
  return kEstimates * (s.uncertainty[static_cast<std::size_t>(k)].length + rounding);
}

/// What does not move stands second.
std::string pair_of(const std::string& subject) {
  constexpr std::string_view kFirst = "ground, ";
  return subject.starts_with(kFirst) ? subject.substr(kFirst.size()) + ", ground" : subject;
}

/// Impacts of each pair up to a time, those that follow each other closely as one.
std::map<std::string, Times> told_by(const Series& s, double until, double step, double rounding) {
  std::map<std::string, Times> out;
  std::map<std::string, double> last;
  for (const Impact& i : s.finest().impacts) {
    if (i.t > until) break;
    const std::string pair = pair_of(i.pair);
    Times& of = out[pair];
    const double before = std::exchange(last[pair], i.t);
    if (!of.empty() && i.t - before <= kTogether * step) {
      of.back().speed = std::max(of.back().speed, i.speed);
      continue;
    }
    const double grown = s.grown_at(i.t), place = grown * i.late + place_at(s, i.t, rounding);
    of.push_back({i.t, i.window + place / i.speed, i.speed, true});
  }
  return out;
}

double fastest_of(const std::vector<std::map<std::string, Times>>& all) {
  double out = 0;
  for (const auto& one : all)
    for (const auto& [pair, times] : one)
      for (const Meeting::Time& t : times) out = std::max(out, t.speed);
  return out;
}

/// The impact of the earliest series that knows it.
double begins(const Meeting& m) {
  double out = std::numeric_limits<double>::infinity();
  for (const Meeting::Time& t : m.of)
    if (t.known) out = std::min(out, t.t);
  return out;
}

/// The k-th impacts of a pair. Where one series has another impact than the other, as its speed
/// says, what follows cannot be told apart.
std::vector<Meeting> side_by_side(const std::string& pair, const std::vector<Times>& of) {
  std::size_t most = 0;
  for (const Times& t : of) most = std::max(most, t.size());
  std::vector<Meeting> out;
  for (std::size_t k = 0; k < most; ++k) {
    Meeting m{pair, {}, true};
    double slow = std::numeric_limits<double>::infinity(), fast = 0;
    for (const Times& t : of) {
      m.of.push_back(k < t.size() ? t[k] : Meeting::Time{});
      if (!m.of.back().known) continue;
      slow = std::min(slow, t[k].speed);
      fast = std::max(fast, t[k].speed);
    }
    if (fast > kAlike * slow) break;
    for (const Meeting::Time& a : m.of)
      for (const Meeting::Time& b : m.of)
        if (a.known && b.known && std::abs(a.t - b.t) > a.off + b.off) m.agrees = false;
    out.push_back(std::move(m));
    if (!out.back().agrees) break;
  }
  return out;
}

/// The two times that are farthest from one another, with what is allowed.
std::string differ(const Meeting& m, const std::vector<Series>& series) {
  std::size_t a = 0, b = 0;
  double worst = 0;
  for (std::size_t i = 0; i < m.of.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Meeting::Time &x = m.of[i], &y = m.of[j];
      const double by = std::abs(x.t - y.t) - x.off - y.off;
      if (!x.known || !y.known || by <= worst) continue;
      worst = by;
      a = j;
      b = i;
    }
  return fmt::format(
      "'{}' meet at t = {:.6g} s in {} and at {:.6g} s in {}, where {:.2g} s is "
      "explained",
      m.pair, m.of[a].t, series[a].name, m.of[b].t, series[b].name, m.of[a].off + m.of[b].off);
}

}  // namespace

Meetings meetings(const std::vector<Series>& series, const std::vector<long>& resolved, double step,
                  const Distance& rounding) {
  std::vector<std::map<std::string, Times>> told;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Samples& run = series[i].finest();
    double until = run.t0 + static_cast<double>(resolved[i]) * run.apart;
    if (series[i].by_energy && !run.impacts.empty()) until = run.impacts.front().t;
    told.push_back(told_by(series[i], until, step, rounding.length));
  }
  const double weak = kWeak * fastest_of(told);
  std::map<std::string, std::vector<Times>> pairs;
  for (std::size_t i = 0; i < told.size(); ++i)
    for (auto& [pair, times] : told[i]) {
      std::erase_if(times, [&](const Meeting::Time& t) { return t.speed < weak; });
      pairs[pair].resize(series.size());
      pairs[pair][i] = times;
    }
  Meetings out;
  for (const auto& [pair, of] : pairs)
    for (Meeting& m : side_by_side(pair, of)) out.all.push_back(std::move(m));
  std::stable_sort(out.all.begin(), out.all.end(),
                   [](const Meeting& a, const Meeting& b) { return begins(a) < begins(b); });
  for (const Meeting& m : out.all)
    if (!m.agrees && out.findings.empty()) out.findings.push_back(differ(m, series));
  if (out.all.size() > kMeetings) {
    out.more = out.all.size() - kMeetings;
    out.all.resize(kMeetings);
  }
  return out;
}

}  // namespace trammel::verify

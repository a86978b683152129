#include "model/inputs.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "model/draft.h"
#include "model/followed.h"
#include "model/time_functions.h"
#include "units/nearest.h"

namespace trammel::model {

namespace {

constexpr std::size_t kNumbers = 4;  // of an input in a state

std::vector<std::size_t> places(const Model& m, std::span<const std::string> names) {
  std::vector<std::size_t> out;
  for (const std::string& name : names) out.push_back(static_cast<std::size_t>(m.find_input(name)));
  return out;
}

/// Makes signals read these values.
struct Bind {
  Model& m;
  const std::shared_ptr<const LiveValues>& values;

  void signal(Signal& s, bool demanded) const {
    if (!s.is_live()) return;
    const std::vector<std::size_t> at = places(m, s.live_names());
    for (const std::size_t i : at) {
      m.inputs[i].used = true;
      m.inputs[i].demanded |= demanded;
    }
    s = s.bound(values, at);
  }
  void drive(const TimedOwner&, Drive& d, bool exact) const {
    signal(d.signal, exact && d.level == Drive::Level::velocity);
  }
  void force(const TimedOwner&, Signal& s) const { signal(s, false); }
  /// Those that read something are bound once their coordinates are known (model/followed.h).
  template <class Function>
  void function(const TimedOwner&, const Function&) const {}
};

}  // namespace

std::vector<double> inputs_at_rest(const Model& model) {
  std::vector<double> out;
  for (const Input& i : model.inputs) out.insert(out.end(), {i.rest, 0, 0, 0});
  return out;
}

void bind_inputs(Model& m, const std::shared_ptr<const LiveValues>& values) {
  for_each_time_function(m, Bind{m, values});
  for_each_function(m, [&](LawOnRow& l) {
    for (const law::LivePlace& p : l.law.function->from)
      if (p.of == law::LivePlace::Of::input) m.inputs[p.at].used = true;
    l.law.function = l.law.function->bound(values, l.law.function->from);
  });
}

bool reads_inputs(const Model& m) {
  return std::any_of(m.inputs.begin(), m.inputs.end(), [](const Input& i) { return i.used; });
}

LiveValues inputs_of(const State& state) {
  LiveValues out;
  for (std::size_t i = 0; i + kNumbers <= state.inputs.size(); i += kNumbers)
    out.push_back({state.inputs[i], state.inputs[i + 1], state.inputs[i + 2], state.inputs[i + 3]});
  return out;
}

void set_input(std::size_t input, const LiveValue& v, State& state) {
  const std::array<double, kNumbers> all{v.x, v.since, v.first, v.second};
  std::copy(all.begin(), all.end(),
            state.inputs.begin() + static_cast<std::ptrdiff_t>(input * kNumbers));
}

void Draft::add_inputs(const std::vector<InputSpec>& specs) {
  std::unordered_map<std::string, int> names;
  for (const InputSpec& s : specs) {
    if (!claim(s.name, s.path, "input", names, 0)) continue;
    if (!(s.least <= s.most))
      complain(s.path + ".from",
               fmt::format("the range of input '{}' is from {} to {}", s.name, s.least, s.most));
    else if (!std::isfinite(s.rest))
      complain(s.path + ".rest", fmt::format("input '{}' is not finite at rest", s.name));
    else if (!(s.rest >= s.least && s.rest <= s.most))
      complain(s.path + ".rest", fmt::format("input '{}' rests at {}, outside its range, {} to {}",
                                             s.name, s.rest, s.least, s.most));
    model.inputs.push_back({s.name, s.path, s.rest, s.least, s.most, s.unit, s.text, s.controlled});
  }
}

void Draft::check_live(std::span<const std::string> names, const std::string& path) {
  for (const std::string& name : names) {
    if (model.find_input(name) >= 0) continue;
    std::vector<std::string> known;
    for (const Input& i : model.inputs) known.push_back(i.name);
    complain(path, fmt::format("there is no input '{}'{}", name, units::did_you_mean(name, known)));
  }
}

void Draft::bind_inputs() {
  if (!problems.empty()) return;
  follow_coordinates();
  if (!problems.empty()) return;
  auto values = std::make_shared<LiveValues>();
  for (const Input& i : model.inputs) values->push_back({i.rest, 0, 0, 0});
  model::bind_inputs(model, values);
}

}  // namespace trammel::model

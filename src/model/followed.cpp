#include "model/followed.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "math/index.h"
#include "model/draft.h"
#include "units/nearest.h"

namespace trammel::model {

namespace {

constexpr std::string_view kRate = ".rate";

struct Found {
  int joint = 0;
  const joint::Coordinate* coordinate = nullptr;
};

/// "joint.coordinate"; nothing: there is none.
std::optional<Found> find(const Draft& d, std::string_view name) {
  for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos && dot > 0;
       dot = name.rfind('.', dot - 1)) {
    const int j = d.made_joint(std::string(name.substr(0, dot)));
    if (j < 0) continue;
    for (const joint::Coordinate& c : d.model.joints[at(j)].table->coordinates)
      if (c.name == name.substr(dot + 1)) return Found{j, &c};
  }
  return {};
}

/// True where the state counts its turns already.
bool is_counted(const Model& m, const Found& f) {
  const auto same = [&](const auto& x) {
    return x.joint == f.joint && x.angle >= 0 && joint::same(x.row, f.coordinate->row);
  };
  return std::any_of(m.rows.begin(), m.rows.end(), same) ||
         std::any_of(m.sources.begin(), m.sources.end(), same);
}

Source source(Model& m, const Found& f) {
  Source out{f.joint, f.coordinate->row, f.coordinate->sign, -1};
  if (out.row.turns()) out.angle = m.n_angles++;
  return out;
}

class Follow {
 public:
  explicit Follow(Draft& draft) : d_(draft) {}

  void take(LawOnRow& l) {
    const std::string path = l.path + "." + std::string(l.law.type->function.name);
    std::vector<law::LivePlace> from;
    for (const std::string& name : l.law.function->live)
      if (const auto place = place_of(name, path, l)) from.push_back(*place);
    if (from.size() == l.law.function->live.size())
      l.law.function = l.law.function->bound(nullptr, std::move(from));
  }

 private:
  std::optional<law::LivePlace> place_of(const std::string& name, const std::string& path,
                                         const LawOnRow& l) {
    using Of = law::LivePlace::Of;
    const int input = d_.model.find_input(name);
    Of of = Of::coordinate;
    std::optional<Found> found = find(d_, name);
    if (!found && name.ends_with(kRate)) {
      of = Of::rate;
      found = find(d_, std::string_view(name).substr(0, name.size() - kRate.size()));
    }
    if (input >= 0 && found)
      return complain(path, fmt::format("'{}' is an input and a coordinate of a joint, too", name));
    if (input >= 0) return law::LivePlace{Of::input, at(input)};
    if (!found)
      return complain(path, fmt::format("there is no input and no coordinate '{}'{}", name,
                                        units::did_you_mean(name, known())));
    if (const std::string why = unfit(*found, of == Of::rate, l); !why.empty())
      return complain(path, fmt::format("'{}' {}", name, why));
    return law::LivePlace{of, source_of(*found)};
  }

  std::nullopt_t complain(const std::string& path, std::string text) {
    d_.complain(path, std::move(text));
    return std::nullopt;
  }

  /// Why functions cannot follow it; empty: they can.
  std::string unfit(const Found& f, bool rate, const LawOnRow& l) const {
    const Joint& j = d_.model.joints[at(f.joint)];
    if (j.strain()) return "is a strain: functions follow coordinates of joints";
    if (l.joint == f.joint && joint::same(d_.model.rows[at(l.row)].row, f.coordinate->row))
      return fmt::format("is the coordinate that the law is on: in its function it is '{}'",
                         rate ? "v" : "x");
    if (!f.coordinate->row.holonomic() && !rate) return "is a rate without a value: add '.rate'";
    return "";
  }

  /// Its number among those that are followed.
  std::size_t source_of(const Found& f) {
    Model& m = d_.model;
    const auto same = [&](int k) {
      const Source& s = m.sources[at(k)];
      return s.joint == f.joint && joint::same(s.row, f.coordinate->row);
    };
    const auto it = std::find_if(m.followed.begin(), m.followed.end(), same);
    if (it != m.followed.end()) return at(static_cast<int>(it - m.followed.begin()));
    m.followed.push_back(count(m.sources));
    m.sources.push_back(source(m, f));
    return m.followed.size() - 1;
  }

  std::vector<std::string> known() const {
    std::vector<std::string> out;
    for (const Input& i : d_.model.inputs) out.push_back(i.name);
    for (const Joint& j : d_.model.joints)
      for (const joint::Coordinate& c : j.table->coordinates) {
        out.push_back(j.name + "." + c.name);
        out.push_back(out.back() + std::string(kRate));
      }
    return out;
  }

  Draft& d_;
};

}  // namespace

void Draft::follow_coordinates() {
  Follow follow(*this);
  for_each_function(model, [&](LawOnRow& l) { follow.take(l); });
}

void Draft::count_turns(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (const auto f = find(*this, name); f && f->coordinate->row.turns() && !is_counted(model, *f))
      model.sources.push_back(source(model, *f));
}

}  // namespace trammel::model

// Tracks from their elements.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "geom/alignment.h"
#include "geom/basic.h"
#include "geom/chain.h"
#include "io/scene_specs.h"

namespace trammel::io {

namespace {

using Ends = std::pair<std::optional<double>, std::optional<double>>;  // of one element

/// Ends that an element does not state are those of its neighbours; zero at the ends of the list.
/// False: some stay unknown.
bool link(std::vector<Ends>& ends, const Value& list, const char* what, Findings& findings) {
  bool known = true;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!ends[i].first) ends[i].first = i > 0 ? ends[i - 1].second : 0.;
    if (ends[i].second) continue;
    const std::optional<double> after = i + 1 < ends.size() ? ends[i + 1].first : 0.;
    known = known && after;
    if (!after)
      findings.complain(
          list.items[i].path,
          fmt::format("neither this element nor the next one says the {} between them", what));
    ends[i].second = after.value_or(0);
  }
  return known;
}

/// A transition between two equal ends is none.
template <class Unchanging>
void check_changes(const Value& list, const char* what, Findings& findings,
                   const Unchanging& unchanging) {
  for (std::size_t i = 0; i < list.items.size(); ++i)
    if (const auto x = unchanging(i))
      findings.complain(
          list.items[i].path,
          fmt::format("a {} goes over from one {} to another, and both are {:.6g} here",
                      list.items[i].table->tag, what, *x));
}

std::optional<double> given(const Value& v, const char* key) {
  return v.has(key) ? std::optional(v[key].number) : std::nullopt;
}

/// Curvature by radius or itself.
std::optional<double> curvature(const Value& v, const std::string& prefix) {
  if (v.has(prefix + "radius")) return 1 / v[prefix + "radius"].number;
  return given(v, (prefix + "curvature").c_str());
}

geom::PlanPose pose_of(const Value& v) {
  return {v["x"].number, v["y"].number, v["heading"].number};
}

std::vector<geom::PlanElement> plan_elements(const Value& list, Findings& findings) {
  std::vector<Ends> k;
  for (const Value& e : list.items) {
    if (e.table->tag == "line")
      k.emplace_back(0., 0.);
    else if (e.table->tag == "arc")
      k.emplace_back(curvature(e, ""), curvature(e, ""));
    else
      k.emplace_back(curvature(e, "from_"), curvature(e, "to_"));
  }
  if (link(k, list, "curvature", findings))
    check_changes(list, "curvature", findings, [&](std::size_t i) -> std::optional<double> {
      const bool bends = list.items[i].table->tag != "line" && list.items[i].table->tag != "arc";
      return bends && k[i].second && k[i].first == k[i].second ? k[i].first : std::nullopt;
    });
  std::vector<geom::PlanElement> out;
  for (std::size_t i = 0; i < k.size(); ++i) {
    const Value& e = list.items[i];
    geom::PlanElement p{
        *geom::shape_named(e.table->tag), e[e.table->tag].number, *k[i].first, *k[i].second,
        e["gravity_height"].number,       e["cant_change"].number};
    if (e.has("start")) p.start = pose_of(e["start"]);
    out.push_back(p);
  }
  return out;
}

std::vector<geom::ProfileElement> profile_elements(const Value& list, Findings& findings) {
  std::vector<Ends> g;
  for (const Value& e : list.items)
    g.push_back(e.table->tag == "grade" ? Ends{e["grade"].number, e["grade"].number}
                                        : Ends{given(e, "from"), given(e, "to")});
  if (link(g, list, "grade", findings))
    check_changes(list, "grade", findings, [&](std::size_t i) -> std::optional<double> {
      const bool bends = list.items[i].table->tag != "grade";
      return bends && g[i].second && g[i].first == g[i].second ? g[i].first : std::nullopt;
    });
  std::vector<geom::ProfileElement> out;
  for (std::size_t i = 0; i < g.size(); ++i) {
    const Value& e = list.items[i];
    const std::string& tag = e.table->tag;
    out.push_back({*geom::profile_shape_named(tag), e[tag == "grade" ? "length" : tag].number,
                   *g[i].first, *g[i].second});
  }
  return out;
}

/// Ends of one quantity: key itself on a constant element, from_ and to_ on a ramp.
std::vector<Ends> ramps(const Value& list, const char* constant, const std::string& from,
                        const std::string& to) {
  std::vector<Ends> out;
  for (const Value& e : list.items)
    out.push_back(e.table->tag == "constant" ? Ends{e[constant].number, e[constant].number}
                                             : Ends{given(e, from.c_str()), given(e, to.c_str())});
  return out;
}

track::CantSpec cant_of(const Value& v, Findings& findings) {
  track::CantSpec spec;
  spec.base = v["cant_base"].number;
  const Value& list = v["cant"];
  std::vector<Ends> left = ramps(list, "left", "from_left", "to_left"),
                    right = ramps(list, "right", "from_right", "to_right");
  bool known = link(left, list, "raise of the left rail", findings);
  known = link(right, list, "raise of the right rail", findings) && known;
  if (known)
    check_changes(list, "cant", findings, [&](std::size_t i) -> std::optional<double> {
      const bool same = left[i].first == left[i].second && right[i].first == right[i].second;
      if (!same || list.items[i].table->tag == "constant") return {};
      return *left[i].first - *right[i].first;
    });
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Value& e = list.items[i];
    spec.elements.push_back({*geom::shape_named(e.table->tag), e[e.table->tag].number,
                             *left[i].first, *left[i].second, *right[i].first, *right[i].second});
  }
  return spec;
}

track::TwistSpec twist_of(const Value& list, Findings& findings) {
  track::TwistSpec spec;
  std::vector<Ends> w = ramps(list, "angle", "from", "to");
  if (link(w, list, "angle", findings))
    check_changes(list, "angle", findings, [&](std::size_t i) {
      const bool changes = list.items[i].table->tag == "constant" || w[i].first != w[i].second;
      return changes ? std::nullopt : w[i].first;
    });
  for (std::size_t i = 0; i < w.size(); ++i) {
    const Value& e = list.items[i];
    spec.elements.push_back(
        {*geom::shape_named(e.table->tag), e[e.table->tag].number, *w[i].first, *w[i].second});
  }
  return spec;
}

/// Where a curve in space starts: where it says, or where the one before it ends.
Pose start_of(const Value& v, const Pose& before, Findings& findings) {
  Pose start = before;
  if (v.has("position")) start.p = v["position"].vec();
  if (v.has("axis") || v.has("normal")) start.R = frame_axes(v, findings);
  return start;
}

geom::CurvePtr helix(const Value& v, const Pose* before, Findings& findings) {
  geom::HelixSpec h{v["radius"].number,      v["pitch"].number,      v["helix"].number,
                    v["start_angle"].number, !v["left_handed"].flag, v["up"].flag};
  if (v.has("axis") || v.has("normal")) {
    const Mat3 R = frame_axes(v, findings);  // its x is the helix's z
    h.place.R << R.col(1), R.col(2), R.col(0);
  }
  if (v.has("position") || !before) {
    h.place.p = v.has("position") ? v["position"].vec() : Vec3::Zero();
  } else {
    const geom::CurvePoint at = geom::Helix(h).at(0, 1);
    h.place = *before * inverse(Pose{at.p, at.C}) * h.place;
  }
  return std::make_shared<geom::Helix>(h);
}

geom::CurvePtr curve_of(const Value& v, const Pose* before, Findings& findings) {
  const std::string& tag = v.table->tag;
  if (tag == "helix") return helix(v, before, findings);
  const Pose start = start_of(v, before ? *before : Pose{}, findings);
  if (tag == "line") return std::make_shared<geom::Line>(start, v["line"].number);
  if (tag == "turn")
    return std::make_shared<geom::Arc>(
        geom::Arc::by_angle(start, v["radius"].number, v["turn"].number));
  return std::make_shared<geom::Arc>(start, *curvature(v, ""), v["arc"].number);
}

/// The geometry's name of a value, as the scene has it: an element's length stands under its kind.
std::string scene_path(const std::string& path, const Value& track) {
  for (const char* list : {"plan", "profile", "cant", "twist"})
    for (const Value& e : track[list].items) {
      const bool grade = e.table->tag == "grade";
      if (path == e.path + ".length" && !grade) return e.path + "." + e.table->tag;
      if (path == e.path + ".g0") return e.path + (grade ? ".grade" : ".from");
    }
  return path;
}

bool report(const std::vector<Problem>& problems, const std::string& at, const Value& track,
            Findings& findings) {
  for (const Problem& p : problems) {
    const bool follows = p.path.empty() || p.path[0] == '[';
    findings.complain(scene_path(at + (follows ? "" : ".") + p.path, track), p.text);
  }
  return problems.empty();
}

geom::CurvePtr chain_of(const Value& v, std::vector<geom::CurvePtr> members, const char* key,
                        Findings& findings) {
  if (members.size() == 1 && !v["closed"].flag) {
    if (members[0]->length() > 0 && std::isfinite(members[0]->length())) return members[0];
    findings.complain(v[key].path,
                      fmt::format("length {} m: must be greater than 0", members[0]->length()));
    return nullptr;
  }
  const geom::ChainSpec spec{std::move(members), v["closed"].flag, v["max_gap"].number,
                             v["max_kink"].number};
  return report(check(spec), v[key].path, v, findings) ? std::make_shared<geom::Chain>(spec)
                                                       : nullptr;
}

geom::CurvePtr railway_of(const Value& v, Findings& findings) {
  geom::AlignmentSpec spec;
  spec.plan.start = pose_of(v["start"]);
  spec.plan.elements = plan_elements(v["plan"], findings);
  spec.plan.max_gap = v["max_gap"].number;
  spec.plan.max_turn = v["max_kink"].number;
  if (v.has("profile"))
    spec.profile = {v["height"].number, profile_elements(v["profile"], findings),
                    v["max_kink"].number};
  if (!report(check(spec), v.path, v, findings)) return nullptr;
  return chain_of(v, {std::make_shared<geom::Alignment>(spec)}, "plan", findings);
}

geom::CurvePtr space_of(const Value& v, Findings& findings) {
  std::vector<geom::CurvePtr> members;
  std::optional<Pose> end;
  const bool one = v.has("curve");
  for (const Value& e : one ? std::vector<Value>{v["curve"]} : v["chain"].items) {
    members.push_back(curve_of(e, end ? &*end : nullptr, findings));
    end = geom::end_pose(*members.back());
  }
  if (!members.empty()) return chain_of(v, std::move(members), one ? "curve" : "chain", findings);
  findings.complain(v["chain"].path, "no members: a chain needs at least one curve");
  return nullptr;
}

std::optional<track::Twist> roll_of(const Value& v, Findings& findings) {
  if (v.has("cant")) {
    const track::CantSpec spec = cant_of(v, findings);
    return report(check(spec), v["cant"].path, v, findings) ? std::optional<track::Twist>(spec)
                                                            : std::nullopt;
  }
  if (!v.has("twist")) return track::Twist();
  const track::TwistSpec spec = twist_of(v["twist"], findings);
  return report(check(spec), v["twist"].path, v, findings) ? std::optional<track::Twist>(spec)
                                                           : std::nullopt;
}

/// Checks the cant of Viennese bends: how far one swings out goes by the cant that the track has
/// there. Publications take
/// the cant over the base for its angle, the track its arc sine: 1 % covers that.
void check_cant_changes(const Value& v, const track::Twist& twist, Findings& findings) {
  constexpr double kPart = 0.01, kLeast = 1e-4;  // [rad]
  double sigma = 0;
  for (const Value& e : v["plan"].items) {
    const double start = sigma;
    sigma += e[e.table->tag].number;
    if (e.table->tag != "viennese") continue;
    const double said = e["cant_change"].number, is = twist.angle(start) - twist.angle(sigma);
    if (std::abs(said - is) <= kLeast + kPart * std::max(std::abs(said), std::abs(is))) continue;
    if (said == 0 && e["gravity_height"].number == 0) continue;
    constexpr double kDegree = 180 / M_PI;
    findings.complain(e.path + ".cant_change",
                      fmt::format("the cant angle changes by {:.6g} deg here, by {:.6g} deg by the "
                                  "track's {} (positive where the right rail rises)",
                                  kDegree * said, kDegree * is, v.has("cant") ? "cant" : "twist"));
  }
}

}  // namespace

std::optional<model::TrackSpec> track_spec(const Value& v, Findings& findings) {
  const geom::CurvePtr curve = v.has("plan") ? railway_of(v, findings) : space_of(v, findings);
  const std::optional<track::Twist> twist = roll_of(v, findings);
  if (!curve || !twist) return {};
  if (!report(check(*curve, *twist), v[v.has("cant") ? "cant" : "twist"].path, v, findings))
    return {};
  if (v.has("plan") && (v.has("cant") || v.has("twist"))) check_cant_changes(v, *twist, findings);
  const std::string& name = v["name"].text;
  return model::TrackSpec{name, v.path, std::make_shared<track::Track>(name, curve, *twist)};
}

}  // namespace trammel::io

#include "geom/alignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "geom/beyond.h"

namespace trammel::geom {
namespace {

void append(std::vector<Problem>& out, const std::string& where, const std::vector<Problem>& more) {
  for (const Problem& p : more)
    out.push_back({where + (p.path.empty() || p.path[0] == '[' ? "" : ".") + p.path, p.text});
}

template <typename Elements>
double total_length(const Elements& elements) {
  double sum = 0;
  for (const auto& e : elements) sum += e.length;
  return sum;
}

ProfileSpec profile_of(const AlignmentSpec& spec) {
  if (spec.profile) return *spec.profile;
  return {.height = 0, .elements = {{.length = total_length(spec.plan.elements)}}};
}

Station station_of(const ProfilePoint& v) { return {v.sigma, v.c, -v.s * v.dphi}; }

void rate(const PlanPoint& h, const ProfilePoint& v, int order, CurvePoint& out) {
  // Omega = theta' z - phi' y with ' by arc length; d sigma/ds = cos phi.
  const double turn = h.k * v.c;
  out.Omega = Vec3(v.dphi * h.s, -v.dphi * h.c, turn);
  if (order < 2) return;
  const double d_turn = h.dk * v.c * v.c - h.k * v.s * v.dphi, both = turn * v.dphi;
  out.dOmega = Vec3(v.d2phi * h.s + both * h.c, -v.d2phi * h.c + both * h.s, d_turn);
}

}  // namespace

std::vector<Problem> check(const AlignmentSpec& spec) {
  std::vector<Problem> out;
  append(out, "plan", check(spec.plan));
  if (!spec.profile) return out;
  append(out, "profile", check(*spec.profile));
  const double plan = total_length(spec.plan.elements);
  const double profile = total_length(spec.profile->elements);
  if (out.empty() && profile < plan - kUncovered)
    out.push_back({"profile", fmt::format("covers {:.6f} m of the plan's {:.6f} m: {:.6f} m short",
                                          profile, plan, plan - profile)});
  if (out.empty() && profile > plan + most_beyond(plan))
    out.push_back(
        {"profile", fmt::format("is {:.6f} m long, {:.6f} m longer than the plan of {:.6f} m; it "
                                "may go on for {:.6g} m",
                                profile, profile - plan, plan, most_beyond(plan))});
  return out;
}

Alignment::Alignment(const AlignmentSpec& spec) : plan_(spec.plan), profile_(profile_of(spec)) {
  for (const Overlap& o : overlay(plan_.starts(), profile_.starts(), plan_.length())) {
    const bool first = pieces_.empty();
    const double s0 = first ? 0 : profile_.arc_length(o.start, o.b);
    // Each list at its own break: the two may lie a little apart.
    const bool plan_breaks = !first && o.a != pieces_.back().plan;
    const bool profile_breaks = !first && o.b != pieces_.back().profile;
    const Jump jump = std::max(plan_breaks ? plan_.jump(o.a) : Jump::none,
                               profile_breaks ? profile_.jump(o.b) : Jump::none);
    pieces_.push_back({s0, o.a, o.b, jump});
  }
  length_ = profile_.arc_length(plan_.length(), pieces_.back().profile);
}

void Alignment::eval(double s, std::size_t piece, int order, CurvePoint& out) const {
  Station at;
  eval(s, piece, order, out, at);
}

void Alignment::eval(double s, std::size_t piece, int order, CurvePoint& out, Station& at) const {
  ProfilePoint v;
  PlanPoint h;
  profile_.eval(s, pieces_[piece].profile, v);
  plan_.eval(v.sigma, pieces_[piece].plan, h);
  out.p = Vec3(h.x, h.y, v.z);
  out.C << v.c * h.c, -h.s, -v.s * h.c,  //
      v.c * h.s, h.c, -v.s * h.s,        //
      v.s, 0, v.c;
  rate(h, v, order, out);
  at = station_of(v);
}

Station Alignment::station(double s, std::size_t piece) const {
  ProfilePoint v;
  profile_.eval(s, pieces_[piece].profile, v);
  return station_of(v);
}

double Alignment::arc_length_at(double sigma) const {
  const auto& starts = profile_.starts();
  const auto after = std::upper_bound(starts.begin() + 1, starts.end(), sigma);
  return profile_.arc_length(sigma, static_cast<std::size_t>(after - starts.begin()) - 1);
}

}  // namespace trammel::geom

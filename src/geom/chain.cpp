#include "geom/chain.h"

#include <fmt/format.h>

#include <algorithm>

namespace trammel::geom {
namespace {

double stations(const Curve& curve) {
  return curve.station(curve.length(), curve.pieces() - 1).sigma;
}

void check_joint(const ChainSpec& spec, std::size_t from, std::size_t to,
                 std::vector<Problem>& out) {
  const Pose end = end_pose(*spec.members[from]);
  const CurvePoint start = spec.members[to]->at(0, 1);
  const double gap = (start.p - end.p).norm(), kink = turn_between(end.R, start.C);
  const std::string path = fmt::format("[{}]", to);
  const std::string joint = fmt::format("the start of [{}] and the end of [{}]", to, from);
  if (!(gap <= spec.max_gap))
    out.push_back({path, fmt::format("{} are {:.6g} m apart, ({}, {}, {}) and ({}, {}, {}) m; "
                                     "max_gap allows {} m",
                                     joint, gap, start.p.x(), start.p.y(), start.p.z(), end.p.x(),
                                     end.p.y(), end.p.z(), spec.max_gap)});
  if (!(kink <= spec.max_kink))
    out.push_back({path, fmt::format("{} meet with a kink of {:.6g} rad (tangents {:.6g} rad); "
                                     "max_kink allows {} rad",
                                     joint, kink,
                                     std::atan2(start.C.col(0).cross(end.R.col(0)).norm(),
                                                start.C.col(0).dot(end.R.col(0))),
                                     spec.max_kink)});
}

}  // namespace

std::vector<Problem> check(const ChainSpec& spec) {
  std::vector<Problem> out;
  if (spec.members.empty()) out.push_back({"", "no members: a chain needs at least one curve"});
  for (std::size_t i = 0; i < spec.members.size(); ++i)
    if (!(spec.members[i]->length() > 0) || spec.members[i]->closed())
      out.push_back(
          {fmt::format("[{}]", i),
           fmt::format("length {} m{}: must be an open curve longer than 0",
                       spec.members[i]->length(), spec.members[i]->closed() ? ", closed" : "")});
  if (!out.empty()) return out;
  for (std::size_t i = 1; i < spec.members.size(); ++i) check_joint(spec, i - 1, i, out);
  if (spec.closed) check_joint(spec, spec.members.size() - 1, 0, out);
  return out;
}

Chain::Chain(const ChainSpec& spec) : closed_(spec.closed) {
  double sigma = 0;
  for (const CurvePtr& curve : spec.members) {
    for (std::size_t i = 0; i < curve->pieces(); ++i)
      pieces_.push_back({members_.size(), i, length_ + curve->piece_start(i), curve->jump(i)});
    members_.push_back({curve, length_, sigma});
    length_ += curve->length();
    sigma += stations(*curve);
  }
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].piece > 0 || (i == 0 && !closed_)) continue;
    CurvePoint before, after;
    eval(i == 0 ? length_ : pieces_[i].s0, (i == 0 ? pieces_.size() : i) - 1, 1, before);
    eval(pieces_[i].s0, i, 1, after);
    pieces_[i].jump = classify(before, after);
  }
}

void Chain::eval(double s, std::size_t piece, int order, CurvePoint& out) const {
  const Piece& at = pieces_[piece];
  const Member& member = members_[at.member];
  member.curve->eval(s - member.s0, at.piece, order, out);
}

void Chain::eval(double s, std::size_t piece, int order, CurvePoint& out, Station& at) const {
  const Piece& on = pieces_[piece];
  const Member& member = members_[on.member];
  member.curve->eval(s - member.s0, on.piece, order, out, at);
  at.sigma += member.sigma0;
}

Station Chain::station(double s, std::size_t piece) const {
  const Piece& at = pieces_[piece];
  const Member& member = members_[at.member];
  Station out = member.curve->station(s - member.s0, at.piece);
  out.sigma += member.sigma0;
  return out;
}

double Chain::arc_length_at(double sigma) const {
  const auto after = std::upper_bound(members_.begin() + 1, members_.end(), sigma,
                                      [](double at, const Member& m) { return at < m.sigma0; });
  const Member& member = *(after - 1);
  return member.s0 + member.curve->arc_length_at(sigma - member.sigma0);
}

}  // namespace trammel::geom

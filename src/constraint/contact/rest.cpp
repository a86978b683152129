// When what slides comes to rest in a step, see "What stays in touch" in docs/theory/contact.md.
#include <algorithm>
#include <cmath>
#include <span>

#include "constraint/contact/parts.h"
#include "math/brief.h"

namespace trammel::constraint {

namespace {
constexpr double kAtEnds = 1e-3;  // of a step: what comes to rest nearer to its ends does so there
constexpr double kWhole = 1 - 1e-6;  // of the most that friction may give: it slides

/// A point that slides as the step begins.
struct Sliding {
  std::size_t k;
  Eigen::Vector2d slip, along;  // along: of length 1
  double most;                  // that its friction may give in stage P [N s]
  double of(const Six& x) const { return x.segment<2>(1).dot(along); }
};

brief::vector<Sliding> sliding_of(const ContactSurfaces& s, const ContactSettings& set,
                                  const ContactStart& start, std::size_t first, std::size_t end) {
  brief::vector<Sliding> out;
  for (std::size_t k = first; k < end; ++k) {
    const Eigen::Vector2d slip = start.rates[k].segment<2>(1);
    const double most = law_of(s, start.points.points[k]).friction *
                        (start.stage.p[k][0] + start.stage.targets[k].cohesion);
    if (most > 0 && slip.norm() > set.options.tolerance && !(start_gap(set, start, k) > 0))
      out.push_back({k, slip, slip.normalized(), most});
  }
  return out;
}

/// By how much more than it has done friction would slow down the points of a pair in stage P, had
/// it been against their slip all along: they share it in many ways.
double share_of_friction(const ContactStage& stage, std::span<const Sliding> all) {
  double most = 0, given = 0;
  for (const Sliding& x : all) {
    most += x.most;
    given -= x.of(stage.p[x.k]);
  }
  if (given >= kWhole * most) return 1;
  return given != 0 ? most / given : 0;
}
}  // namespace

double rests_at(const ContactSurfaces& s, const ContactSettings& set, const ContactStart& start,
                std::size_t first, std::size_t end) {
  const ContactStage& stage = start.stage;
  const brief::vector<Sliding> all = sliding_of(s, set, start, first, end);
  const double share = share_of_friction(stage, all),
               least = std::max(kAtEnds * start.h, 2 * start.instant);
  double out = law::kInf;
  for (const Sliding& x : all) {
    const double before = x.of(stage.before[x.k]), change = x.of(stage.after[x.k]) - before;
    const double lost = x.slip.norm() - before - std::min(share * change, 0.);  // in half the step
    const double t = lost > 0 ? start.h / 2 * x.slip.norm() / lost : law::kInf;
    if (t > least && t < (1 - kAtEnds) * start.h) out = std::min(out, t);
  }
  return out;
}

}  // namespace trammel::constraint

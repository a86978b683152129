// Newton's restitution, point by point, may add energy: where joints or friction turn what comes in
// into other directions (Kane 1984). Then impulses are taken between these and those without
// restitution, which never do, as far as the energy of each island allows. An island is what has
// pushed each other in this step, in either stage: the points of both may have others.
#include <algorithm>
#include <cmath>
#include <map>

#include "constraint/contact/parts.h"
#include "math/brief.h"

namespace trammel::constraint {

namespace {
constexpr double kRounding = 1e-12;  // of all works that there are

/// The works in an island, as they are and without their signs [J].
struct Works {
  double sum = 0, size = 0;
  void add(double work) {
    sum += work;
    size += std::abs(work);
  }
};

/// Of impulses between two others: c0 + c1 s + c2 s^2, with what stage P has done in c0.
struct Course {
  double c0 = 0, c1 = 0, c2 = 0, size = 0;

  /// The greatest share s in [0, 1] up to which nothing is gained.
  double share() const {
    const double allowed = kRounding * size;
    if (c0 + c1 + c2 <= allowed) return 1;
    if (c0 >= 0) return 0;
    double lo = 0, hi = 1;
    for (int k = 0; k < 100; ++k) {
      const double s = 0.5 * (lo + hi);
      (c0 + s * (c1 + s * c2) <= 0 ? lo : hi) = s;
    }
    return lo;
  }
};

double work_of(const Six& p, const Six& a, const Six& b) { return 0.5 * p.dot(a + b); }

/// Islands of what pushes in the step.
Forest islands_of_step(const ContactSurfaces& s, const ContactStart& start, const ContactEnd& end) {
  Forest out = s.ties;
  for (std::size_t i = 0; i < start.points.size(); ++i)
    if (!start.stage.p[i].isZero(0)) tie(s, start.points.points[i], out);
  for (std::size_t i = 0; i < end.points.size(); ++i)
    if (std::isfinite(end.stage.targets[i].u[0])) tie(s, end.points.points[i], out);
  return out;
}

/// The work in stage P of each island, see works_of() in account.cpp.
brief::map<int, double> works_of_start(const ContactSurfaces& s, const ContactStart& start,
                                       Forest& islands) {
  const ContactStage& stage = start.stage;
  brief::map<int, double> out;
  for (std::size_t i = 0; i < start.points.size(); ++i)
    if (!stage.p[i].isZero(0))
      out[island_of(s, start.points.points[i], islands)] +=
          stage.p[i].dot(start.rates[i] + 0.5 * (stage.after[i] - stage.before[i]));
  return out;
}
}  // namespace

bool bounces(const ContactEnd& end, const std::vector<int>& points) {
  return std::any_of(points.begin(), points.end(), [&](int k) {
    return end.stage.targets[at(k)].u[0] > -end.points.own[at(k)][0];
  });
}

bool gains(const ContactSurfaces& s, const ContactStart& start, const ContactEnd& end,
           const std::vector<int>& points) {
  if (!bounces(end, points)) return false;
  Forest islands = islands_of_step(s, start, end);
  brief::map<int, Works> works;
  for (const int k : points) {
    const std::size_t i = at(k);
    works[island_of(s, end.points.points[i], islands)].add(
        work_of(end.stage.p[i], end.stage.before[i], end.stage.after[i]));
  }
  for (const auto& [island, work] : works_of_start(s, start, islands))
    if (const auto of = works.find(island); of != works.end()) of->second.add(work);
  return std::any_of(works.begin(), works.end(),
                     [](const auto& w) { return w.second.sum > kRounding * w.second.size; });
}

ContactStage without_restitution(const ContactEnd& end) {
  ContactStage out = end.stage;
  for (std::size_t i = 0; i < end.points.size(); ++i)
    if (std::isfinite(out.targets[i].u[0])) out.targets[i].u[0] = -end.points.own[i][0];
  return out;
}

void ease(const ContactSurfaces& s, const ContactStart& start, const std::vector<int>& points,
          const ContactStage& calm, ContactEnd& end) {
  ContactStage& stage = end.stage;
  Forest islands = islands_of_step(s, start, end);
  const auto island = [&](std::size_t i) { return island_of(s, end.points.points[i], islands); };
  brief::map<int, Course> courses;
  for (const auto& [of, work] : works_of_start(s, start, islands)) {
    courses[of].c0 += work;
    courses[of].size += std::abs(work);
  }
  for (const int k : points) {
    const std::size_t i = at(k);
    Course& c = courses[island(i)];
    const Six p = stage.p[i] - calm.p[i], u = stage.after[i] - calm.after[i];
    c.c0 += work_of(calm.p[i], stage.before[i], calm.after[i]);
    c.c1 += work_of(p, stage.before[i], calm.after[i]) + 0.5 * calm.p[i].dot(u);
    c.c2 += 0.5 * p.dot(u);
    c.size += std::abs(work_of(stage.p[i], stage.before[i], stage.after[i]));
  }
  for (const int k : points) {
    const std::size_t i = at(k);
    const double share = courses[island(i)].share();
    if (share == 1) continue;
    stage.p[i] = calm.p[i] + share * (stage.p[i] - calm.p[i]);
    stage.after[i] = calm.after[i] + share * (stage.after[i] - calm.after[i]);
  }
}

}  // namespace trammel::constraint

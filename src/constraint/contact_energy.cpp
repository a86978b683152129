// Newton's restitution, point by point, may add energy: where joints or friction turn what comes in
// into other directions (Kane 1984). Then impulses are taken between these and those without
// restitution, which never do, as far as the energy of each island allows. An island is what has
// pushed each other in this step, in either stage: the lists of points of both may have others.
#include <algorithm>
#include <cmath>

#include "constraint/contact.h"
#include "math/index.h"

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
}  // namespace

/// Islands of what pushes in the step.
Forest Contacts::islands_of_step() const {
  Forest out = surfaces_.ties();
  for (std::size_t i = 0; i < now_->size(); ++i)
    if (!first_.p[i].isZero(0)) surfaces_.tie(now_->points[i], out);
  for (std::size_t i = 0; i < next_->size(); ++i)
    if (std::isfinite(second_.targets[i].u[0])) surfaces_.tie(next_->points[i], out);
  return out;
}

/// The work in stage P of each island, see add_works().
std::map<int, double> Contacts::works_of_first(Forest& islands) const {
  std::map<int, double> out;
  for (std::size_t i = 0; i < now_->size(); ++i)
    if (!first_.p[i].isZero(0))
      out[surfaces_.island_of(now_->points[i], islands)] +=
          first_.p[i].dot(start_[i] + 0.5 * (first_.after[i] - first_.before[i]));
  return out;
}

/// True where something is to leave faster than it would without restitution.
bool Contacts::bounces(const std::vector<int>& points) const {
  return std::any_of(points.begin(), points.end(), [&](int k) {
    const std::size_t i = at(k);
    return second_.targets[i].u[0] > -next_->own[i][0];
  });
}

/// True where the contacts of some island would gain energy by their restitution.
bool Contacts::gains(const std::vector<int>& points) const {
  if (!bounces(points)) return false;
  Forest islands = islands_of_step();
  std::map<int, Works> works;
  for (const int k : points) {
    const std::size_t i = at(k);
    works[surfaces_.island_of(next_->points[i], islands)].add(
        work_of(second_.p[i], second_.before[i], second_.after[i]));
  }
  for (const auto& [island, work] : works_of_first(islands))
    if (const auto of = works.find(island); of != works.end()) of->second.add(work);
  return std::any_of(works.begin(), works.end(),
                     [](const auto& w) { return w.second.sum > kRounding * w.second.size; });
}

ContactStage Contacts::without_restitution() const {
  ContactStage out = second_;
  for (std::size_t i = 0; i < next_->size(); ++i)
    if (std::isfinite(out.targets[i].u[0])) out.targets[i].u[0] = -next_->own[i][0];
  return out;
}

/// Takes the impulses of stage V from between those without restitution and those with it.
void Contacts::ease(const std::vector<int>& points, const ContactStage& calm) {
  Forest islands = islands_of_step();
  const auto island = [&](std::size_t i) { return surfaces_.island_of(next_->points[i], islands); };
  std::map<int, Course> courses;
  for (const auto& [of, work] : works_of_first(islands)) {
    courses[of].c0 += work;
    courses[of].size += std::abs(work);
  }
  for (const int k : points) {
    const std::size_t i = at(k);
    Course& c = courses[island(i)];
    const Six p = second_.p[i] - calm.p[i], u = second_.after[i] - calm.after[i];
    c.c0 += work_of(calm.p[i], second_.before[i], calm.after[i]);
    c.c1 += work_of(p, second_.before[i], calm.after[i]) + 0.5 * calm.p[i].dot(u);
    c.c2 += 0.5 * p.dot(u);
    c.size += std::abs(work_of(second_.p[i], second_.before[i], second_.after[i]));
  }
  for (const int k : points) {
    const std::size_t i = at(k);
    const double s = courses[island(i)].share();
    if (s == 1) continue;
    second_.p[i] = calm.p[i] + s * (second_.p[i] - calm.p[i]);
    second_.after[i] = calm.after[i] + s * (second_.after[i] - calm.after[i]);
  }
}

}  // namespace trammel::constraint

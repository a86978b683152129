// Potentials of pairs that are close, their gradients.
#include <algorithm>
#include <cmath>

#include "constraint/barrier/parts.h"
#include "math/parallel.h"

namespace trammel::constraint {

namespace {

constexpr int kCandidates = 128;  // candidates in one go

/// Energy of one pair of primitives: what lifts the lesser of both bodies by the barrier's width,
/// by its weight and by its inertia over a step.
double natural_stiffness(double width, double g, double a, double mass_a, double mass_b) {
  const double lesser = std::min(mass_a, mass_b);
  if (!std::isfinite(lesser)) return 0;
  return lesser * width * (g + width / a);
}

}  // namespace

std::vector<std::pair<int, int>> touching(const BarrierContact& c) {
  std::vector<std::pair<int, int>> out;
  for (const ClosePair& p : c.close) {
    const barrier::Candidate& k = c.candidates[at(p.candidate)];
    out.emplace_back(std::min(k.a, k.b), std::max(k.a, k.b));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void set_scales(const std::vector<double>& mass, double g, double h, BarrierContact& c) {
  for (int a = 0; a < count(c.object); ++a)
    for (int b = a + 1; b < count(c.object); ++b)
      c.scale[pair_index(c, a, b)] =
          c.barrier.stiffness > 0
              ? c.barrier.stiffness
              : natural_stiffness(c.barrier.distance, g, h * h, mass[at(a)], mass[at(b)]);
}

double contact_energy(const std::vector<body::Transform>& T_WO, BarrierContact& c) {
  if (!c.any()) return 0;
  place_corners(T_WO, c);
  std::vector<double> part((c.candidates.size() + kCandidates - 1) / kCandidates, 0);
  parallel::for_each(count(part), [&](int piece) {
    const int first = piece * kCandidates,
              last = std::min(first + kCandidates, count(c.candidates));
    for (int i = first; i < last; ++i) {
      const barrier::Candidate& k = c.candidates[at(i)];
      part[at(piece)] += barrier::pair_value(places_of(c, k), k.split == 2, stiffness(c, k));
    }
  });
  double sum = 0;
  for (const double x : part) sum += x;
  const double v = c.barrier.slip_speed;
  for (const Rubbing& r : c.rubbing)
    sum += r.force / c.slip.rate * barrier::friction(slip_of(c.slip, T_WO, r).norm(), v).f;
  return sum;
}

double barrier_energy(const BarrierContact& c) {
  double sum = 0;
  for (const ClosePair& p : c.close) sum += p.energy.value;
  return sum;
}

void take_close(const std::vector<body::Transform>& T_WO, BarrierContact& c) {
  place_corners(T_WO, c);
  c.close.clear();
  std::vector<std::vector<ClosePair>> part((c.candidates.size() + kCandidates - 1) / kCandidates);
  parallel::for_each(count(part), [&](int piece) {
    const int first = piece * kCandidates,
              last = std::min(first + kCandidates, count(c.candidates));
    for (int i = first; i < last; ++i) {
      const barrier::Candidate& k = c.candidates[at(i)];
      const barrier::PairEnergy e =
          barrier::pair_energy(places_of(c, k), k.split == 2, stiffness(c, k));
      if (e.at.D < begins_at(c)) part[at(piece)].push_back({i, e});
    }
  });
  for (const auto& p : part) c.close.insert(c.close.end(), p.begin(), p.end());
}

void add_barrier_covectors(const BarrierContact& c, std::vector<body::Covector>& out) {
  for (const ClosePair& p : c.close) {
    const barrier::Candidate& k = c.candidates[at(p.candidate)];
    split(k, own(c, k), p.energy.gradient, out[at(c.object[at(k.a)])], out[at(c.object[at(k.b)])]);
  }
}

double least_distance(const BarrierContact& c) {
  double least = std::numeric_limits<double>::infinity();
  for (const ClosePair& p : c.close) least = std::min(least, std::sqrt(p.energy.at.D));
  return least;
}

bool newly_close(const BarrierContact& c) {
  const auto now = touching(c);
  return !std::includes(c.at_start.begin(), c.at_start.end(), now.begin(), now.end());
}

}  // namespace trammel::constraint

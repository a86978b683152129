#pragma once

#include <Eigen/Core>
#include <limits>

/// Before a loop whose turns do not depend on each other, which g++ cannot know.
#ifdef __clang__
#define TRAMMEL_INDEPENDENT
#else
#define TRAMMEL_INDEPENDENT _Pragma("GCC ivdep")
#endif

/// Loops over long flat arrays that compilers do not vectorise by themselves.
namespace trammel {

/// The greatest of 0 and f(i), first <= i < last; infinite where one is infinite or not a number.
/// f is asked for eight at a time: it should not branch, and may write number i of an array whose
/// other numbers it does not read.
template <class F>
[[gnu::always_inline]] inline double greatest_of(int first, int last, const F& f) {
  if (last - first < 8) {  // too short for lanes, whose sums would cost more than the numbers
    double greatest = 0, rest = 0;
    for (int i = first; i < last; ++i) {
      const double one = f(i);
      greatest = one > greatest ? one : greatest;
      rest += 0 * one;
    }
    return rest == 0 ? greatest : std::numeric_limits<double>::infinity();
  }
  using Lanes = Eigen::Array<double, 8, 1>;
  Lanes most = Lanes::Zero(), bad = Lanes::Zero(), x;  // bad: 0 while all are numbers
  int i = first;
  for (; i + 8 <= last; i += 8) {
    TRAMMEL_INDEPENDENT
    for (int k = 0; k < 8; ++k) x[k] = f(i + k);
    most = most.max(x);
    bad += 0 * x;
  }
  double greatest = most.maxCoeff(), rest = bad.sum();
  for (; i < last; ++i) {
    const double one = f(i);
    greatest = one > greatest ? one : greatest;
    rest += 0 * one;
  }
  return rest == 0 ? greatest : std::numeric_limits<double>::infinity();
}

}  // namespace trammel

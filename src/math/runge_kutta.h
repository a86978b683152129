#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

/// Explicit Runge-Kutta methods on flat arrays: y' = f(t, y), one step at a time, with an error
/// estimate and dense output. They know nothing of what y is.
namespace trammel {

/// The differential equation that is integrated.
class Ode {
 public:
  virtual ~Ode() = default;
  /// dy = f(t, y). False: f has no value there; the step is not made.
  virtual bool slope(double t, const double* y, double* dy) = 0;
  /// At the end of a step: may bring y back to where it belongs (unit quaternions, constraints), by
  /// no more than the order of the step; and the slope there.
  virtual bool settle(double t, double* y, double* dy) { return slope(t, y, dy); }
};

/// The methods, from Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993),
/// II.4-6 and appendix.
enum class RungeKuttaMethod : unsigned char {
  rk4,  // the classical one, order 4, no error estimate; dense output of order 3
  dp5,  // Dormand-Prince 5(4), 6 slopes a step; dense output of order 4
  dp8,  // Dormand-Prince 8(5,3), 12 slopes a step; dense output of order 7, for 3 slopes more
};

std::string_view name_of(RungeKuttaMethod method);

class RungeKutta {
 public:
  struct Tableau;

  RungeKutta(RungeKuttaMethod method, std::size_t n);

  int order() const;
  bool estimates_error() const;
  /// Allowed error of each number in a step: absolute + relative |y|. Infinite: not controlled.
  void set_tolerance(std::vector<double> absolute, std::vector<double> relative);

  /// Begins at t with the numbers in y() and the slope f(t, y) in dy().
  void begin(double t) { t_ = t; }
  double t() const { return t_; }
  std::size_t size() const { return n_; }
  double* y() { return y_.data(); }
  const double* y() const { return y_.data(); }
  double* dy() { return k_.data(); }
  const double* dy() const { return k_.data(); }

  struct Tried {
    bool ok = false;   // all slopes had values
    double error = 0;  // over the tolerance: above 1 the step is not to be taken
  };
  /// A step from (t, y) of h, to end at t_end (t + h to rounding); not taken yet. Where the error
  /// is above 1 it may be left unfinished.
  Tried attempt(Ode& ode, double h, double t_end);
  /// Returns the state that attempt() has come to; settled.
  const double* next() const { return y1_.data(); }
  /// Goes there.
  void take();

  /// Prepares interpolate() for the step attempted. Costs slopes (dp8).
  bool prepare_dense(Ode& ode);
  /// y(t + theta h), theta in [0, 1].
  void interpolate(double theta, double* out) const;

  /// Step for the next attempt, from the one just tried, its error, and the error of the last step
  /// taken: a proportional-integral controller (II.4, 2.42c).
  double next_step(double h, double error, bool taken);
  /// Forgets the last error.
  void restart() { last_error_ = 1e-4; }
  /// A first step, of the size that the slopes at y and after an explicit Euler step ask for
  /// (II.4, p. 169).
  double first_step(Ode& ode, double longest);

 private:
  double* stage(int i) { return k_.data() + static_cast<std::size_t>(i) * n_; }
  const double* stage(int i) const { return k_.data() + static_cast<std::size_t>(i) * n_; }
  /// out = y + h sum of a row's terms.
  void combine(int row, double* out) const;
  double worst(const double* e, const double* y1) const;
  double error(const double* y1);
  double norm(const double* x) const;

  const Tableau* tableau_;
  std::size_t n_;
  double t_ = 0, h_ = 0, t_end_ = 0, last_error_ = 1e-4;
  std::vector<double> y_, y1_, k_, trial_, absolute_, relative_;
  std::vector<double> dense_;  // 8 x n
};

}  // namespace trammel

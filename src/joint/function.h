#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "math/types.h"

/// The functions of rows as data, one table in function.cpp: what each is called in text, what it
/// takes, what it is to laws, states and results, and how it is evaluated. Whoever meets a row asks
/// its entry; no other file tells one function from another. The tests of function_test.cpp and
/// evaluate_test.cpp are generated from the table.
namespace trammel::joint {

struct Row;
struct Ends;
struct Sample;
struct Arc;
struct Gradient;
struct SampleRates;
struct RowRates;
struct SecondVariation;
struct Maps;

enum class Unit : unsigned char { one, metre, square_metre, radian };
std::string_view symbol(Unit unit);

/// Gradient and Hessian of h(y, x), in y first: h_y, h_x; h_yy, h_yx, h_xx.
struct Partials {
  std::array<double, 2> d{};
  double d11 = 0, d12 = 0, d22 = 0;
};

/// Where the bodies of a nonholonomic row touch, from B's origin, and how this place moves (world).
struct Touch {
  Vec3 (*at)(const Row&, const Sample&);
  Vec3 (*rate)(const Row&, const Sample&, const SampleRates&);
};

/// The answers of evaluate.h for a row whose function is no h of products.
struct Own {
  double (*value)(const Row&, const Sample&, const Arc&);
  void (*gradient)(const Row&, const Sample&, Gradient&);
  RowRates (*rates)(const Row&, const Sample&, const SampleRates&);
  void (*add_second)(const Row&, const Maps&, SecondVariation&);
};

/// A function of one product y, or of two.
struct OfProducts {
  double (*value)(double y, double x) = nullptr;
  Partials (*partials)(double y, double x) = nullptr;
  // How far the products are from where h has no derivative, 0 there; null: nowhere.
  double (*margin)(double y, double x) = nullptr;
  // The values of n pairs, and unless d is null their h_y from d[0] and h_x from d[4].
  void (*lanes)(int n, const double* y, const double* x, double* value, double* d) = nullptr;
};

struct Function {
  std::string_view name;  // none: of the product itself

  // The arguments in text: so many products, "sqrt(D.D)", or, where `axes` is not 0, so many axes
  // of the frames A and B, "slip(Ay, Ax)"; without any of them the name stands alone, "s".
  int products = 1, axes = 0;
  bool (*fits)(const Row&) = nullptr;  // which of such arguments it takes; null: all
  std::optional<Unit> unit{};          // none: that of the product

  bool plain = false;     // the product itself, u.v
  bool distance = false;  // positive, and held at what it is at the start unless a scene says else
  bool turns = false;     // an angle known to whole turns only: the state counts them
  bool shape = false;     // of one body alone: how far it is from being rigid
  bool green = false;     // one of Green's strains: the six of a body are (A^T A - 1)/2
  bool coupled = false;   // of coordinates of several joints (coupling.h), and of no text

  // How it is evaluated: one of these three, or none if it is coupled.
  OfProducts h{};
  const Own* own = nullptr;
  const Touch* touch = nullptr;  // makes it a nonholonomic row, without a value

  double rest = 0;                             // is taken off h where u and v are the same vector
  unsigned (*features)(const Row&) = nullptr;  // a mask; null: those of the products
  // J on the 12 numbers of an affine body A whose axes it is of, shorter than by the gradient.
  void (*own_jacobian)(const Row&, const Ends&, const Sample&, double* J_A) = nullptr;
};

/// The table. Its first entry is the product itself.
extern const Function kFunctions[];
std::span<const Function> functions();
/// The function of couplings whose unit this is.
const Function& coupled_function(Unit unit);

}  // namespace trammel::joint

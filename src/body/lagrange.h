#pragma once

#include <memory>
#include <string>
#include <vector>

#include "body/path.h"
#include "body/symbolic.h"

/// Lagrange's equations of a system in generalised coordinates, derived as expressions
/// (docs/theory/systems.md).
namespace trammel::body {

/// A turn about an axis, in the axes left by the turns before it.
struct SystemTurn {
  Vec3 axis = Vec3::UnitZ();  // unit
  expr::Expression angle;     // [rad]
};

/// A place on a curve, whose frame there takes the place of the one that all else is given in.
struct SystemTrack {
  std::shared_ptr<const Path> path;
  expr::Expression s;  // arc length [m]
  Pose X = {};         // of the curve's axes
};

/// An object of a system: where its frame is by the coordinates, and what it weighs.
struct SystemObject {
  std::string name;
  int on = -1;                                 // the object in whose frame it is given; -1: world
  SystemTrack track = {};                      // first of all along it, or none
  std::array<expr::Expression, 3> position{};  // of its frame [m]; empty: 0
  std::vector<SystemTurn> turns{};             // of its frame, the first outermost
  Vec3 com = Vec3::Zero();                     // centre of mass in its frame [m]
  double mass = 0;                             // [kg]; 0: it only carries what is attached to it
  std::array<double, 6> inertia{};  // Ixx Iyy Izz Ixy Ixz Iyz about com, its axes [kg m^2]
};

/// The three turns of Z-X-Z Euler angles: about z, then the new x, then the new z.
std::vector<SystemTurn> zxz(expr::Expression alpha, expr::Expression beta, expr::Expression gamma);

struct SystemCoordinate {
  std::string name;
  expr::Expression x;     // a variable
  bool is_angle = false;  // [rad], else [m]
};

/// A system: objects whose poses, and a potential, are functions of n coordinates. All expressions
/// are of one graph, in which it may make more.
struct SystemSpec {
  std::string name;
  std::shared_ptr<expr::Graph> graph;
  std::vector<SystemCoordinate> coordinates;
  std::vector<SystemObject> objects;  // each after the one that it is on
  expr::Expression potential{};       // V(x) [J]; empty: none
  bool machine_code = false;          // made by the C compiler while the program runs; same bits
};

/// A number of an object that may vary: variable of the equations.
struct SystemParameter {
  int object = 0;
  int which = 0;  // 0: mass, 1..6: inertia
  expr::Expression variable;
};

/// Equations A(x) x'' + b(x, x') + grad V = Q. Where expressions are empty there is zero.
struct Equations {
  using E = expr::Expression;
  using Vec = symbolic::Vec;
  using Mat = symbolic::Mat;
  struct Object {
    Vec p;                        // p_WO_W of its centre of mass
    Mat R;                        // R_WO
    std::vector<Vec> Jv, Jw;      // by coordinate: columns of v and of w, world axes
    std::vector<Vec> Jv_O, Jw_O;  // in its own axes; the first of what is on a track
    Vec v, w, w_O;                // along the motion
    Vec a0, alpha;                // accelerations at x'' = 0, world axes
  };
  std::vector<E> x, u;  // coordinates and their rates, variables
  std::vector<SystemParameter> parameters;
  std::vector<Object> objects;
  std::vector<E> A;          // lower triangle, row by row
  std::vector<E> b, grad_V;  // n
  std::vector<E> grad_T;     // dT/dx at constant x'
  E V;
  std::vector<E> curvature;  // d^2V/dx^2, lower triangle
  std::string error;         // why there are none: no derivative, or too large
};

/// Derives the equations. named: masses and moments are variables, else numbers.
Equations lagrange(const SystemSpec& spec, bool named = true);

}  // namespace trammel::body

#pragma once

#include <string>
#include <vector>

#include "math/types.h"

/// The jointed scenes of the benchmark, free of any engine: every engine builds its model from
/// here, and every engine's states are judged by what is written here. SI units, world axes,
/// gravity along -z. Bodies of jointed scenes start with the axes of the world.
namespace trammel::bench {

constexpr double kGravity = 9.81;  // [m/s^2]

struct Body {
  double mass = 0;              // [kg]
  Vec3 inertia = Vec3::Zero();  // principal moments about the centre of mass, body axes [kg m^2]
  Vec3 p = Vec3::Zero();        // centre of mass at the start [m]
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();  // [m/s], [rad/s]
  Quat q = Quat::Identity();                // R_WB at the start
  Vec3 half = Vec3::Zero();                 // half the edges of a box that touches others [m]
  double radius = 0;                        // of a ball that does [m]
};

enum class Kind : unsigned char { ball, hinge, slider };

struct Joint {
  Kind kind = Kind::ball;
  int a = -1, b = 0;          // bodies; -1: the world
  Vec3 at = Vec3::Zero();     // point both ends share at the start [m]
  Vec3 axis = Vec3::UnitX();  // of hinges and sliders, at the start
  bool closes = false;        // a loop: not part of the tree that bodies and joints make
  double stiffness = 0;       // spring of a slider, free of force at the start [N/m]
};

struct Scene {
  std::string name;
  int n = 0;
  std::vector<Body> bodies{};
  std::vector<Joint> joints{};  // those of the tree first, a body's after its parent's
  double energy_scale = 1;      // energy errors are shares of this [J]
  double friction = -1;         // of all surfaces and the ground z <= 0; < 0: nothing touches
  bool touches() const { return friction >= 0; }
};

/// n links of 1 m x 0.05 m x 0.05 m and 2.5 kg on ball joints, let go from the horizontal. Scale:
/// the drop from there to hanging.
Scene make_chain(int n);
/// n windows of 1 m rods of 1 kg on hinges about y, n + 1 of them standing on the ground, the tops
/// at 1 m/s. All hinges hard: 5 (3 n + 1) rows on 6 (2 n + 1) velocities, one degree of freedom;
/// the motion passes singular configurations. Scale: the energy above the ground.
Scene make_fourbar(int n);
/// n pairs, 3 m apart: a bar of 1 kg on a ball joint in the world, on it a slider of 0.5 kg held by
/// a spring of 100 N/m. Scale: the drop from the horizontal to hanging.
Scene make_slider(int n);
/// n boxes of 0.5 m and 125 kg in columns that are not quite straight, layers 0.2 m apart, which
/// fall upon each other; friction 0.5, no restitution.
Scene make_pile(int n);
/// n balls of 0.25 m radius and 65 kg likewise, 0.1 m apart: they run off on all sides.
Scene make_balls(int n);

/// One of the above by its name; throws std::runtime_error for any other.
Scene make_scene(const std::string& name, int n);

}  // namespace trammel::bench

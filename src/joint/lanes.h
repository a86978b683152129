#pragma once

#include <array>

#include "joint/row.h"
#include "math/lanes.h"

/// The rows of four joints at once, one a lane: joints that have the same rows, between rigid
/// objects and off any track. What evaluate.h gives of one, to rounding; a lane's bits depend on
/// its own joint alone.
namespace trammel::joint {

constexpr int kLanes = 4;

/// A row that this is for.
inline bool in_lanes(const Row& row) { return row.fn->h.value != nullptr && !row.on_curve(); }

/// Where the objects are: x_W = p + A x.
struct LaneTransform {
  FourVec3 p;
  FourMat3 A;
};

/// The features' world values, those that were asked for.
struct LaneSample {
  int n = kLanes;             // lanes in use
  std::array<FourVec3, 7> x;  // Ax to D
  FourVec3 r_A, r_B;          // see Sample
};

/// `frames`: frame A and then B in its object's axes, of each the origin and those axes that
/// `features` asks for.
void sample(const LaneTransform& a, const LaneTransform& b, const FourVec3* frames,
            unsigned features, LaneSample& out);
/// g (angles in (-pi, pi]), and with kWithJ J on the motions of both ends, six numbers each.
template <bool kWithJ>
void evaluate(const Row& row, const LaneSample& at, Four& g, Four* J_A, Four* J_B);

}  // namespace trammel::joint

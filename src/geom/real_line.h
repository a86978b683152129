#pragma once

#include "geom/alignment.h"

namespace trammel::geom {

/// For tests: a real line of 1458.6 m: lengths, radii, grades as its owner gives them.
inline AlignmentSpec real_line() {
  const double r10 = 1 / 1000.0, r6 = -1 / 600.0;
  using enum Shape;
  return {.plan = {.start = {452270.188251, 4539403.947362, 0.349924145685},
                   .elements = {{constant, 387.72327629696491},
                                {linear, 39.9999999999925, 0, r10},
                                {constant, 193.46447083769988, r10},
                                {linear, 39.9999999999925, r10, 0},
                                {constant, 38.981515543466543},
                                {linear, 40.0000000000119, 0, -r10},
                                {constant, 109.4317499242829, -r10},
                                {linear, 40.0000000000119, -r10, 0},
                                {constant, 139.77105867009899},
                                {constant, 50.512989327269963},
                                {linear, 59.999999999958, 0, r6},
                                {constant, 172.82240812287358, r6},
                                {linear, 59.999999999958, r6, 0},
                                {constant, 85.887102946941766}}},
          .profile = ProfileSpec{.height = 5,
                                 .elements = {{ProfileShape::grade, 478.0045, 0},
                                              {ProfileShape::circle, 49.9975, 0, -0.01},
                                              {ProfileShape::grade, 250.0037, -0.01},
                                              {ProfileShape::circle, 49.9975, -0.01, 0},
                                              {ProfileShape::grade, 201.3689, 0},
                                              {ProfileShape::grade, 177.2755, 0},
                                              {ProfileShape::circle, 49.9975, 0, 0.01},
                                              {ProfileShape::grade, 160.0030, 0.01},
                                              {ProfileShape::circle, 29.9985, 0.01, 0},
                                              {ProfileShape::grade, 11.9480, 0}}}};
}

}  // namespace trammel::geom

#include "report/gltf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "report/vtk.h"

namespace trammel::report {
namespace {

/// A box that turns about z by 100 degrees a frame, goes along x and is stretched and sheared.
Drawn turning() {
  Drawn out;
  Shape box;
  box.solid.size = Vec3(1, 2, 3);
  out.bodies.push_back({"box", {{tessellate(box, 0.1), "#ff0000", "box"}}, true});
  Mat3 S = Mat3::Identity();
  S(0, 0) = 1.5;
  S(1, 2) = S(2, 1) = 0.125;
  for (int k = 0; k < 5; ++k) {
    out.time.push_back(10 + 0.5 * k);
    const Eigen::AngleAxisd turn(100 * k * std::numbers::pi / 180, Vec3::UnitZ());
    out.motion.push_back({Vec3(k, 2, 3), turn.toRotationMatrix() * S, 2});
  }
  return out;
}

/// The floats of the file that begin like `first`, found by their bytes.
std::vector<float> after(const std::string& bytes, const std::vector<float>& first, std::size_t n) {
  const std::string needle(reinterpret_cast<const char*>(first.data()), 4 * first.size());
  const std::size_t place = bytes.find(needle);
  std::vector<float> out(n);
  if (place == std::string::npos || place + 4 * n > bytes.size()) return {};
  std::memcpy(out.data(), bytes.data() + place, 4 * n);
  return out;
}

TEST(Gltf, NodesAreWhereTheBodiesAre) {
  const Drawn drawn = turning();
  const Gltf made = to_gltf(drawn, true, "run");
  EXPECT_NEAR(made.shear, 0.125, 1e-12);
  EXPECT_EQ(after(made.bytes, {0, 0.5F, 1, 1.5F, 2}, 5).size(), 5u) << "times from 0 on";
  const auto p = after(made.bytes, {0, 2, 3, 1, 2, 3}, 15);
  ASSERT_EQ(p.size(), 15u);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(p[3 * k], static_cast<float>(k));
  const auto q = after(made.bytes, {p[12], p[13], p[14]}, 3 + 20);  // behind the places
  ASSERT_EQ(q.size(), 23u);
  for (std::size_t k = 0; k < 5; ++k) {
    const double half = 50 * static_cast<double>(k) * std::numbers::pi / 180;
    EXPECT_NEAR(q[3 + 4 * k + 2], std::sin(half), 1e-6) << "the shorter way round, never back";
    EXPECT_NEAR(q[3 + 4 * k + 3], std::cos(half), 1e-6);
  }
  EXPECT_EQ(after(made.bytes, {1.5F, 1, 1, 1.5F, 1, 1}, 15).size(), 15u) << "stretches";
}

TEST(Vtk, CornersAreWhereTheMatrixTakesThem) {
  const Drawn drawn = turning();
  const std::string bytes = vtp_of(drawn, 3);
  std::vector<float> wanted;
  for (const Vec3& X : drawn.bodies[0].pieces[0].surface.points)
    for (const double x : Vec3(drawn.at(3, 0).p + drawn.at(3, 0).A * X))
      wanted.push_back(static_cast<float>(x));
  EXPECT_EQ(after(bytes, wanted, wanted.size()), wanted);
  EXPECT_NE(bytes.find(">98 111 120 0 <"), std::string::npos) << "names as numbers";
  EXPECT_NEAR(strain(drawn.at(3, 0).A),
              std::sqrt(1.25 * 1.25 + 2 * 0.015625 * 0.015625 + 2 * 0.25 * 0.25), 1e-12);
}

}  // namespace
}  // namespace trammel::report

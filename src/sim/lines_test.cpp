// Lines of tracks as points: as many as each piece's own turn asks for, exact where they are.
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "geom/alignment.h"
#include "sim/recorder.h"
#include "track/track.h"

namespace trammel::sim::lines_test {
namespace {

TEST(TrackLines, PointsAreAsDenseAsTheirPieceTurns) {
  const double radius = 100, turn = 0.005;  // at most so far from one to the next [rad]
  geom::AlignmentSpec spec;
  spec.plan.elements = {{geom::Shape::constant, 150},
                        {geom::Shape::constant, 250, 1 / radius},
                        {geom::Shape::linear, 200, 1 / radius, 0}};
  model::Model model;
  model.tracks.push_back(
      {"line", std::make_shared<track::Track>("line", std::make_shared<geom::Alignment>(spec),
                                              track::Twist{})});
  const std::vector<Constants> lines = track_lines(model);
  ASSERT_EQ(lines.size(), 1u);
  const std::size_t width = lines[0].columns.size();
  std::array<int, 3> points{};
  for (std::size_t i = 0; i < lines[0].values.size(); i += width) {
    const double s = lines[0].values[i];
    ++points[s < 150 || (s == 150 && points[0] < 2) ? 0 : s < 400 || points[1] < 501 ? 1 : 2];
    const Vec3 p = vec3(&lines[0].values[i + 1]);
    EXPECT_LE((p - model.tracks[0].track->at(s).p).norm(), 1e-12) << s;
  }
  EXPECT_EQ(points[0], 2);
  EXPECT_EQ(points[1], 1 + 250 / radius / turn);
  EXPECT_EQ(points[2], 1 + 200 / radius / turn);  // as where it bends most
}

}  // namespace
}  // namespace trammel::sim::lines_test

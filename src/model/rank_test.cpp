// Freedoms of long mechanisms.
#include "model/rank.h"

#include <gtest/gtest.h>

#include <string>

#include "model/builder.h"

namespace trammel::model::rank_test {
namespace {

void add_link(Builder& b, const std::string& name, const std::string& from, double x, double y) {
  BodySpec link;
  link.name = name;
  link.mass = 1;
  link.inertia = {0.004, 0.004, 0.004, 0, 0, 0};
  link.X_WB.p = Vec3(x + 0.5, y, 0);
  b.add_body(link);
  JointSpec hinge;
  hinge.name = "to " + name;
  hinge.type = "revolute";
  hinge.a = from;
  hinge.b = name;
  Mat3 about_y;
  about_y << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  hinge.at = Pose{Vec3(x, y, 0), about_y};
  b.add_joint(hinge);
}

Rank rank_of_start(const Builder& b) {
  auto result = b.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&result)) {
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
    return {};
  }
  return std::get<Built>(result).start.rank;
}

/// An open chain has no row too much, however small the pivots at its root are.
TEST(Rank, OfALongChainIsFull) {
  Builder b;
  for (int i = 0; i < 3000; ++i)
    add_link(b, "l" + std::to_string(i), i ? "l" + std::to_string(i - 1) : "ground", i, 0);
  const Rank rank = rank_of_start(b);
  EXPECT_EQ(rank.surplus(), 0);
  EXPECT_EQ(rank.degrees_of_freedom(), 3000);
}

/// A flat loop of hinges holds three rows too much; what hangs on it does not count, nor is named.
TEST(Rank, OfALoopHasNothingOfItsBranches) {
  Builder b;
  for (int i = 0; i < 3; ++i)
    add_link(b, "l" + std::to_string(i), i ? "l" + std::to_string(i - 1) : "ground", i, 0);
  JointSpec closes;
  closes.name = "closes";
  closes.type = "fixed";
  closes.b = "l2";
  closes.at = Pose{Vec3(3, 0, 0), Mat3::Identity()};
  b.add_joint(closes);
  for (int i = 0; i < 800; ++i)
    add_link(b, "t" + std::to_string(i), i ? "t" + std::to_string(i - 1) : "l1", 2 + i, 1);
  const Rank rank = rank_of_start(b);
  EXPECT_EQ(rank.rows - rank.rank, 4);  // stretched, the loop is rigid along x too
  ASSERT_EQ(rank.loops.size(), 1u);
  EXPECT_EQ(rank.loops.front().joints.size(), 4u);
}

}  // namespace
}  // namespace trammel::model::rank_test

#include "cli/pictures.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>
#include <fstream>
#include <sstream>

#include "joint/table.h"

namespace trammel::cli::pictures_test {
namespace {

std::string contents(const std::string& file) {
  std::ostringstream out;
  out << std::ifstream(file).rdbuf();
  return out.str();
}

/// The same text, and numbers that differ by less than a pixel: compilers round differently.
bool alike(const std::string& a, const std::string& b) {
  std::size_t i = 0, k = 0;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  while (i < a.size() && k < b.size()) {
    if (digit(a[i]) && digit(b[k])) {
      std::size_t length_a = 0, length_b = 0;
      const double x = std::stod(a.substr(i, 12), &length_a),
                   y = std::stod(b.substr(k, 12), &length_b);
      if (std::abs(x - y) > 0.8) return false;
      i += length_a, k += length_b;
    } else if (a[i++] != b[k++]) {
      return false;
    }
  }
  return i == a.size() && k == b.size();
}

TEST(Pictures, OfTheDocumentsAreThoseOfTheProgram) {
  const std::string folder = TRAMMEL_SOURCE_DIR "/docs/";
  for (const Picture& picture : document_pictures())
    EXPECT_TRUE(alike(contents(folder + "pictures/" + picture.path), picture.svg))
        << "docs/pictures/" << picture.path << " is stale: trammel make figures -o docs/pictures";
}

TEST(Pictures, ChangesAreSeen) {
  EXPECT_TRUE(alike("M12.5,3 y", "M12.49,3.3 y"));
  EXPECT_FALSE(alike("M12.5,3 y", "M14.5,3 y"));
  EXPECT_FALSE(alike("M12.5,3 y", "M12.5,3 z"));
  EXPECT_FALSE(alike("M12.5,3", "M12.5,3 4,5"));
  EXPECT_FALSE(alike("", "M12"));
}

TEST(Pictures, StandInTheDocuments) {
  const std::string joints = contents(TRAMMEL_SOURCE_DIR "/docs/scene-format.md"),
                    tracks = contents(TRAMMEL_SOURCE_DIR "/docs/theory/tracks.md");
  for (const Picture& picture : document_pictures())
    EXPECT_NE((joints + tracks).find("pictures/" + picture.path), std::string::npos)
        << picture.path << " is shown on no page";
}

TEST(Pictures, EveryJointIsDrawn) {
  for (const JointPicture& picture : joint_pictures())
    EXPECT_FALSE(picture.svg.empty())
        << "src/cli/joint_pictures.cpp does not draw " << picture.joint;
}

// What is drawn as free is all that the rows leave: as many motions as there are freedoms, none
// twice, none against a row (rows that are functions are not asked).
TEST(Pictures, ShowTheMotionsThatRowsLeave) {
  for (const JointPicture& picture : joint_pictures()) {
    const joint::Table& table = *joint::find_table(picture.joint);
    const auto freedoms = 6 - static_cast<Eigen::Index>(table.rows.size());
    ASSERT_EQ(picture.motions.cols(), freedoms) << picture.joint;
    if (freedoms == 0) continue;
    EXPECT_EQ(Eigen::JacobiSVD<MatX>(picture.motions).rank(), freedoms) << picture.joint;
    for (const joint::Coordinate& row : table.rows) {
      const joint::Push push = joint::push(row.row);
      for (Eigen::Index i = 0; i < freedoms; ++i)
        EXPECT_NEAR(push.force.dot(picture.motions.col(i).head<3>()) +
                        push.torque.dot(picture.motions.col(i).tail<3>()),
                    0, 1e-12)
            << picture.joint << " " << row.name << " motion " << i;
    }
  }
}

}  // namespace
}  // namespace trammel::cli::pictures_test

#pragma once

#include <string>
#include <vector>

#include "math/types.h"

/// The pictures of joints and curves in the documents, drawn from the program's own tables.
namespace trammel::cli {

struct Picture {
  std::string path;  // below docs/pictures
  std::string svg;
};

struct JointPicture {
  std::string joint;
  std::string svg;
  MatX motions;  // a column each: velocity and angular velocity of B, in the axes of A
};

/// One of each joint of the table; the svg is empty where nobody has drawn it yet.
std::vector<JointPicture> joint_pictures();
/// Elements of a plan with their curvature and cant, and curves in space.
std::vector<Picture> curve_pictures();

std::vector<Picture> document_pictures();

}  // namespace trammel::cli

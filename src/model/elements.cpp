// Elements that are a joint without rows, and laws on its coordinates.
#include <fmt/core.h>

#include "joint/table.h"
#include "model/builder.h"

namespace trammel::model {

JointSpec between(std::string name, std::string a, std::string b) {
  JointSpec out;
  out.name = std::move(name);
  out.table = std::make_shared<const joint::Table>(joint::distance_table());
  out.a = std::move(a);
  out.b = std::move(b);
  return out;
}

JointSpec between(std::string name, std::string a, std::string b, const Vec3& direction,
                  bool turns_with_b) {
  JointSpec out = between(std::move(name), std::move(a), std::move(b));
  out.table = std::make_shared<const joint::Table>(joint::way_table(turns_with_b));
  Mat3& R = out.R_WF.emplace();
  R.col(0) = direction.normalized();
  R.col(1) = R.col(0).unitOrthogonal();
  R.col(2) = R.col(0).cross(R.col(1));
  return out;
}

std::vector<LawSpec> laws_of(const Bushing& bushing, const std::string& joint,
                             const std::string& path) {
  static constexpr const char* kCoordinates[] = {"x", "y", "z", "roll", "pitch", "yaw"};
  std::vector<LawSpec> out;
  for (int i = 0; i < 6; ++i) {
    const double k = i < 3 ? bushing.stiffness[i] : bushing.angular_stiffness[i - 3];
    const double c = i < 3 ? bushing.damping[i] : bushing.angular_damping[i - 3];
    if (k == 0 && c == 0) continue;
    LawSpec& law = out.emplace_back();
    law.name = fmt::format("{}.{}", joint, kCoordinates[i]);
    law.path = path;
    law.type = "spring";
    law.joint = joint;
    law.coordinate = kCoordinates[i];
    law.numbers = {{"stiffness", k}, {"damping", c}};
  }
  return out;
}

}  // namespace trammel::model

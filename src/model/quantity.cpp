#include "model/quantity.h"

namespace trammel::model {

void put_frame(const Pose& X, const Object& o, std::vector<double>& out) {
  const Vec3 p = X.p + o.com;
  const Quat q(X.R);
  out.insert(out.end(), {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()});
}

}  // namespace trammel::model

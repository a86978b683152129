#include <fmt/core.h>
#include <trammel/math/types.h>
#include <trammel/version.h>

// A quarter turn about z and back: the pose and its inverse meet at the identity.
int main() {
  trammel::Pose X_WB;
  X_WB.p = {1.0, 2.0, 3.0};
  X_WB.R << 0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0;
  const trammel::Pose X_BB = X_WB * trammel::inverse(X_WB);
  fmt::print("trammel {}: |p| = {:g} m\n", trammel::kVersion, X_BB.p.norm());
  return X_BB.p.isZero(1e-15) && X_BB.R.isIdentity(1e-15) ? 0 : 1;
}

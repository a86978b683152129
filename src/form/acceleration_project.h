#pragma once

#include "form/acceleration_values.h"

/// The end of a step of the method: projection of positions and velocities onto the rows.
namespace trammel::form::acceleration {

/// Projects the coordinates of y onto the rows by Newton iteration with the factor of the last
/// slope, which was made near here; `now` gets place and rows at its time, the works of y what
/// angular momentum it changes. It goes on below the tolerance until rounding stops it: a gap that
/// stays is magnified at every singular configuration that is passed, where a gap of d lets bodies
/// be off by sqrt(d). Returns false where it does not converge.
bool project_positions(const Mechanism& mechanism, const Mode& mode, double* y, Bounds& bounds,
                       Instant& now, Work& work);
/// Projects the velocities of y onto J u = c' - g_t of active rows; what drives do and the impulses
/// from outside go to the works. Needs inverse masses and Jacobians of now.at.
bool project_velocities(const Mechanism& mechanism, const Mode& mode, double* y, Bounds& bounds,
                        Instant& now, Work& work);

/// Adds to the works `out` what impulses of rows have done: the works of laws and prescribed
/// bodies, and the impulses from outside. Returns the sum of these works [J]; the rest of the
/// change of energy is a loss. `before` are the rates before the impulses: a motor drives its row
/// from its rate before to that after, a drive moves at its own.
double add_impulses(const Mechanism& mechanism, const Mode& mode, const std::vector<double>& before,
                    const Instant& now, const std::vector<double>& impulses, double* out);
/// Returns the angular momentum of y about the world's origin [N m s]; P is room for momenta.
Vec3 angular_momentum(const Mechanism& mechanism, const double* y, std::vector<double>& P);

}  // namespace trammel::form::acceleration

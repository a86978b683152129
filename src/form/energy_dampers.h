#pragma once

#include <vector>

#include "form/energy_problem.h"

/// Dampers of soft joints behind stops. A stop does not give, so what presses on it rides on the
/// vibration of the springs that stand for the joints around it: a car of 50 t on rails of 1 GN/m
/// bounces at 22 Hz, and the force of its coupler with it. A mechanism whose joints hold has no
/// such vibration, and a scheme of second order keeps it wherever the step resolves it. So in a
/// part of the mechanism where a stop presses, every joint's spring k has the damper of its
/// critical damping beside it, 2 sqrt(k m), m the mass of its heavier end. It acts on rates of gaps
/// alone, so that it takes nothing from what the joint lets move.
///
/// In the two steps of an impact joints hold their gaps instead, by a damper that counts as many
/// times the mass: impulses pass through soft joints as through those held by rows. Else the bodies
/// would meet one after the other, and strengths would be judged by forces that the stiffness
/// makes of an impulse.
namespace trammel::form::energy {

/// Returns for every joint the part of the mechanism that it belongs to; parts share no joint and
/// no body that moves.
std::vector<int> parts_of(const model::Model& model, const solve::Graph& graph);

/// True where joints are springs that may have dampers. Those of a published stiffness have none,
/// which is as the step is, and by midpoint there are no stops.
bool has_dampers(const Mechanism& m);
/// Says for every part of the mechanism how its joints are damped in a step from the state.
void damp(const Mechanism& m, const model::State& state, std::vector<Damping>& damping);
/// Makes joints hold in the parts in which a row strikes its stop in the step, whose minimum has
/// the forces lambda. Returns true where that changes the step.
bool hold_struck(const Mechanism& m, const Instant& start, const std::vector<double>& lambda,
                 Problem& problem);

/// Returns the damping of a joint's spring of stiffness k [N/m], [N m] at a mass [kg], [kg m^2] in
/// a step [N s/m], [N m s].
double damper_of(const Mechanism& m, const Problem& problem, int joint, double k, double mass);
/// Computes what dampers add to the residuals of terms. As the scheme's rate of a residual r is
/// dv/dx (r - keep r_n + back r_n-1), spring and damper are one spring k + c dv/dx on r + shift,
/// shift = -c dv/dx/(k + c dv/dx) (keep r_n - back r_n-1).
void shift_terms(const Mechanism& m, const Past& past, Problem& problem);

}  // namespace trammel::form::energy

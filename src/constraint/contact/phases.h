#pragma once

#include "constraint/contact/step.h"

/// The phases of a step with contacts, in the order in which a formulation calls them. It gives
/// momenta and gets them back with the impulses of all contacts; it knows nothing else of them.
namespace trammel::constraint {

/// Takes up a state.
void load(Contacts& c, const model::State& state);

/// Begins a step at the instant `at`, with velocities u and momenta P kicked by forces. Adds
/// the impulses of stage P to P; those of coupled points are first guesses. start.cpp
void begin_step(Contacts& c, const StepLength& length, const model::State& state,
                const model::KinematicsCache& at, const std::vector<double>& u,
                std::vector<double>& P);

/// A round between rows and coupled points at momenta P that meet the rows; `first`: of all rounds
/// of this stage; `enough` [m/s] is by how much rates may be off. Returns true where that is so,
/// and the rows have answered the impulses that there are: neither these nor P change then. Else,
/// also where there is no solution, false, with the impulses corrected in P. coupled.cpp
bool settle_start(Contacts& c, const model::KinematicsCache& at, const RowResponse& respond,
                  bool first, double enough, std::vector<double>& P);

/// Takes up where the drift with the momenta P has led, to `end` at mean velocities u: what touches
/// throughout is to touch there, and what sticks is to stick on the mean of both ends. Returns true
/// where rates are off by no more than `enough` [m/s], or that has been asked often enough; else
/// corrects the impulses of points between free bodies in P; others are for settle_start().
/// follow.cpp
bool follow_drift(Contacts& c, const model::KinematicsCache& at, const model::KinematicsCache& end,
                  const std::vector<double>& u, double enough, std::vector<double>& P);

/// The drift with the momenta P is over. push.cpp
void account_push(Contacts& c, const model::KinematicsCache& at, const std::vector<double>& P);

/// How long after the start of the step something happens that is to be at the end of one [s];
/// infinite: it does not, or with more pairs at several instants than steps are divided for.
struct Next {
  double meets = law::kInf;  // bodies meet, faster than forces make of what rests in the step
  bool loaded = false;       // and something may rest on them, or on what they can push
  double rests = law::kInf;  // one that slides on another comes to rest there
};
/// Needs the impulses of stage P. meetings.cpp
Next next_in_step(Contacts& c);
/// True where what stays in touch goes far over a shape. Needs the drift of stage P.
inline bool sweeps(const Contacts& c) { return !c.start.far.empty(); }

/// Begins stage V at the end of the drift, with the velocities u that bodies have there but for
/// impulses of contact. False: something has passed through a surface on the way. arrive.cpp
bool arrive(Contacts& c, const model::KinematicsCache& at, const std::vector<double>& u);

/// How long the step is to be for what comes to touch at its end, on a way that is bent, to do so
/// just there [s]; infinite: nothing overlaps by more than a millionth of its way. Needs stage V.
/// meetings.cpp
double end_at_meeting(const Contacts& c);

/// Something slides past an edge: it still touches at t from the start of the step, and is gone
/// `past` later [s].
struct Parting {
  double t = law::kInf;
  double past = 0;
};
/// The first that does, as seen from the end with the velocities u there. Needs stage V.
/// parting.cpp
Parting first_parting(const Contacts& c, std::span<const double> u);

/// Adds the impulses of stage V to the momenta P that have all others. May be called again.
/// free.cpp
void push_end(Contacts& c, const model::KinematicsCache& at, std::vector<double>& P);
bool settle_end(Contacts& c, const model::KinematicsCache& at, const RowResponse& respond,
                bool first, double enough, std::vector<double>& P);

/// Adds the impulses of the step on each body to wrench impulses (model/reactions.h): those of both
/// stages at the instants that their points were found at. account.cpp
void add_wrenches(const Contacts& c, const model::KinematicsCache& start,
                  const model::KinematicsCache& end, double* wrench_impulses);
/// Adds the points that pushed in the step, and their impulses.
void add_impulses_of_points(const Contacts& c, std::vector<PointImpulse>& out);
/// Ends the step with the velocities u: what it has to tell, works in the ledger of the state, and
/// its memory.
void end_step(Contacts& c, const model::KinematicsCache& at, const std::vector<double>& u,
              model::State& state);

}  // namespace trammel::constraint

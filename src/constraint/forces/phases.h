#pragma once

#include "constraint/account.h"
#include "constraint/contact/step.h"
#include "constraint/forces/touches.h"

/// What the acceleration formulation asks of contacts, in the order of a step.
namespace trammel::constraint {

void set_scales(ContactForces& c, const Nearness& near, double h);
/// Takes up a state: what its memory says was closed. touches.cpp
void load(ContactForces& c, const model::State& state, const model::KinematicsCache& at,
          const std::vector<double>& u);
/// Finds anew what touches; keeps what is closed. `after` a step: true where who is closed has to
/// be found anew.
bool renew(ContactForces& c, const model::KinematicsCache& at, const std::vector<double>& u);
/// Computes how what touches moves. Needs rates and biases.
void evaluate(const ContactForces& c, const model::KinematicsCache& at, const double* u,
              Touches& out);
/// Slips are counted from their directions now.
void begin_step(ContactForces& c, const Touches& now);
bool any_closed(const ContactForces& c);
void keep(const ContactForces& c, const Touches& now, double h, model::State& state);

/// What comes of a decision: forces that jam are those that only an impulse is great enough for
/// (impact without collision); what fails has a cause outside of contacts.
enum class Decision : unsigned char { made, jams, fails };
/// Who is closed from now on, and who sticks: accelerations a0 without contacts. decide.cpp
Decision decide(ContactForces& c, const Touches& now, double t, const double* a0,
                const ForceResponse& respond, bool alarmed);

/// Makes the problem of the closed points, and adds to f what is known of their forces. problem.cpp
bool make_problem(const ContactForces& c, const ForceResponse& respond, Touches& now, double* f);
/// Adds forces that take what the accelerations `a` miss, to `now` and to f. Returns the worst that
/// they missed.
double correct(const ContactForces& c, const double* a, Touches& now, double* f);
/// Ends the solve at the accelerations `a`.
void finish(const ContactForces& c, const double* a, Touches& now);
/// Where closed points share their forces in many ways: looks for forces within all cones that make
/// the same accelerations `a`, and adds their difference to f. Returns false where the forces stay.
/// share.cpp
bool share(const ContactForces& c, const double* a, const ForceResponse& respond, Touches& now,
           double* f);

/// Above kAlarm something changes: at the end of a step, or within it. alarm.cpp
double alarm(const ContactForces& c, const Touches& now);
/// Likewise of what is open, at an instant.
double closing(ContactForces& c, const model::KinematicsCache& at);
/// True where a point should change as things stand.
bool is_alarmed(const ContactForces& c, const Touches& now);
/// The pair of objects whose contact has no forces, or is the farthest past what changes it; empty:
/// nothing is closed.
std::string most_alarmed(const ContactForces& c, const Touches& now);
/// The longest step in which nothing passes through another [s].
double longest_step(const ContactForces& c);

/// Velocities u jump where something strikes. Returns true where it does. strike.cpp
bool strikes(const ContactForces& c, const Touches& now);
/// What an impact does: changes of velocities, impulses of rows, works [J]; what is told of it.
struct ContactJump {
  std::vector<double> du, rows;
  Wrench outside;
  double friction = 0, drives = 0;
  std::vector<Vec3> impulses;  // of what touches, along n, t, s
  std::vector<Event> events;
  int impacts = 0;    // one after the other
  bool ended = true;  // false: so many that the rest was solved at once
};
bool strike(const ContactForces& c, const Touches& now, double t, const ForceResponse& respond,
            ContactJump& out);
/// The impulses of friction that jams: they stop slips, though nothing comes in. False: there are
/// none.
bool strike_jam(const ContactForces& c, const Touches& now, double t, const ForceResponse& respond,
                ContactJump& out);
/// Takes up what a jump that is made has to tell.
void take_up(const ContactJump& jump, ContactForces& c);

/// By how much closed points are out of their places at most [m]. place.cpp
double misplaced(const ContactForces& c, const Touches& now);
/// Motions that bring them back, and impulses that bring their rates to none. False where rows
/// cannot be solved.
bool move_back(const ContactForces& c, const Touches& now, const ForceResponse& respond,
               std::vector<double>& dq);
bool hold_rates(const ContactForces& c, const Touches& now, const ForceResponse& respond,
                ContactJump& out);

/// Adds forces or impulses along n, t, s of what touches to wrench impulses (model/reactions.h).
/// results.cpp
void add_wrenches(const ContactForces& c, const Touches& now, const std::vector<Vec3>& impulses,
                  const model::KinematicsCache& at, double* wrench_impulses);
/// Adds impulses along n, t, s of what touches to a list of those between objects.
void add_impulses(const ContactForces& c, const Touches& now, const std::vector<Vec3>& impulses,
                  std::vector<ContactImpulse>& out);
/// Force and moment from outside, power of friction, and power of surfaces that move.
struct ContactPowers {
  Wrench outside;
  double friction = 0, drives = 0;
};
ContactPowers powers(const ContactForces& c, const Touches& now);
/// With the impacts since the last time.
ContactReport take_report(ContactForces& c, const Touches& now);
void forces_of(const Touches& now, std::vector<ContactForce>& out);
/// Moves the events since the last time to the end of `out`.
void tell(ContactForces& c, std::vector<Event>& out);

}  // namespace trammel::constraint

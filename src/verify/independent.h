#pragma once

#include <string>
#include <vector>

#include "io/results.h"
#include "model/builder.h"
#include "sim/settings.h"
#include "verify/samples.h"

/// Newton's and Euler's equations and the meaning of the joints, checked on a results file alone:
/// nothing here knows of rows, laws or solvers (docs/verify.md).
namespace trammel::verify {

/// One thing that must be zero.
struct Residual {
  std::string what, unit;
  std::string tolerance;  // what the allowed value is
  double worst = 0;       // where it is the greatest part of what is allowed
  double allowed = 0;     // there
  std::string subject;    // which body or joint
  double t = 0;           // when [s]
  bool judged = true;     // else it is only shown
  bool broken = false;    // somewhere it is more than allowed,
  std::string first_subject;
  double first_t = 0;  // here first [s]
  bool seen = false;
};

struct Independent {
  std::size_t times = 0, bodies = 0, joints = 0;
  std::vector<Residual> residuals;
  std::vector<std::string> left_out;  // what could not be checked, and why
  std::vector<std::string> findings() const;
};

/// The errors that a method is allowed, and why.
struct Allowed {
  double momentum = 1e-11;  // of what has come in and gone out in all
  std::string why = "rounding";
  // what the scheme holds by design; else it is only shown
  bool places = true, rates = true, reactions = true;
  /// Reactions are not those at a frame's pose: they are means over the step that ends there, in
  /// which directions of joints turn, or those in its middle.
  bool means = false;
  bool spins = true;  // the angular momentum of affine bodies is kept to rounding
  /// The rounding of a step's momenta for each metre from the origin [1/s: of a mass of 1 kg;
  /// kg/s]: they are differences of places, and so are soft joints' forces. Steps' add up at
  /// random.
  double of_mass = 0, of_joints = 0;
  double of_ends = 0;      // the same of 1 kg at both ends of a joint: as published
  double of_contacts = 0;  // what a minimum with contacts leaves of a step's speeds [m/s]
  double step = 0;         // [s]
  double length = 1e-12, angle = 1e-12;  // that rows are met to [m], [rad]
};
Allowed allowed_of(const sim::Settings& settings, const model::Scales& scales);

/// All checks on results that have impulses.
Independent check(const io::ResultsReader& results, const Allowed& allowed);

/// How far a recorded run came.
struct Made {
  double until = 0;                  // [s]
  bool enough = false, cut = false;  // it ended early, as Samples do
  std::vector<Pose> seen;            // see Seen
};

/// Bodies whose poses are wanted, every so many steps; 0: none.
struct Seen {
  std::vector<int> object;
  long every = 0;
};

/// Runs the scene by its own method into a results file that the check can use: some thousand
/// frames.
Made record(const model::Built& built, sim::Settings settings, io::Header header,
            const std::string& file, const Cap& cap = {}, const Seen& seen = {});

}  // namespace trammel::verify

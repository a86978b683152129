#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "constraint/account.h"
#include "constraint/contact/ahead.h"
#include "constraint/contact/report.h"
#include "constraint/event.h"
#include "constraint/impact.h"

/// What a step with contacts by impulses is made of (docs/theory/contact.md): records alone, the
/// functions are in constraint/contact/phases.h.
///
///   (P)  0 <= L_n  complementary to  v_n + max(gap, 0)/h >= 0: what closes in this step arrives
///   (V)  0 <= m_n  complementary to  u+_n - e w >= 0, w the speed with which it has arrived
namespace trammel::constraint {

/// A point of contact for results: at the end of a step, with its mean force over it.
struct ContactForce {
  contact::Point point;
  Vec3 force = Vec3::Zero();  // on B [N]
};

/// A point that pushed in a step or a part of it, as it is at its end; one that is gone there, or
/// has another name, as at its start.
struct PointImpulse {
  contact::Point point;
  Vec3 impulse = Vec3::Zero();  // on B [N s]
};

/// What meets nearer to the end of a step than that does so there: of the step.
inline constexpr double kAtEnd = 1e-6;

/// Makes of the covector f, an impulse, the change du of the velocities of the mechanism, with all
/// its rows that hold; `yielding`: those alone that no force makes yield. Returns false where they
/// cannot be solved.
using RowResponse =
    std::function<bool(const std::vector<double>& f, std::vector<double>& du, bool yielding)>;

/// What holds for all steps of a run.
struct ContactSettings {
  ContactSettings(const model::Model& model, const piles::ContactOptions& with, Impacts how);

  piles::ContactOptions options;  // its tolerance in [m/s]
  Impacts impacts;
  bool aims;              // impacts are solved for to know how fast points leave
  double slop;            // overlap that is left [m]
  double no_gap;          // gap that counts as none where a point rests [m]
  double impact_speed;    // what meets no faster is no impact [m/s]
  double push_speed;      // fastest that overlaps are taken out [m/s]
  double row_push_speed;  // likewise, where rows hold bodies
};

/// Coupled points: what impulses make of their rates, island by island, and their last solve.
struct CoupledPoints {
  std::vector<MatX> W;  // empty: not made yet
  VecX came;  // rates with which they come: without impulses, rows as they are then; empty: free
  std::vector<unsigned char> held;      // of points: rows let no impulse move them
  std::vector<unsigned char> unsolved;  // of islands
  std::vector<double> off;  // of islands: by how much impulses were wrong in the last round [m/s]
  double merit = 0;         // [m/s]
};

/// The impulses of one stage.
struct ContactStage {
  std::vector<piles::ContactTargets> targets;  // of each point
  std::vector<Six> p;                          // [N s, N m s]
  std::vector<Six> before, after;              // rates without and with them, of surfaces too
  CoupledPoints coupled;
};

/// How long a step is, and what within it is at once: what meets so is not told apart [s].
struct StepLength {
  double h = 0, instant = 0;
};

/// The start of a step, and its stage P.
struct ContactStart {
  double h = 0, instant = 0;  // see StepLength
  PointSet points;
  ContactStage stage;
  std::vector<Six> rates;      // of the points when the step began
  std::vector<Six> shift;      // of their own rates from then to the mean; may be empty
  std::vector<Vec3> aims;      // targets as the step began; made by the first look at the drift
  std::vector<double> kick;    // impulse of the forces over the whole step, and
  std::vector<double> kick_u;  // what it makes of velocities; of what rests, the speed it would get
  std::vector<Side> sides;
  int followed = 0;                // looks at where the drift has led
  std::vector<unsigned char> far;  // points that go far over a shape; empty: none
};

/// How a point of the end has come there.
struct Arrival {
  int partner = -1;     // the same point at the start; -1: none
  int from = -1;        // the point of the start that has come as it; -1: none was seen
  bool pushed = false;  // it, or its pair, did in stage P, or it comes at the very end
  double speed = 0;     // with which it has arrived [m/s]
  double turned = 1;    // least sine between its normal and those that pushed
};

/// The islands of some points that something strikes, and rates before that.
struct Struck {
  std::vector<unsigned char> points;  // of each: whether its island is struck; empty: none is
  std::vector<Vec3> before;           // of each [m/s]; infinite: it takes no part
  std::vector<double> apart;          // of each, see ImpactPoint [m/s]; empty: none is
  bool any() const { return !points.empty(); }
};

/// The end of a step, and its stage V.
struct ContactEnd {
  PointSet points;
  ContactStage stage;
  std::vector<double> margin;  // that the points were found with [m]
  std::vector<Arrival> arrivals;
  Struck struck;
};

/// Free bodies that overlap are pushed apart in the drift alone.
struct ContactPush {
  std::vector<double> momenta;    // empty: nothing does
  double work = 0;                // energy got by it [J]
  Vec3 corrected = Vec3::Zero();  // angular momentum about the origin got by it [N m s]
};

/// What a step has to tell.
struct ContactTold {
  ContactReport report;
  std::vector<Event> events;
  std::vector<ContactImpulse> impulses;  // what bodies that met gave each other
  Wrench outside;                        // impulses from outside
  std::string failure;  // why it could not be made, as a sentence; empty: not because of contacts
};

/// What the next step takes from the last one, beside its points: that it need not find them anew.
struct LastEnd {
  std::vector<double> margin;  // that they were found with; empty: they are to be found
  std::vector<double> u;       // velocities
  std::vector<Six> rates;      // of the points
  double h = 0;                // [s]; 0: there was none
};

/// Without meaning from one function to the next.
struct ContactScratch {
  std::vector<double> u, moved;  // velocities of the mechanism
  std::vector<double> v, p;      // of free bodies; impulses
  std::vector<double> f, du;     // an impulse on the mechanism, what it makes
  std::vector<PairImpulse> pairs;
  std::vector<contact::Point> points;
  std::vector<piles::ContactTargets> targets;
};

/// Contacts of a mechanism throughout a run.
struct Contacts {
  Contacts(const model::Kinematics& kin, const piles::ContactOptions& options,
           Impacts impacts = Impacts::simultaneous);

  ContactSurfaces surfaces;
  ContactSettings settings;
  PointFinder finder;
  ContactStart start;
  ContactEnd end;
  ContactPush push;
  ContactTold told;
  LastEnd last;
  ContactScratch scratch;
};

/// What functions work with: nothing in it is a result but the costs in the report.
struct ContactTools {
  const ContactSurfaces& surfaces;
  const ContactSettings& settings;
  PointFinder& finder;
  ContactScratch& scratch;
  ContactReport& report;
  explicit ContactTools(Contacts& c)
      : surfaces(c.surfaces),
        settings(c.settings),
        finder(c.finder),
        scratch(c.scratch),
        report(c.told.report) {}
  const model::Kinematics& kin() const { return surfaces.kin; }
};

}  // namespace trammel::constraint

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "constraint/account.h"
#include "constraint/contact_points.h"
#include "constraint/contact_report.h"
#include "constraint/event.h"
#include "constraint/impact.h"
#include "model/state.h"

/// The law of contact in steps by impulses (docs/theory/contact.md): Signorini's with restitution,
/// Coulomb's cone, rolling and spinning friction, cohesion, moving surfaces.
///
///   (P)  0 <= L_n  complementary to  v_n + max(gap, 0)/h >= 0: what closes in this step arrives
///   (V)  0 <= m_n  complementary to  u+_n - e w >= 0, w the speed with which it has arrived
///
/// A formulation gives momenta and gets them back with the impulses of all contacts; it knows
/// nothing else of them.
namespace trammel::constraint {

/// A point of contact for results: at the end of a step, with its mean force over it.
struct ContactForce {
  contact::Point point;
  Vec3 force = Vec3::Zero();  // on B [N]
};

/// A point that pushed in a step or a part of it, as it is at its end.
struct PointImpulse {
  contact::Point point;
  Vec3 impulse = Vec3::Zero();  // on B [N s]
};

/// An overlap that is left, and a gap that counts as none where a point rests: of the mechanism's
/// length.
inline constexpr double kSlop = 1e-8;
inline constexpr double kNoGap = 1e-9;
/// What meets nearer to the end of a step than that does so there: of the step.
inline constexpr double kAtEnd = 1e-6;

/// The speed with which a point arrives at the surface that has come from `gap` at the rate u0
/// under the acceleration a: exact where that is constant, so that nothing is gained or lost by
/// where in a step it arrives.
inline double arrival(double gap, double u0, double a) {
  if (u0 > 0 && a >= 0) return 0;
  return std::sqrt(std::max(0., u0 * u0 - 2 * a * std::max(gap, 0.)));
}

/// The impulses of one stage.
struct ContactStage {
  std::vector<solve::ContactTargets> targets;  // of each point
  std::vector<Six> p;                          // [N s, N m s]
  std::vector<Six> before, after;              // rates without and with them, of surfaces too
  std::vector<MatX> W;                         // of islands of bound points; empty: not made yet
  std::vector<unsigned char> held;             // of bound points: rows let no impulse move them
  std::vector<unsigned char> unsolved;         // islands of bound points, by their last solve
  double merit = 0;                            // of that [m/s]
  bool any_unsolved() const {
    return std::any_of(unsolved.begin(), unsolved.end(), [](auto u) { return u; });
  }
};

/// Of impulses [J].
struct ContactWorks {
  double impacts = 0, contacts = 0, drive = 0;  // drive: what conveyors and moved bodies give
  ContactWorks& operator+=(const ContactWorks& o) {
    impacts += o.impacts, contacts += o.contacts, drive += o.drive;
    return *this;
  }
};

class Contacts {
 public:
  /// Makes of the covector f, an impulse, the change du of the velocities of the mechanism, with
  /// all its rows that hold; `yielding`: those alone that no force makes yield. Returns false where
  /// they cannot be solved.
  using Respond =
      std::function<bool(const std::vector<double>& f, std::vector<double>& du, bool yielding)>;

  Contacts(const model::Kinematics& kin, const solve::ContactOptions& options,
           Impacts impacts = Impacts::simultaneous);

  /// Takes up a state.
  void load(const model::State& state);
  /// Begins a step of h at the instant `at`, with velocities u and momenta P kicked by forces. Adds
  /// the impulses of stage P to P; those of bound points are first guesses.
  void first(double h, const model::State& state, const model::KinematicsCache& at,
             const std::vector<double>& u, std::vector<double>& P);
  /// Corrects the impulses of bound points at momenta P that meet the rows. Returns by how much
  /// their rates change [m/s]; 0: there are none.
  double settle_first(const model::KinematicsCache& at, const Respond& respond,
                      std::vector<double>& P);
  /// Takes up where the drift with the momenta P has led, to `end` at mean velocities u: what
  /// touches throughout is to touch there, and what sticks is to stick on the mean of both ends.
  /// Corrects the impulses of points between free bodies in P; others are for settle_first().
  /// Returns by how much rates were off [m/s]; 0: that has been asked often enough.
  double follow(const model::KinematicsCache& at, const model::KinematicsCache& end,
                const std::vector<double>& u, std::vector<double>& P);
  /// Momenta that push apart what overlaps, for the drift alone; empty: nothing does.
  const std::vector<double>& push() const { return push_; }
  /// How long after the start of the step bodies first meet, faster than forces make of what rests
  /// in it [s]; infinite: none do, or more pairs at several instants than steps are divided for.
  /// Needs the impulses of stage P.
  double meets(const model::KinematicsCache& at);
  /// The drift with the momenta P is over.
  void after_drift(const model::KinematicsCache& at, const std::vector<double>& P);
  /// Angular momentum about the origin that bodies pushed apart have got [N m s].
  const Vec3& corrected() const { return corrected_; }

  /// Begins stage V at the end of the drift, with the velocities u that led there. False: something
  /// has passed through a surface on the way.
  bool arrive(const model::KinematicsCache& at, const std::vector<double>& u);
  /// Adds the impulses of stage V to the momenta P that have all others. May be called again.
  void second(const model::KinematicsCache& at, std::vector<double>& P);
  double settle_second(const model::KinematicsCache& at, const Respond& respond,
                       std::vector<double>& P);
  /// By how much rates would have changed the last time, had the rows not answered [m/s]: of
  /// impulses that change none there may be more, for which the rows answer otherwise.
  double unanswered() const { return unanswered_; }

  /// Ends the step with the velocities u: memory of the state, works in its ledger.
  void commit(const model::KinematicsCache& at, const std::vector<double>& u, model::State& state);

  const ContactReport& report() const { return report_; }
  const std::vector<Event>& events() const { return events_; }
  /// Impulses from outside in the step.
  const Wrench& outside() const { return outside_; }
  /// Adds the impulses of the step on each body to wrench impulses (model/reactions.h): those of
  /// both stages at the instants that their points were found at. Before commit().
  void add_wrenches(const model::KinematicsCache& first, const model::KinematicsCache& second,
                    double* wrench_impulses) const;
  /// Adds the points that pushed in the step, and their impulses. After commit().
  void add_impulses_of_points(std::vector<PointImpulse>& out) const;
  /// What bodies that met in this step gave each other in it.
  const std::vector<ContactImpulse>& impulses() const { return impulses_; }
  /// Why a step could not be made, as a sentence; empty: not because of contacts.
  const std::string& failure() const { return failure_; }
  /// The speed that counts as none [m/s].
  double tolerance() const { return options_.tolerance; }

 private:
  void clear_step(double h);
  void begin_stage(const ContactList& list, ContactStage& stage) const;
  void take_start(const std::vector<double>& u);
  void bond_first();
  bool stays(std::size_t k) const;
  bool slides(std::size_t k) const;
  bool bends(std::size_t k, const model::KinematicsCache& at, const std::vector<double>& u) const;
  double follow_point(const contact::Point& p, std::size_t k, const model::KinematicsCache& at,
                      const model::KinematicsCache& end, const std::vector<double>& u);
  Vec3 own_gain(const contact::Point& before, const contact::Point& after,
                const model::KinematicsCache& at, const model::KinematicsCache& end,
                const std::vector<double>& u) const;
  bool is_slow(const Six& rate) const;
  bool strikes(std::size_t k) const;
  double meets(std::size_t k) const;
  void count_meetings();
  double counted_gap(double gap, double rate, double h) const;
  void take_partners();
  void take_arrival(std::size_t i, std::size_t k);
  double first_arrival(std::size_t k) const;
  bool has_come(const contact::Point& before, const contact::Point& p) const;
  bool has_landed(std::size_t i, std::size_t k) const;
  bool nears(std::size_t k) const;
  void take_second_targets(const std::vector<double>& u);
  void take_velocities_of_free();
  void solve_beside(const std::vector<unsigned char>& heaps, const model::KinematicsCache& at,
                    std::vector<double>& P);
  void solve_lean(ContactList& list, const model::KinematicsCache& at, ContactStage& stage,
                  std::vector<double>& P);
  bool responds_otherwise(const ContactList& list, const ContactStage& stage) const;
  double solve_bound(const ContactList& list, const model::KinematicsCache& at,
                     const Respond& respond, ContactStage& stage, std::vector<double>& P);
  VecX dense(const ContactList& list, ContactStage& stage, const VecX& free, const VecX& guess);
  // Poisson's restitution, impacts one after the other (contact_impacts.cpp)
  bool find_struck(ContactList& list, const model::KinematicsCache& at,
                   const std::vector<unsigned char>& pushed, const std::vector<double>& arrival);
  bool any_struck(const std::vector<int>& points) const;
  std::vector<ImpactPoint> impact_points(const ContactList& list, const std::vector<int>& points,
                                         const std::vector<Vec3>& before) const;
  std::vector<double> rates_after(const ContactList& list, const std::vector<int>& points,
                                  const std::vector<Vec3>& before, ImpactResponse& response);
  DenseImpact response_of(const ContactList& list, const MatX& W) const;
  void aim_bound_second();
  bool aim_bound_first(const model::KinematicsCache& at);
  void meet(const model::KinematicsCache& at, const std::vector<double>& u);
  Vec3 slip_of_arrival(std::size_t i) const;
  void aim_second(const std::vector<int>& points, ImpactResponse& response);
  bool aim_first(const model::KinematicsCache& at, const std::vector<int>& points,
                 ImpactResponse& response);
  // energy (contact_energy.cpp)
  Forest islands_of_step() const;
  std::map<int, double> works_of_first(Forest& islands) const;
  bool bounces(const std::vector<int>& points) const;
  bool gains(const std::vector<int>& points) const;
  ContactStage without_restitution() const;
  void ease(const std::vector<int>& points, const ContactStage& calm);
  bool make_operator(const ContactList& list, const model::KinematicsCache& at,
                     const Respond& respond, std::size_t n_u, ContactStage& stage) const;
  bool let_yield(const ContactList& list, const model::KinematicsCache& at, const Respond& respond,
                 std::size_t n_u, const std::vector<unsigned char>& groups,
                 ContactStage& stage) const;
  bool make_responses(const ContactList& list, const model::KinematicsCache& at,
                      const Respond& respond, bool yielding, std::size_t n_u,
                      ContactStage& stage) const;
  bool is_pressed_in();
  VecX times(const ContactList& list, const std::vector<MatX>& W, const VecX& p) const;
  int rows_of(const ContactList& list) const;
  void make_push();
  void slips(const ContactList& list, const std::vector<double>& u, std::vector<Six>& out) const;
  void slips_of_lean(const ContactList& list, const std::vector<double>& u,
                     std::vector<Six>& out) const;
  void add_works(std::span<double> ledger) const;
  ContactWorks work_of_strained(std::size_t i) const;
  void add_outside(const ContactList& list, const ContactStage& stage);
  void report_impacts(const model::KinematicsCache& at);
  void keep(model::State& state);
  void take(const solve::ContactEffort& effort);

  const model::Kinematics& kin_;
  solve::ContactOptions options_;                // its tolerance in [m/s]
  double slop_, push_speed_, bound_push_speed_;  // [m], [m/s]
  Impacts impacts_;
  bool first_aimed_ = true;   // of bound points
  bool first_looked_ = true;  // likewise
  double unanswered_ = 0;
  bool aims_;  // impacts are solved for to know how fast points leave
  ContactSurfaces surfaces_;
  std::unique_ptr<ContactList> now_, next_;
  std::vector<double> margin_, next_margin_;  // that the lists were found with; empty: not found
  ContactStage first_, second_;
  std::vector<Vec3> aims_first_;       // targets of stage P as the step began
  int followed_ = 0;                   // times that the end of the drift was taken up
  std::vector<Six> start_;             // rates of the points of now_ when the step began
  std::vector<Vec3> shift_;            // of own velocities from the start to the mean; may be empty
  std::vector<int> partner_;           // of each point of next_: the same in now_; -1: none
  std::vector<unsigned char> pushed_;  // of each point of next_: it, or its pair, did in stage P
  std::vector<double> turned_;         // least sine between its normal and those
  std::vector<double> arrival_;        // speed with which each point of next_ has arrived [m/s]
  std::vector<Six> met_;               // rates of points of next_ as the drift ends
  std::vector<unsigned char> struck_;  // of points: something strikes their island
  std::vector<Vec3> before_;           // of points: rates before impacts; infinite: not of one
  std::vector<double> push_;
  double push_work_ = 0;  // energy got by pushing [J]
  Vec3 corrected_ = Vec3::Zero();
  std::vector<double> kick_;   // impulse of the forces over a whole step
  std::vector<double> end_u_;  // velocities at the end of the last step, and the points there
  int end_version_ = -1;
  double h_ = 0, kept_h_ = 0;
  ContactReport report_;
  std::vector<Event> events_;
  std::vector<ContactImpulse> impulses_;
  Wrench outside_;
  std::string failure_;
  // scratch
  struct Meeting {  // of two objects
    int a, b;
    double speed;  // [m/s]
  };
  std::vector<Meeting> meetings_;
  std::vector<double> u_, v_, p_, moved_;
  std::vector<PairImpulse> pair_impulses_;
  std::vector<solve::ContactTargets> lean_targets_;
};

}  // namespace trammel::constraint

#include "model/place.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "law/targets.h"
#include "math/index.h"
#include "math/rotation.h"

namespace trammel::model {

namespace {

/// Blocks in sets that grow together.
class BlockSets {
 public:
  explicit BlockSets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  int root(int i) {
    while (parent_[at_(i)] != i) i = parent_[at_(i)] = parent_[at_(parent_[at_(i)])];
    return i;
  }
  void join(int a, int b) { parent_[at_(root(a))] = root(b); }

 private:
  std::vector<int> parent_;
};

/// The blocks that a joint or a coupling lies between.
std::vector<int> blocks_of(const Model& m, const Joint& j) {
  std::vector<int> out;
  const auto add = [&](const Joint& of) {
    for (const int object : {of.object_A, of.object_B})
      if (const int b = m.objects[at_(object)].block; b >= 0) out.push_back(b);
  };
  if (j.coupling < 0) {
    add(j);
    return out;
  }
  const Coupling& c = m.couplings[at_(j.coupling)];
  for (int k = c.first_source; k < c.first_source + c.n; ++k)
    add(m.joints[at_(m.sources[at_(k)].joint)]);
  return out;
}

}  // namespace

Islands::Islands(const Model& m, const std::vector<Given>& given)
    : joint_(m.joints.size(), 0), island_(m.blocks.size(), 0) {
  BlockSets sets(m.blocks.size());
  for (const Joint& j : m.joints) {
    const std::vector<int> touched = blocks_of(m, j);
    for (const int b : touched) sets.join(touched.front(), b);
  }
  for (std::size_t b = 0; b < island_.size(); ++b) island_[b] = sets.root(static_cast<int>(b));
  placed_.assign(m.blocks.size(), 0);
  led_.assign(m.blocks.size(), 0);
  looped_.assign(m.blocks.size(), 0);
  for (const Given& g : given) {
    const std::size_t island = at_(island_of(m, at_(g.joint)));
    led_[island] |= g.value || g.rate;
    placed_[island] |= g.value.has_value();
    any_ |= g.value.has_value();
  }
  for (std::size_t j = 0; j < joint_.size(); ++j) joint_[j] = island_of(m, j);
  find_loops(m);
}

int Islands::island_of(const Model& m, std::size_t joint) const {
  const std::vector<int> touched = blocks_of(m, m.joints[joint]);
  return touched.empty() ? -1 : island_[at_(touched.front())];
}

/// A joint between bodies that others have joined already closes a loop; all that stands is one.
void Islands::find_loops(const Model& m) {
  BlockSets joined(m.blocks.size() + 1);
  const auto node = [&](int object) {
    const int b = m.objects[at_(object)].block;
    return b < 0 ? count(m.blocks) : b;
  };
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const Joint& joint = m.joints[j];
    if (joint.coupling >= 0 || joint.strain()) continue;
    const int a = node(joint.object_A), b = node(joint.object_B);
    if (joined.root(a) == joined.root(b)) looped_[at_(joint_[j])] = 1;
    joined.join(a, b);
  }
}

void Islands::keep_where_closed(const std::vector<unsigned char>& open) {
  std::vector<unsigned char> closed(placed_.size(), 1);
  for (std::size_t j = 0; j < open.size(); ++j)
    if (open[j] && joint_[j] >= 0) closed[at_(joint_[j])] = 0;
  for (std::size_t i = 0; i < closed.size(); ++i) looped_[i] = looped_[i] && closed[i];
}

namespace {

/// One value of a row between two frames.
struct Wanted {
  joint::Row row;
  double value = 0;
};

/// Solves for the pose of frame B in frame A.
class OneJoint {
 public:
  OneJoint(const track::Track* track, std::vector<Wanted> wanted)
      : track_(track), wanted_(std::move(wanted)) {
    features_ = track ? joint::kProjection : 0;
    for (const Wanted& w : wanted_) features_ |= w.row.features();
  }

  /// Moves Y until all rows have their values, by least changes; false: they do not get there.
  bool solve(Pose& Y, joint::Arc& arc) const {
    constexpr int kSteps = 200;
    constexpr double kLargestTurn = 0.5, kMet = 1e-14;
    double last = law::kInf;
    for (int k = 0; k < kSteps; ++k) {
      VecX r(count(wanted_));
      MatX J(count(wanted_), 6);
      if (!linearise(Y, arc, r, J)) return false;
      const double worst = r.size() ? r.cwiseAbs().maxCoeff() : 0;
      if (worst <= kMet * std::max(1., Y.p.norm())) return true;
      if (worst < 1e-10 && !(worst < 0.5 * last)) return true;
      last = worst;
      VecX x = J.completeOrthogonalDecomposition().solve(r);
      if (!x.allFinite()) return false;
      const double turn = x.tail<3>().norm();
      if (turn > kLargestTurn) x *= kLargestTurn / turn;
      Y.p += x.head<3>();
      Y.R = exp_matrix(x.tail<3>()) * Y.R;
    }
    return last < 1e-9;
  }

  /// The greatest distance of a row from its value.
  double off(const Pose& Y, joint::Arc arc) const {
    VecX r(count(wanted_));
    MatX J(count(wanted_), 6);
    if (!linearise(Y, arc, r, J)) return law::kInf;
    return r.size() ? r.cwiseAbs().maxCoeff() : 0;
  }

 private:
  bool linearise(const Pose& Y, joint::Arc& arc, VecX& r, MatX& J) const {
    const Pose none;
    const body::Transform A, B{Y.p, Y.R};
    const joint::Ends ends{{.T_WO = &A, .X_OF = &none}, {.T_WO = &B, .X_OF = &none}, track_};
    joint::Sample sample;
    joint::sample(ends, features_, 1, arc, sample);
    if (sample.lost) return false;
    std::array<double, 12> on_A{}, on_B{};
    for (int i = 0; i < r.size(); ++i) {
      const Wanted& w = wanted_[at_(i)];
      const double x = joint::value(w.row, sample, arc);
      r[i] = w.value - (w.row.turns() ? joint::turned_near(x, w.value) : x);
      joint::jacobian(w.row, ends, sample, on_A.data(), on_B.data());
      J.row(i) = Eigen::Map<const Eigen::Matrix<double, 1, 6>>(on_B.data());
    }
    return r.allFinite() && J.allFinite();
  }

  const track::Track* track_;
  std::vector<Wanted> wanted_;
  unsigned features_ = 0;
};

/// Goes from object to object.
class Placement {
 public:
  Placement(Draft& d, const Kinematics& kin, const ConstraintSpecs& specs, const Islands& islands,
            KinematicsCache& at)
      : d_(&d),
        kin_(&kin),
        specs_(&specs),
        islands_(&islands),
        cache_(&at),
        moved_(at_(kin.model().n_u), 0.) {
    const Model& m = d.model;
    written_ = at.T_WO;
    for (const Object& o : m.objects)
      stands_.push_back(o.block < 0 || !islands.follows_joints(o.block) || o.jacobian >= 0);
    given_on_.resize(m.joints.size());
    for (const Given& g : d.given)
      if (g.value) given_on_[at_(g.joint)].push_back(&g);
  }

  void run() {
    while (true) {
      if (const int j = next(); j >= 0) {
        place(j);
      } else if (!start_anew()) {
        break;
      }
    }
    kin_->retract(moved_.data(), d_->state.q.data());
  }

 private:
  bool leads_on(const Joint& j) const {
    return j.coupling < 0 && !j.strain() && stands_[at_(j.object_A)] != stands_[at_(j.object_B)];
  }
  /// The joint that says most of where a body is: the first of those with most rows and starts.
  int next() const {
    const Model& m = d_->model;
    int best = -1;
    std::size_t most = 0;
    for (std::size_t j = 0; j < m.joints.size(); ++j) {
      if (!islands_->placed(j) || !leads_on(m.joints[j])) continue;
      const std::size_t says = 1 + m.joints[j].table->rows.size() + 7 * given_on_[j].size();
      if (says <= most) continue;
      most = says;
      best = static_cast<int>(j);
    }
    return best;
  }
  /// An island that nothing holds to what stands: its first body is where it is written.
  bool start_anew() {
    const auto it = std::find(stands_.begin(), stands_.end(), 0);
    if (it == stands_.end()) return false;
    *it = 1;
    return true;
  }

  std::vector<Wanted> wanted(int joint, bool with_given) const {
    const Model& m = d_->model;
    std::vector<Wanted> out;
    const Joint& j = m.joints[at_(joint)];
    for (auto i = at_(j.first_row); i < m.rows.size() && m.rows[i].joint == joint; ++i)
      if (const auto value = law::held_value((*specs_)[i]); value && m.rows[i].row.holonomic())
        out.push_back({m.rows[i].row, *value});
    if (with_given)
      for (const Given* g : given_on_[at_(joint)])
        out.push_back({g->coordinate.row, g->coordinate.sign * *g->value});
    return out;
  }

  Pose frame(const body::Transform& T, int object, const Pose& X_OF) const {
    return Pose{T.p, body::rotation(d_->model.objects[at_(object)].motion_kind, T.A)} * X_OF;
  }

  void place(int joint) {
    const Joint& j = d_->model.joints[at_(joint)];
    const track::Track* track = j.track < 0 ? nullptr : d_->model.tracks[at_(j.track)].track.get();
    joint::Arc arc;
    if (j.arc >= 0) arc = {d_->state.s[at_(j.arc)], d_->state.piece[at_(j.arc)]};
    const auto frames = [&](const std::vector<body::Transform>& T) {
      return std::pair(frame(T[at_(j.object_A)], j.object_A, j.X_OA),
                       frame(T[at_(j.object_B)], j.object_B, j.X_OB));
    };
    const auto [A, B] = frames(written_);
    const auto [X_WA, X_WB] = frames(cache_->T_WO);
    Pose Y = inverse(A) * B;
    const bool A_stands = stands_[at_(j.object_A)] != 0;
    if (find(joint, track, Y, arc)) {
      if (A_stands)
        put(j.object_B, X_WA * Y * inverse(j.X_OB));
      else
        put(j.object_A, X_WB * inverse(Y) * inverse(j.X_OA));
      if (j.arc >= 0) {
        d_->state.s[at_(j.arc)] = arc.s;
        d_->state.piece[at_(j.arc)] = arc.piece;
        cache_->arc[at_(j.arc)] = arc;
      }
    }
    stands_[at_(A_stands ? j.object_B : j.object_A)] = 1;
  }

  /// From where the frames are, if they meet there, else from where they coincide.
  bool find(int joint, const track::Track* track, Pose& Y, joint::Arc& arc) const {
    constexpr double kMet = 1e-3;
    const OneJoint rows(track, wanted(joint, false)), all(track, wanted(joint, true));
    const bool whole =
        given_on_[at_(joint)].size() == d_->model.joints[at_(joint)].table->coordinates.size();
    Pose X = Y;
    joint::Arc s = arc;
    if ((!whole || given_on_[at_(joint)].empty()) && rows.off(Y, arc) < kMet && all.solve(X, s)) {
      Y = X;
      arc = s;
      return true;
    }
    X = Pose{};
    s = arc;
    if (track) X = on(*track, joint, s);
    if (!all.solve(X, s)) return false;
    Y = X;
    arc = s;
    return true;
  }

  /// The curve's frame at the arc length given, or where the joint is.
  Pose on(const track::Track& track, int joint, joint::Arc& arc) const {
    for (const Given* g : given_on_[at_(joint)])
      if (g->coordinate.row.on_curve() && g->coordinate.row.products() == 0)
        arc.s = g->coordinate.sign * *g->value;
    arc.piece = static_cast<int>(track.piece_at(arc.s));
    const geom::CurvePoint c = track.at(arc.s);
    return {c.p, c.C};
  }

  /// Moves an object there as a rigid body.
  void put(int object, const Pose& X) {
    const Object& o = d_->model.objects[at_(object)];
    body::Transform& T = cache_->T_WO[at_(object)];
    const body::Transform to{X.p, X.R};
    body::add_displacement(o.motion_kind, T, to, moved_.data() + d_->model.blocks[at_(o.block)].v);
    T = to;
  }

  Draft* d_;
  const Kinematics* kin_;
  const ConstraintSpecs* specs_;
  const Islands* islands_;
  KinematicsCache* cache_;
  std::vector<double> moved_;
  std::vector<body::Transform> written_;
  std::vector<unsigned char> stands_;
  std::vector<std::vector<const Given*>> given_on_;
};

}  // namespace

void place_along_joints(Draft& d, const Kinematics& kin, const ConstraintSpecs& specs,
                        const Islands& islands, KinematicsCache& at) {
  Placement(d, kin, specs, islands, at).run();
}

}  // namespace trammel::model

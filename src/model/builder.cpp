#include "model/builder.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <utility>

#include "model/check.h"
#include "model/draft.h"
#include "model/inputs.h"
#include "model/ledger.h"
#include "model/topology.h"
#include "model/transient.h"
#include "units/claim.h"
#include "units/nearest.h"

namespace trammel::model {

namespace {
/// Keeps a spec, whose path is kind.name where it has none, and gives its place in the list.
template <class S>
std::uint32_t push(std::vector<S>& list, S spec, const char* kind) {
  if (spec.path.empty()) spec.path = fmt::format("{}.{}", kind, spec.name);
  list.push_back(std::move(spec));
  return static_cast<std::uint32_t>(list.size()) - 1;
}
}  // namespace

std::uint32_t Builder::next_generation() {
  static std::atomic<std::uint32_t> last = 0;
  return ++last;
}

BodyHandle Builder::add_body(BodySpec spec) {
  body_handles_.push_back(spec.name);
  push(bodies_, std::move(spec), "body");
  return {static_cast<std::uint32_t>(body_handles_.size()) - 1, generation_};
}
JointHandle Builder::add_joint(JointSpec spec) {
  return {push(joints_, std::move(spec), "joint"), generation_};
}
LawHandle Builder::add_law(LawSpec spec) {
  return {push(laws_, std::move(spec), "law"), generation_};
}
void Builder::add_coupling(CouplingSpec spec) { push(couplings_, std::move(spec), "coupling"); }
void Builder::add_load(LoadSpec spec) { push(loads_, std::move(spec), "load"); }
InputHandle Builder::add_input(InputSpec spec) {
  return {push(inputs_, std::move(spec), "input"), generation_};
}
void Builder::add_transient(TransientSpec spec) { push(transients_, std::move(spec), "transient"); }
void Builder::add_track(TrackSpec spec) { push(tracks_, std::move(spec), "track"); }

void Builder::add_laid_track(LaidTrackSpec spec) { push(laid_, std::move(spec), "laid_track"); }
void Builder::add_material(MaterialSpec spec) {
  push(contacts_.materials, std::move(spec), "material");
}
void Builder::add_contact_law(ContactLawSpec spec) {
  if (spec.path.empty())
    spec.path = spec.name.empty() ? fmt::format("contact[{}]", contacts_.laws.size())
                                  : "contact." + spec.name;
  contacts_.laws.push_back(std::move(spec));
}
void Builder::add_obstacle(ContactSpec spec) {
  if (spec.path.empty() && !spec.name.empty()) spec.path = "obstacle." + spec.name;
  contacts_.obstacles.push_back(std::move(spec));
}
void Builder::add_no_contact(ContactPairSpec spec) { contacts_.apart.push_back(std::move(spec)); }
void Builder::add_touching_pair(ContactPairSpec spec) {
  contacts_.touching.push_back(std::move(spec));
}
void Builder::add_scenery(Shape shape) { scenery_.push_back(std::move(shape)); }

std::vector<BodyHandle> Builder::hand_out(PoolSpec& spec) {
  std::vector<BodyHandle> out;
  for (const std::string& object : spec.objects) {
    out.push_back({static_cast<std::uint32_t>(body_handles_.size()), generation_});
    body_handles_.push_back(object);
  }
  for (std::size_t i = 0; i < spec.outlines.size() && i < spec.objects.size(); ++i)
    if (spec.outlines[i].path.empty()) spec.outlines[i].path = spec.path + "." + spec.objects[i];
  return out;
}

std::vector<BodyHandle> Builder::add_pool(PoolSpec spec) {
  std::vector<BodyHandle> out = hand_out(spec);
  pools_.push_back(std::move(spec));
  return out;
}

std::vector<BodyHandle> Builder::add_blocks(std::size_t i, PoolSpec more) {
  std::vector<BodyHandle> out = hand_out(more);
  PoolSpec& all = pools_[i];
  all.pool = std::move(more.pool);
  const auto append = [](auto& to, auto& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  append(all.objects, more.objects);
  append(all.params, more.params);
  append(all.q, more.q);
  append(all.u, more.u);
  append(all.outlines, more.outlines);
  all.paths.push_back(std::move(more.path));
  return out;
}

enum class Builder::Done : unsigned char { bodies, all };

namespace {
/// Gives memory back: clear() keeps it.
template <class... V>
void drop(V&... v) {
  ((v = V{}), ...);
}
template <class... V>
void fit(V&... v) {
  (v.shrink_to_fit(), ...);
}
}  // namespace

namespace {
/// Rows between the same two bodies all depend on each other in the solver: what they cost grows
/// with the cube of their number. 1500 take a second to look at; 50 000 would not come to an end.
void refuse_crowds(Draft& d) {
  constexpr std::size_t kMost = 1500;
  struct Crowd {
    int joints = 0, last = 0;
    std::size_t rows = 0;
  };
  std::map<std::pair<int, int>, Crowd> crowds;
  const auto block = [&](int object) {
    return d.model.objects[static_cast<std::size_t>(object)].block;
  };
  for (std::size_t j = 0; j < d.model.joints.size(); ++j) {
    const Joint& joint = d.model.joints[j];
    if (joint.coupling >= 0 || joint.strain()) continue;
    Crowd& crowd = crowds[std::minmax(block(joint.object_A), block(joint.object_B))];
    ++crowd.joints;
    crowd.last = static_cast<int>(j);
    crowd.rows += joint.table->rows.size();
  }
  for (const auto& [pair, crowd] : crowds) {
    if (crowd.rows <= kMost) continue;
    const Joint& joint = d.model.joints[static_cast<std::size_t>(crowd.last)];
    const auto name = [&](int object) {
      return block(object) < 0 ? "ground" : d.model.objects[static_cast<std::size_t>(object)].name;
    };
    d.complain(
        joint.path,
        fmt::format("'{}' and '{}' are joined by {} joints of {} rows altogether: more than "
                    "{} rows between two bodies are not taken, they would not come to an end",
                    name(joint.object_A), name(joint.object_B), crowd.joints, crowd.rows, kMost));
  }
}
}  // namespace

std::variant<Built, std::vector<Problem>> Builder::build() const& {
  return build([](auto) {});
}

std::variant<Built, std::vector<Problem>> Builder::build() && {
  return build([this](Done done) {
    if (done == Done::bodies) drop(bodies_);
    if (done == Done::all)
      drop(joints_, couplings_, laws_, loads_, inputs_, transients_, tracks_, laid_, pools_,
           body_handles_);
  });
}

template <class Release>
std::variant<Built, std::vector<Problem>> Builder::build(const Release& release) const {
  Draft draft{*this};
  draft.model.name = name;
  draft.model.generation = generation_;
  if (!gravity.allFinite()) draft.complain("simulation.gravity", "gravity is not finite");
  if (tolerance && !(*tolerance > 0 && std::isfinite(*tolerance)))
    draft.complain("simulation.frame_tolerance",
                   fmt::format("{}: how far frames may be apart is positive", *tolerance));
  draft.add_params("gravity", {"x", "y", "z"}, {gravity.x(), gravity.y(), gravity.z()});
  draft.add_inputs(inputs_);
  draft.add_tracks(tracks_);
  draft.check_shapes(bodies_, pools_, scenery_);
  draft.add_bodies(bodies_, joints_);
  draft.add_pools(pools_);
  draft.add_contacts(bodies_, pools_, contacts_);
  release(Done::bodies);
  draft.add_joints(joints_, couplings_, laws_);
  draft.pair_contacts(contacts_);
  if (equilibrium) draft.add_equilibrium(*equilibrium);
  draft.add_strains();
  draft.add_transients(transients_);
  draft.lay_tracks(laid_);
  draft.add_loads(loads_);
  draft.bind_inputs();
  draft.count_turns(counted);
  refuse_crowds(draft);
  if (!draft.problems.empty()) return std::move(draft.problems);
  for (const std::string& body : body_handles_)
    draft.model.object_of.push_back(draft.objects.at(body));
  for (const LawSpec& law : laws_) draft.model.law_of.push_back(draft.law_index.at(&law));
  release(Done::all);
  draft.finish();
  const StartReport start = fit_start(draft);
  if (!draft.problems.empty()) return std::move(draft.problems);
  return Built{std::make_shared<const Model>(std::move(draft.model)), std::move(draft.params),
               std::move(draft.state), start};
}

double Draft::meets(joint::Unit unit) const {
  constexpr double kWritten = 1e-6;                 // [m, rad]: scenes have so many digits
  constexpr double kMost = 1e-3, kRounded = 1e-12;  // of the mechanism's length
  if (options.tolerance) return *options.tolerance;
  const double length = model.scales.length;
  return unit == joint::Unit::metre ? std::clamp(kWritten, kRounded * length, kMost * length)
                                    : kWritten;
}

void Draft::complain(std::string path, std::string text) {
  problems.push_back({std::move(path), std::move(text)});
}

bool Draft::claim(const std::string& name, const std::string& path, const char* what,
                  std::unordered_map<std::string, int>& names, int index) {
  return trammel::claim(name, path, what, names, index, problems);
}

int Draft::made_joint(const std::string& wanted) const {
  const auto it = joints.find(wanted);
  if (it == joints.end() || at(it->second) >= model.joints.size()) return -1;
  return model.joints[at(it->second)].name == wanted ? it->second : -1;
}

int Draft::object(const std::string& wanted, const std::string& path) {
  const auto it = objects.find(wanted);
  if (it != objects.end()) return it->second;
  std::vector<std::string> known;
  for (const Object& o : model.objects) known.push_back(o.name);
  complain(path, wanted.empty() ? "names no body"
                                : fmt::format("there is no body '{}'{}", wanted,
                                              units::did_you_mean(wanted, known)));
  return -1;
}

int Draft::add_params(std::string owner, std::vector<std::string_view> names,
                      const std::vector<double>& values) {
  const int first = static_cast<int>(params.values.size());
  params.values.insert(params.values.end(), values.begin(), values.end());
  if (owner.empty()) return first;
  auto& blocks = model.param_blocks;
  const bool as_before = !blocks.empty() && *blocks.back().names == names;
  auto shared = as_before ? blocks.back().names
                          : std::make_shared<const std::vector<std::string_view>>(std::move(names));
  blocks.push_back({std::move(owner), first, std::move(shared)});
  return first;
}

void Draft::add_tracks(const std::vector<TrackSpec>& specs) {
  for (const TrackSpec& spec : specs) {
    if (!spec.track) {
      complain(spec.path, fmt::format("track '{}' has no curve", spec.name));
      continue;
    }
    if (!claim(spec.name, spec.path, "track", tracks, static_cast<int>(model.tracks.size())))
      continue;
    model.tracks.push_back({spec.name, spec.track});
  }
}

void Draft::finish() {
  drop(objects, tracks, joints, laws_of, law_index, X_WB);
  fit(model.blocks, model.objects, model.joints, model.laws, model.rows, model.groups,
      model.param_blocks, params.values, state.q, u);
  const auto n_rows = model.rows.size();
  state.P.assign(static_cast<std::size_t>(model.n_u), 0);
  state.angle.assign(static_cast<std::size_t>(model.n_angles), 0);
  state.rows.impulse.assign(n_rows, 0);
  state.rows.bound.assign(n_rows, 0);
  state.rows.yielded.assign(n_rows, 0);
  state.on.assign(model.joints.size(), 1);
  state.inputs = inputs_at_rest(model);
  state.laid = laid_at_start(model);
  model.n_ledger = kFirstLaw;
  for (LawOnRow& l : model.laws)
    if (l.law.type->works) l.ledger = model.n_ledger++;
  model.first_load_slot = model.n_ledger;
  model.n_ledger += static_cast<int>(model.loads.size());
  for (TransientType& type : model.transient_types)
    for (LawOnRow& l : type.laws)
      if (l.law.type->works) l.ledger = model.n_ledger++;
  state.ledger.assign(static_cast<std::size_t>(model.n_ledger), 0);
  model.scales = scales_of(model, params, state.q, u);
  model.topology = std::make_shared<const Topology>(model);
  const Model* other = options.variant_of.get();
  if (other && other->topology && *other->topology == *model.topology)
    model.topology = other->topology;
}

}  // namespace trammel::model

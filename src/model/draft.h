#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/builder.h"

/// The builder at work: specs go in, model, parameters, state and problems come out. Internal.
namespace trammel::model {

/// An affine body that is to get its strain rows.
struct Strained {
  int object = 0;
  double stiffness = 0;  // times the volume [J]
  std::string path;
  Elastic::Energy energy = Elastic::Energy::strain;
};

/// A free coordinate whose start is given, or its rate, or that is to be brought into equilibrium.
/// A row of its own holds it while the start is made (given.h). It may be any row between two
/// frames: what another sensor shows is one more of these.
struct Given {
  int joint = 0;
  joint::Coordinate coordinate;
  std::string name, path, rate_path;  // "joint.coordinate", and of what was given
  std::optional<double> value, rate;
  bool balanced = false;
  int held = -1;  // the joint that stands for it
};

struct Draft {
  const Builder& options;
  Model model{};
  Params params{};
  State state{};
  std::vector<Problem> problems{};
  std::vector<double> u{};   // initial velocities
  std::vector<Pose> X_WB{};  // objects: body frame at the start
  std::unordered_map<std::string, int> objects{}, tracks{}, joints{};
  std::vector<std::vector<const LawSpec*>> laws_of{};   // joints
  std::unordered_map<const LawSpec*, int> law_index{};  // into model.laws
  std::vector<Strained> strained{};                     // affine bodies
  std::vector<Given> given{};
  int default_lock = -1,
      default_law = -1;  // an equality constraint: its parameters and the law, shared

  /// Returns how far what is to meet may be apart where it is not assembled [m, rad].
  double meets(joint::Unit unit) const;
  void add_tracks(const std::vector<TrackSpec>& specs);
  void add_bodies(const std::vector<BodySpec>& specs, const std::vector<JointSpec>& joints);
  /// Complains of shapes that cannot be drawn.
  void check_shapes(const std::vector<BodySpec>& bodies, const std::vector<PoolSpec>& pools,
                    const std::vector<Shape>& scenery);
  /// Shapes that touch, their materials and the laws between these.
  void add_contacts(const std::vector<BodySpec>& bodies, const std::vector<PoolSpec>& pools,
                    const ContactSpecs& specs);
  /// Pairs of bodies that do not touch; after the joints.
  void pair_contacts(const ContactSpecs& specs);
  void add_pools(const std::vector<PoolSpec>& specs);
  void add_joints(const std::vector<JointSpec>& specs, const std::vector<CouplingSpec>& couplings,
                  const std::vector<LawSpec>& laws);
  /// Finds the joints whose reactions frictions follow.
  void find_loads(const std::vector<LawSpec>& specs);
  void assign_laws(const std::vector<LawSpec>& specs, const std::vector<std::string>& joint_names);
  void add_strains();
  /// Coordinates to be balanced, and the others, which are held where they can be.
  void add_equilibrium(const EquilibriumSpec& spec);
  void add_transients(const std::vector<TransientSpec>& specs);
  /// Lays the tracks of joints on their bodies, then those of the specs.
  void lay_tracks(const std::vector<LaidTrackSpec>& specs);
  void add_loads(const std::vector<LoadSpec>& specs);
  void add_load(const LoadSpec& spec, const law::LoadType& type);
  void add_inputs(const std::vector<InputSpec>& specs);
  /// The signals of the model read the inputs at rest.
  void bind_inputs();
  /// Finds what live force functions read: inputs, and coordinates of joints, which become sources.
  void follow_coordinates();
  /// Makes sources of the angles among these names, so that the state counts their turns.
  void count_turns(const std::vector<std::string>& names);
  /// Complains of a live signal whose input there is not.
  void check_live(std::span<const std::string> names, const std::string& path);
  void finish();  // the rest of the state; what only the specs needed is dropped

  void complain(std::string path, std::string text);
  /// A name that may be used: not empty, not taken in `names`; false: complained.
  bool claim(const std::string& name, const std::string& path, const char* what,
             std::unordered_map<std::string, int>& names, int index);
  /// Index of a joint of the model; -1: there is none of that name, or it is wrong itself, which
  /// was complained of.
  int made_joint(const std::string& name) const;
  /// Index of a named object; complains with the nearest name.
  int object(const std::string& name, const std::string& path);
  int add_params(std::string owner, std::vector<std::string_view> names,
                 const std::vector<double>& values);
};

/// Moves the start onto the rows; complains of frames that do not meet (builder's tolerance).
StartReport fit_start(Draft& draft);

}  // namespace trammel::model

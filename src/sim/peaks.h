#pragma once

#include <string_view>
#include <vector>

#include "sim/peak_list.h"
#include "sim/peaks_seen.h"
#include "sim/recorder.h"

/// The peaks of a run: the greatest values of channels that tell of loads, and the greatest
/// impulses of impacts (docs/results.md, "Peaks").
namespace trammel::sim {

/// Watches the channels of a simulation. What it reads are the recorder's own numbers, so that a
/// peak is what its channel shows. No function but list() allocates once all rooms are made.
///
/// A reaction costs more than a step of a link does. So reactions are computed at frames, and in
/// every step in which a row of the joint carries more than ever before: forces along the axes of
/// frame A are those of rows, and their greatest values are found all the same.
class Peaks {
 public:
  /// `simulation` outlives it, and may still be under construction; `seen` gets its sizes.
  Peaks(const Simulation& simulation, PeaksSeen& seen);
  /// Takes the channels as they are; at `frame`s those as well that cost more than steps do.
  void see(bool frame);
  /// Takes what impacts gave in a step, or a part of one, that has just ended.
  void see_impacts(const form::StepReport& report);
  /// The step of the grid is over: impacts in it do not hide the forces of the next.
  void end_step();
  /// Returns the greatest value so far of an item of a dataset with one column.
  double so_far(std::string_view path, std::size_t item) const;
  PeakList list() const;

 private:
  struct Series {
    std::size_t quantity = 0;  // of the recorder
    const char* kind = "";
    bool force = false, at_frames = false;
    int blows = -1;                      // Blown; -1: of none
    std::size_t first = 0, columns = 1;  // its channels in `seen`
    std::vector<int> joint;              // of each item; empty: they are of no joint
  };
  /// What forces without a strength of their own are compared with.
  struct Reference {
    double force = 0, torque = 0;
    const char *what = "weight", *torque_what = "weight x length";
    std::vector<int> of_joint, of_row;  // strengths; -1: none
  };
  struct Ratio {
    double value = 0;
    const char* to = "";
  };
  void add_series();
  void find_items();
  bool is_hidden(const Series& series, std::size_t item) const;
  void see(const Series& series);
  void see_reactions(const Series& series, bool frame);
  bool carries_more(int joint);
  void see_row_impulses(const std::vector<form::RowImpulse>& impulses);
  void see_contact_impulses(const std::vector<constraint::ContactImpulse>& impulses);
  void see_shaken();
  void see_joint(int joint, double impulse);
  Reference reference() const;
  Ratio compare(const Reference& with, const Series& series, std::size_t item, double force,
                bool torque) const;
  void add_extremes(const Series& series, const Reference& with, PeakList& out) const;
  void add_impulses(const Series& series, PeakList& out) const;

  const Simulation* sim_;
  PeaksSeen* seen_;
  Recorder recorder_;
  std::vector<Series> series_;
  bool rates_at_frames_ = false;
  std::vector<int> joint_item_, law_item_;  // of joints, of rows; -1: they have no channel
  std::vector<int> part_, part_of_joint_;   // mechanism that an object, a joint is of
  std::vector<unsigned char> shaken_;       // mechanisms in which bodies have met in this step
  std::vector<unsigned char> met_;          // contacts likewise
  std::vector<double> row_impulse_;         // scratch: of each row
  std::vector<int> struck_;                 // scratch: joints
  std::vector<Vec3> pair_impulse_;          // scratch: of each contact
};

}  // namespace trammel::sim

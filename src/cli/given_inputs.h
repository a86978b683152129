#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/inputs_file.h"
#include "sim/simulation.h"

/// Inputs that are given from step to step: recorded while a run is driven, and given again from a
/// recording, to the same bits.
namespace trammel::cli {

inline constexpr char kInputsName[] = "inputs.csv";
inline constexpr char kStoppedByHand[] = "stopped by who drove";

/// The inputs of a scene that controllers do not give.
std::vector<io::InputColumn> input_columns(const model::Model& model);

/// How much of a recording a run has gone through, and the digest of that.
struct InputsMark {
  std::uint64_t bytes = 0, digest = 0;  // bytes 0: the run has no recording
};

/// A recording that grows: a line whenever what steps take has changed. Each line is whole in the
/// file as soon as it is written.
class InputsLog {
 public:
  /// Anew, or behind the first bytes of what is there. Throws io::FileError.
  InputsLog(const std::string& folder, const sim::Simulation& sim, InputsMark behind = {});
  ~InputsLog();
  InputsLog(const InputsLog&) = delete;
  InputsLog& operator=(const InputsLog&) = delete;
  /// Before a step.
  void note(const sim::Simulation& sim);
  void stopped(double t);
  InputsMark mark() const { return {bytes_, digest_}; }

 private:
  void append(const std::string& text);
  std::vector<double> values(const sim::Simulation& sim) const;
  std::string file_;
  int id_ = -1;
  std::uint64_t bytes_ = 0, digest_ = 0;
  std::vector<std::size_t> inputs_;  // of the model
  std::vector<double> last_;         // empty: none yet
};

/// A recording on its way into a run.
class Replay {
 public:
  Replay(io::InputRecording recording, InputsMark whole, const sim::Simulation& sim);
  /// Before a step; false: it ends the run here.
  bool give(sim::Simulation& sim);
  InputsMark mark() const { return whole_; }

 private:
  io::InputRecording recording_;
  InputsMark whole_;
  std::size_t next_ = 0;
  std::vector<std::string> names_;
};

/// What a recording says for a scene, and its text, or its problems. Throws InputError.
struct ReadInputs {
  io::InputRecording recording;
  std::string text;
};
std::variant<ReadInputs, io::SceneProblems> read_inputs(const std::string& file,
                                                        const model::Model& model);
InputsMark mark_of(std::string_view text);

}  // namespace trammel::cli

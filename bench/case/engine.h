#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "figure.h"
#include "judge.h"

/// How an engine is measured: each has one adapter, and each adapter one process.
namespace trammel::bench {

/// What is asked of an engine.
struct Case {
  std::string scene;
  int n = 1;
  double dt = 1e-3, seconds = 1;  // [s]
  std::string solver;             // the engine's own word for what it does
  double cap = 1e9;               // CPU seconds of stepping after which a run is cut off
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual void advance(long steps) = 0;  // of dt each
  /// States of all bodies, in the scene's order; never timed.
  virtual void states(std::vector<State>& out) = 0;
  /// Of integrators that choose their own step; -1: one a dt.
  virtual long steps_taken() const { return -1; }
  /// So far, of the equations a step solves; -1: it has none, or does not say.
  virtual long iterations() const { return -1; }
};

/// Throws std::runtime_error where the engine cannot do what is asked.
using Make = std::function<std::unique_ptr<Engine>(const Scene&, const Case&)>;

/// Drift, energy and the last position from a run with some 500 looks, the time a step from further
/// runs with few; of a run of more than a second its own time.
Figure measure(const Case& wanted, const std::string& engine, const Make& make);

/// The main() of an adapter: `program SCENE N DT SECONDS SOLVER [CAP]` prints one line of JSON.
int adapter_main(int argc, char** argv, const std::string& engine, const Make& make);

}  // namespace trammel::bench

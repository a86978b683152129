#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "io/results.h"
#include "io/scene.h"
#include "model/model.h"
#include "serve/command.h"
#include "serve/server.h"

/// A run in pages, while it goes on (docs/live.md): who comes is given the run so far and then each
/// frame; one page drives.
namespace trammel::serve {

/// What is shown, as long as it is shown.
struct Shown {
  enum class Mode : unsigned char { view, play } mode = Mode::view;
  io::Header header;
  std::vector<io::Series> series;
  double step = 0, end = 0;                     // [s]; 0: as the scene has it
  std::vector<model::Input> inputs = {};        // that may be given
  std::vector<io::InputControl> controls = {};  // of these
};

/// How it is now.
struct Status {
  enum class State : unsigned char { running, paused, finished, failed, stopped };
  State state = State::paused;
  double t = 0, speed = 1, pace = 0;
  bool late = false;
  std::vector<double> inputs = {}, checkpoints = {};
  std::string message = {};
  bool operator==(const Status&) const = default;
};
std::string_view name_of(Status::State state);

class Live {
 public:
  /// Throws ServeError.
  Live(Shown shown, unsigned short port);
  ~Live();
  const std::string& address() const;

  // what happens to the run, in its order; from one thread, which is not held up
  /// Frames one behind the other: `rows` has the numbers of each in the order of the series.
  void frames(std::vector<double> times, std::vector<float> rows);
  void events(std::vector<io::Event> events);
  void back(double t);
  /// Goes out when it changes, ten times a second at the most.
  void status(const Status& status);
  void end(io::Ending ending, const std::string& summary);
  /// Another run takes the place of this one.
  void replace(Shown shown);

  /// What pages have asked for since the last call; what is wrong is refused before. In mode view
  /// nothing comes.
  std::vector<Command> take();
  bool asked() const;  // there is something
  /// Waits for it, at most so long [s].
  void wait(double seconds);
  /// Tells a page that its command cannot be followed.
  void refuse(PageId page, const std::string& why);

  std::size_t pages() const;  // connected now
  void drain(double seconds);
  double cpu() const;  // of the thread that serves [s]

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace trammel::serve

// Runs that are watched and driven from pages, the program in a process of its own.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <thread>

#include "cli/forked.h"
#include "cli/given_inputs.h"
#include "io/results.h"
#include "serve/test_client.h"

namespace trammel::cli::play_test {

namespace fs = std::filesystem;
using serve::Address;
using serve::Browser;

bool has(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

/// A cart that an input pushes, a wall that it strikes, and a controller that looks at it.
constexpr char kScene[] = R"toml(format = 1
name = "cart"
[simulation]
duration = "DURATION"
step = "1 ms"
output_step = "5 ms"
checkpoint_interval = "0.2 s"
gravity = 0
[[body]]
name = "cart"
mass = "2 kg"
box = ["1 m", "1 m", "1 m"]
[[body]]
name = "bob"
mass = "1 kg"
sphere = "10 cm"
position = [0, 0, "-1 m"]
[[joint]]
name = "slide"
type = "prismatic"
b = "cart"
at = [0, 0, 0]
[[joint]]
name = "pin"
type = "revolute"
a = "cart"
b = "bob"
at = [0, 0, 0]
axis = [0, 1, 0]
[[law]]
name = "wall"
type = "limit"
joint = "slide"
from = "-1 m"
to = "1 m"
restitution = 0.5
[[law]]
name = "spring"
type = "spring"
joint = "pin"
stiffness = "20 N m/rad"
[[input]]
name = "push"
unit = "N"
from = -50
to = 50
keys = ["a", "d"]
[[input]]
name = "speed"
unit = "m/s"
from = -1
to = 1
[[law]]
name = "ram"
type = "actuator"
joint = "slide"
force = "push"
[[law]]
name = "turn"
type = "actuator"
joint = "pin"
force = "held"
[[controller]]
name = "held"
type = "formula"
period = "7 ms"
unit = "N m"
output = "speed*1 [N s]-0.1 [N m s]*pin.angle.rate"
[[sensor]]
name = "way"
formula = "slide.travel"
display = true
events = [{at = "0.5 m", text = "half way"}]
[[plot]]
name = "way"
y = ["way", "push"]
)toml";

/// The program at work, until it ends or the test does.
class Running {
 public:
  Running(const fs::path& folder, const std::vector<std::string>& arguments) : folder_(folder) {
    fs::remove(out());
    std::fflush(nullptr);
    child_ = fork();
    if (child_ != 0) return;
    if (!std::freopen(out().c_str(), "w", stdout) ||
        !std::freopen((folder_ / "live.err").c_str(), "w", stderr))
      _exit(99);
    const int code = program(arguments);
    std::fflush(nullptr);
    _exit(code);
  }
  ~Running() {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
  }
  Address address() const {
    for (int i = 0; i < 3000; ++i) {
      const std::string text = contents_of(out());
      if (const std::size_t at = text.find("http://"); text.find('\n', at) != std::string::npos)
        return Address(text.substr(at));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    throw std::runtime_error("it prints no address: " + err());
  }
  void signal(int number) const { kill(child_, number); }
  /// Its exit code; -1: a signal ended it.
  int wait() {
    int status = 0;
    waitpid(std::exchange(child_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string err() const { return contents_of(folder_ / "live.err"); }

 private:
  fs::path out() const { return folder_ / "live.out"; }
  fs::path folder_;
  pid_t child_ = -1;
};

class Playing : public Forked {
 protected:
  void scene(const std::string& duration) const {
    std::string text = kScene;
    text.replace(text.find("DURATION"), 8, duration);
    std::ofstream("cart.toml") << text;
  }
  static std::string field(const fs::path& folder, const std::string& name) {
    const std::string text = contents_of(folder / "summary.json");
    const std::size_t at = text.find("\"" + name + "\": ");
    if (at == std::string::npos) return "";
    const std::size_t first = at + name.size() + 4;
    return text.substr(first, text.find_first_of(",\n", first) - first);
  }
  /// The same numbers in all that was recorded, and the same end.
  static void expect_same(const fs::path& a, const fs::path& b) {
    const io::ResultsReader one((a / "results.h5").string()), two((b / "results.h5").string());
    ASSERT_EQ(one.frames(), two.frames());
    EXPECT_EQ(one.time(), two.time());
    for (std::size_t i = 0; i < one.series().size(); ++i) {
      const auto x = one.read_rows(i, 0, one.frames()), y = two.read_rows(i, 0, one.frames());
      ASSERT_EQ(x.size(), y.size());
      EXPECT_EQ(std::memcmp(x.data(), y.data(), 8 * x.size()), 0) << one.series()[i].path;
    }
    EXPECT_EQ(one.events().size(), two.events().size());
    EXPECT_NE(field(a, "state_hash"), "");
    EXPECT_EQ(field(a, "state_hash"), field(b, "state_hash"));
    EXPECT_EQ(field(a, "ended_by"), field(b, "ended_by"));
  }
  void expect_replay(const std::string& drive, int code = kDone) const {
    const Ended again = trammel({"run", "cart.toml", "--inputs", drive + "/inputs.csv", "-o",
                                 drive + "_again", "--quiet", "--force"});
    EXPECT_EQ(again.code, code) << again.err;
    expect_same(drive, drive + "_again");
  }
  static std::size_t lines_of(const fs::path& file) {
    const std::string text = contents_of(file);
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  static void sleep(double s) { std::this_thread::sleep_for(std::chrono::duration<double>(s)); }
};

TEST_F(Playing, IsDrivenAndComesBackToTheBit) {
  scene("1 s");
  Running run(folder_, {"play", "cart.toml", "-o", "drive", "--quiet"});
  Browser page(run.address());
  EXPECT_EQ(page.next().kind, 2);
  EXPECT_TRUE(has(page.until("status"), "\"driver\": true"));
  for (int i = 0; i < 20; ++i) {
    page.text(fmt::format("input push {}", 40 * std::sin(0.7 * i)));
    if (i % 3 == 0) page.text(fmt::format("input speed {}", std::cos(1.0 * i)));
    sleep(0.03);
  }
  EXPECT_TRUE(has(page.until("\"end\""), "\"ending\": \"done\""));
  EXPECT_EQ(run.wait(), kDone) << run.err();
  EXPECT_GT(lines_of("drive/inputs.csv"), 10u);
  EXPECT_TRUE(fs::exists("drive/way.svg"));
  EXPECT_TRUE(has(contents_of("drive/summary.json"), "inputs.csv"));
  expect_replay("drive");
  EXPECT_EQ(trammel({"report", "drive"}).code, kDone);
  EXPECT_EQ(trammel({"run", "cart.toml", "-o", "rest", "--quiet"}).code, kDone);
  EXPECT_NE(field("rest", "state_hash"), field("drive", "state_hash"));
}

TEST_F(Playing, ComesBackToTheBitInEveryFormulation) {
  scene("0.5 s");
  for (const std::string formulation : {"acceleration", "energy"}) {
    const std::vector<std::string> set{"--set",   "simulation.formulation=" + formulation,
                                       "--set",   "law.wall.restitution=0",
                                       "--quiet", "--accept-inaccuracy"};
    std::vector<std::string> play{"play", "cart.toml", "-o", formulation, "--speed", "0.5"};
    play.insert(play.end(), set.begin(), set.end());
    Running run(folder_, play);
    Browser page(run.address());
    for (int i = 0; i < 12; ++i) {
      page.text(fmt::format("input push {}", 30 * std::sin(0.9 * i)));
      page.text(fmt::format("input speed {}", std::cos(1.0 * i)));
      sleep(0.04);
      if (i == 8) page.text("rewind 0.1");
      if (i == 9) page.text("go");
    }
    EXPECT_NE(page.until("\"end\""), "");
    EXPECT_EQ(run.wait(), kDone) << run.err();
    std::vector<std::string> anew{"run", "cart.toml", "--inputs", formulation + "/inputs.csv",
                                  "-o",  "again",     "--force"};
    anew.insert(anew.end(), set.begin(), set.end());
    const Ended again = trammel(anew);
    EXPECT_EQ(again.code, kDone) << again.err;
    expect_same(formulation, "again");
  }
}

TEST_F(Playing, PrintsTheAddressBesideJson) {
  scene("0.05 s");
  Running run(folder_, {"play", "cart.toml", "-o", "drive", "--json"});
  std::string err;
  for (int i = 0; i < 1000 && !has(err, "token="); ++i) {
    sleep(0.005);
    err = run.err();
  }
  Browser page(Address(err.substr(err.find("http://"))));
  EXPECT_NE(page.until("\"end\""), "");
  EXPECT_EQ(run.wait(), kDone);
  EXPECT_TRUE(contents_of(folder_ / "live.out").starts_with("{"))
      << contents_of(folder_ / "live.out");
}

TEST_F(Playing, WaitsForTheFirstPage) {
  scene("1 s");
  Running run(folder_, {"play", "cart.toml", "-o", "drive", "--quiet"});
  const Address at = run.address();
  sleep(0.5);
  Browser page(at);
  const std::string status = page.until("status");
  EXPECT_TRUE(has(status, "\"t\": 0,")) << status;
  EXPECT_TRUE(has(page.until("\"running\""), "\"driver\": true"));
}

TEST_F(Playing, KeepsThePaceOfTheClock) {
  scene("10 s");
  Running run(folder_, {"play", "cart.toml", "-o", "drive", "--quiet", "--speed", "0.5"});
  Browser page(run.address());
  page.until("running");
  const auto start = std::chrono::steady_clock::now();
  std::size_t frames = 0;
  double t = 0;
  while (std::chrono::steady_clock::now() - start < std::chrono::seconds(2)) {
    const Browser::Message m = page.next();
    if (m.kind != 2 || !m.data.starts_with("TRAMMEL+")) continue;
    ++frames;
    std::memcpy(&t, m.data.data() + 16, 8);
  }
  EXPECT_LE(frames, 130u);
  EXPECT_LE(t, 1.1);
  EXPECT_GE(t, 0.3);  // on a busy machine
}

TEST_F(Playing, StepsPausesStopsByHand) {
  scene("10 s");
  Running run(folder_, {"play", "cart.toml", "-o", "drive", "--quiet", "--speed", "0"});
  Browser page(run.address());
  page.text("pause");
  EXPECT_NE(page.until("\"paused\""), "");
  page.text("input push 20");
  page.text("step 40");
  sleep(0.3);
  page.text("speed 2");
  page.text("go");
  page.text("step 3");
  EXPECT_TRUE(has(page.until("refused"), "only in a pause"));
  sleep(0.1);
  page.text("stop");
  const std::string end = page.until("\"end\"");
  EXPECT_TRUE(has(end, "\"ending\": \"done\"")) << end;
  EXPECT_EQ(run.wait(), kDone) << run.err();
  EXPECT_EQ(field("drive", "ended_by"), "\"stopped by who drove\"");
  EXPECT_GT(std::stod(field("drive", "waited_s")), 0.01);  // the pause is none of its wall time
  EXPECT_TRUE(has(contents_of("drive/inputs.csv"), "# stopped at "));
  expect_replay("drive");
}

TEST_F(Playing, RewindsAndGoesOnAsIfNothingHadBeen) {
  scene("2 s");
  Running run(folder_, {"play", "cart.toml", "-o", "drive", "--quiet"});
  Browser page(run.address());
  page.text("input push 10");
  sleep(0.8);  // on a slow machine it begins late
  page.text("input push -50");
  page.text("input speed 1");
  sleep(0.5);
  page.text("rewind 0.2");
  const std::string back = page.until("\"back\"");
  ASSERT_NE(back, "");
  const double t = std::atof(back.c_str() + back.find("\"t\": ") + 5);
  EXPECT_LE(t, 0.2006);
  EXPECT_TRUE(has(page.until("\"paused\""), "\"checkpoints\""));
  page.text("rewind -1");
  EXPECT_TRUE(has(page.until("refused"), "no checkpoint so early"));
  page.text("input push 5");
  page.text("go");
  EXPECT_TRUE(has(page.until("\"end\"", 20), "\"ending\": \"done\""));
  EXPECT_EQ(run.wait(), kDone) << run.err();
  EXPECT_FALSE(has(contents_of("drive/inputs.csv"), "-50"));
  expect_replay("drive");
}

TEST_F(Playing, AKilledPageLosesNothing) {
  scene("1 s");
  Running run(folder_, {"play", "cart.toml", "-o", "drive", "--quiet"});
  const Address at = run.address();
  {
    Browser first(at);
    first.until("running");
    first.text("input push 7");
    sleep(0.3);
    first.kill();
  }
  sleep(0.3);
  Browser second(at);
  const std::string status = second.until("status");
  EXPECT_TRUE(has(status, "\"paused\"")) << status;
  EXPECT_TRUE(has(status, "\"driver\": true"));
  EXPECT_TRUE(has(status, "7")) << status;
  EXPECT_TRUE(has(status, "has gone")) << status;
  second.text("go");
  EXPECT_NE(second.until("\"end\""), "");
  EXPECT_EQ(run.wait(), kDone) << run.err();
  expect_replay("drive");
}

TEST_F(Playing, ASecondPageWatchesAndTakesOver) {
  scene("5 s");
  Running run(folder_, {"play", "cart.toml", "-o", "drive", "--quiet"});
  const Address at = run.address();
  Browser first(at);
  first.until("running");
  Browser second(at);
  EXPECT_EQ(second.next().kind, 2);
  second.text("stop");
  EXPECT_TRUE(has(second.until("refused"), "another page drives"));
  second.text("take");
  second.text("stop");
  EXPECT_NE(second.until("\"end\""), "");
  EXPECT_NE(first.until("\"end\""), "");
  EXPECT_EQ(run.wait(), kDone);
}

TEST_F(Playing, InterruptedItKeepsResultsAndGoesOn) {
  scene("1 s");
  for (const int number : {SIGINT, SIGHUP}) {
    Running run(folder_, {"play", "cart.toml", "-o", "drive", "--quiet", "--force"});
    Browser page(run.address());
    page.text("input push 12");
    sleep(0.4);
    run.signal(number);
    EXPECT_TRUE(has(page.until("\"end\""), "interrupted")) << number;
    EXPECT_EQ(run.wait(), kInterrupted) << number << run.err();
    EXPECT_EQ(trammel({"resume", "drive", "--quiet"}).code, kDone) << number;
    expect_replay("drive");
  }
}

TEST_F(Playing, KilledItLeavesAUsableRecording) {
  scene("1 s");
  {
    Running run(folder_, {"play", "cart.toml", "-o", "drive", "--quiet"});
    Browser page(run.address());
    for (int i = 1; i < 15; ++i) {
      page.text(fmt::format("input push {}", 3 * i));
      sleep(0.04);
    }
  }  // by SIGKILL
  EXPECT_GT(lines_of("drive/inputs.csv"), 5u);
  const Ended on = trammel({"resume", "drive", "--quiet"});
  EXPECT_EQ(on.code, kDone) << on.err;
  expect_replay("drive");
}

TEST_F(Playing, ResumedWithoutItsRecordingIsRefused) {
  scene("1 s");
  std::ofstream("push.csv") << "t [s],push [N],speed [m/s]\n0.1,20,0.5\n0.4,-20,0\n";
  const std::vector<std::string> run{"run", "cart.toml", "--inputs", "push.csv", "--quiet"};
  auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    return trammel(more);
  };
  EXPECT_EQ(with({"-o", "whole"}).code, kDone);
  EXPECT_EQ(with({"-o", "half", "--duration", "0.3", "--output-step", "5 ms"}).code, kDone);
  EXPECT_EQ(trammel({"resume", "half", "--until", "1", "--quiet"}).code, kDone);
  expect_same("whole", "half");
  EXPECT_EQ(with({"-o", "lost", "--duration", "0.3"}).code, kDone);
  std::ofstream("lost/inputs.csv") << "t [s],push [N],speed [m/s]\n0.1,21,0.5\n0.4,-20,0\n";
  const Ended other = trammel({"resume", "lost", "--until", "1", "--quiet"});
  EXPECT_EQ(other.code, kInput);
  EXPECT_TRUE(has(other.err, "is not what the run had")) << other.err;
  fs::remove("lost/inputs.csv");
  EXPECT_EQ(trammel({"resume", "lost", "--until", "1", "--quiet"}).code, kInput);
}

TEST_F(Playing, WrongRecordingsAreRefused) {
  scene("1 s");
  std::ofstream("bad.csv") << "t [s],push [N],speed [m/s]\n0,60,0\n1,0,nan\n";
  const Ended bad = trammel({"run", "cart.toml", "--inputs", "bad.csv", "-o", "out1"});
  EXPECT_EQ(bad.code, kInput);
  EXPECT_TRUE(has(bad.err, "bad.csv:2:3: push: 60 is outside the range")) << bad.err;
  EXPECT_TRUE(has(bad.err, "bad.csv:3:5: speed: 'nan' is no number")) << bad.err;
  EXPECT_FALSE(fs::exists("out1"));
  const Ended none = trammel({"run", "cart.toml", "--inputs", "none.csv"});
  EXPECT_EQ(none.code, kInput);
  EXPECT_TRUE(has(none.err, "none.csv"));
  EXPECT_EQ(trammel({"play", "cart.toml", "--speed", "0.001"}).code, kInput);
  EXPECT_EQ(trammel({"play", "cart.toml", "--port", "70000"}).code, kInput);
}

TEST_F(Playing, ViewShowsFinishedResults) {
  scene("0.1 s");
  ASSERT_EQ(trammel({"run", "cart.toml", "-o", "done", "--quiet"}).code, kDone);
  Running view(folder_, {"view", "done"});
  Browser page(view.address());
  EXPECT_EQ(page.next().kind, 2);
  EXPECT_TRUE(has(page.until("\"end\""), "\"ending\": \"done\""));
  page.text("stop");
  EXPECT_TRUE(has(page.until("refused"), "watched, not driven"));
  view.signal(SIGINT);
  EXPECT_EQ(view.wait(), kDone) << view.err();
  EXPECT_EQ(trammel({"view", "nothing"}).code, kInput);
}

TEST_F(Playing, ViewFollowsARunThatGrowsAndBeginsAnew) {
  scene("3 s");
  Running play(folder_, {"play", "cart.toml", "-o", "drive", "--quiet"});
  Browser driver(play.address());
  driver.until("running");
  const fs::path other = folder_ / "viewer";
  fs::create_directory(other);
  Running view(other, {"view", "drive"});
  Browser page(view.address());
  EXPECT_EQ(page.next().kind, 2);
  EXPECT_NE(page.until("running"), "");
  std::size_t frames = 0;
  for (Browser::Message m = page.next(); frames < 3 && m.kind != 0; m = page.next())
    frames += m.kind == 2 && m.data.starts_with("TRAMMEL+");
  EXPECT_EQ(frames, 3u);
  driver.text("rewind 0");
  bool anew = false;
  for (Browser::Message m = page.next(); !anew && m.kind != 0; m = page.next())
    anew = m.kind == 2 && !m.data.starts_with("TRAMMEL+");
  EXPECT_TRUE(anew);
  driver.text("stop");
  EXPECT_TRUE(has(page.until("\"end\""), "summary"));
  EXPECT_EQ(play.wait(), kDone);
}

}  // namespace trammel::cli::play_test

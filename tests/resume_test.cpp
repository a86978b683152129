// Runs that are cut short in every way: what is left can be read, and goes on to what an
// uninterrupted run gives, bit for bit.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <string>

#include "command_line.h"
#include "io/checkpoint_file.h"
#include "io/results.h"
#include "io/whole_file.h"

namespace trammel::acceptance::resume_test {

namespace fs = std::filesystem;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

void expect_same_events(const std::vector<io::Event>& a, const std::vector<io::Event>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(same_bits({a[i].t, a[i].value}, {b[i].t, b[i].value})) << i;
    EXPECT_EQ(a[i].kind + a[i].subject + a[i].text + a[i].unit,
              b[i].kind + b[i].subject + b[i].text + b[i].unit);
  }
}

/// Every dataset and attribute.
void expect_same_results(const std::string& file_a, const std::string& file_b) {
  const io::ResultsReader a(file_a), b(file_b);
  EXPECT_TRUE(a.finished() && b.finished());
  EXPECT_EQ(a.header().scene_text, b.header().scene_text);
  EXPECT_EQ(a.header().scene_path, b.header().scene_path);
  EXPECT_EQ(a.header().attributes, b.header().attributes);
  ASSERT_EQ(a.frames(), b.frames());
  EXPECT_TRUE(same_bits(a.time(), b.time()));
  ASSERT_EQ(a.series().size(), b.series().size());
  for (std::size_t i = 0; i < a.series().size(); ++i) {
    EXPECT_EQ(a.series()[i].path, b.series()[i].path);
    EXPECT_EQ(a.series()[i].items, b.series()[i].items);
    EXPECT_EQ(a.series()[i].units, b.series()[i].units);
    EXPECT_TRUE(same_bits(a.read_rows(i, 0, a.frames()), b.read_rows(i, 0, b.frames())))
        << a.series()[i].path;
  }
  expect_same_events(a.events(), b.events());
}

/// A summary without what the clock says and where it is.
std::string timeless(const std::string& summary) {
  return std::regex_replace(summary, std::regex("\"(wall_s|speed_factor|folder)\": [^\n]*"), "");
}

}  // namespace

class Resume : public CommandLine {
 protected:
  /// A run of several seconds' worth of steps, its frames and checkpoints close together.
  static std::string wagon(const std::string& more = "") {
    return "run " + kScenes +
           "stn02_wagon.toml --quiet --duration 6 --output-step '5 ms' --checkpoint-steps 150 " +
           more;
  }
  void expect_same_folders(const std::string& a, const std::string& b) const {
    expect_same_results(path(a + "/results.h5"), path(b + "/results.h5"));
    EXPECT_EQ(timeless(read(a + "/summary.json")), timeless(read(b + "/summary.json")));
    for (const auto& entry : fs::directory_iterator(folder_ / a)) {
      const std::string name = entry.path().filename();
      EXPECT_TRUE(fs::exists(folder_ / b / name)) << name;
      if (entry.path().extension() == ".svg" || entry.path().extension() == ".toml") {
        EXPECT_TRUE(read(a + "/" + name) == read(b + "/" + name)) << name;
      }
    }
  }

  /// Begins `trammel ARGUMENTS` and kills it after so many microseconds; -1: it ended before, well.
  int killed_after(const std::string& arguments, int microseconds) const {
    return killed(arguments, [=] { return usleep(static_cast<useconds_t>(microseconds)), true; });
  }

  /// Kills it as soon as `ready`, which is asked every millisecond; -1: it has ended before.
  template <class Ready>
  int killed(const std::string& arguments, const Ready& ready) const {
    const std::string line =
        "cd " + folder_.string() + " && exec '" + kProgram + "' " + arguments + " >stdout 2>stderr";
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", line.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    int status = 0;
    bool ended = false;
    while (!ended && !ready()) {
      usleep(1000);
      ended = waitpid(child, &status, WNOHANG) == child;
    }
    kill(child, SIGKILL);
    if (!ended) waitpid(child, &status, 0);
    if (!WIFEXITED(status)) return 0;
    EXPECT_EQ(WEXITSTATUS(status), 0) << read("stderr");
    return -1;
  }

  /// Whatever a kill left can be read: results up to the last frame, one checkpoint at least.
  /// False: they had not come to be.
  bool expect_readable(const std::string& name) const {
    if (!fs::exists(folder_ / name / "results.h5")) return false;
    const io::ResultsReader results(path(name + "/results.h5"));
    EXPECT_EQ(results.time().size(), results.frames());
    for (std::size_t i = 0; i < results.series().size(); ++i)
      results.read_rows(i, 0, results.frames());
    results.events();
    bool any = false;
    for (const std::string& file : io::checkpoint_files(path(name))) any |= fs::exists(file);
    if (!any) return false;
    const io::Checkpoints all = read_foreign(name);
    EXPECT_TRUE(all.complaints.empty());
    return true;
  }
  /// The test is another build than the program: the files are looked at without that.
  io::Checkpoints read_foreign(const std::string& name) const {
    io::Checkpoints out;
    for (const std::string& file : io::checkpoint_files(path(name))) {
      if (!fs::exists(file)) continue;
      try {
        io::read_checkpoint(file);
      } catch (const io::CheckpointError& e) {
        if (!has(e.what(), "a run goes on only with the very program"))
          out.complaints.emplace_back(e.what());
      }
    }
    return out;
  }

  /// Seconds of the wall clock that a command takes.
  double timed(const std::string& command) const {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(trammel(command), 0) << read("stderr");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  /// A run of the wagon that takes `whole` seconds, killed and resumed until it is done; how often
  /// it was killed. Each time it comes a quarter of the way at most.
  int through_kills(const std::string& name, std::mt19937& chance, int kills, double whole) const {
    std::uniform_int_distribution<int> wait(2000, static_cast<int>(0.25e6 * whole));
    int killed = 0;
    bool begun = false;
    for (int i = 0; i < 10 * kills + 10; ++i) {
      const std::string command =
          begun ? "resume " + name + " --quiet" : wagon("--force -o " + name);
      const int microseconds = killed < kills ? wait(chance) : 600000000;
      if (killed >= kills) {
        EXPECT_EQ(trammel(command), 0) << read("stderr");
        return killed;
      }
      if (killed_after(command, microseconds) < 0) return killed;
      ++killed;
      begun = expect_readable(name);
    }
    return killed;
  }
};

TEST_F(Resume, AfterKillsTheResultsAreThoseOfOneRun) {
  const double whole = timed(wagon("-o whole"));
  std::mt19937 chance(1);
  EXPECT_GE(through_kills("killed", chance, 5, whole), 2);
  expect_same_folders("whole", "killed");
}

using FullResume = Resume;

TEST_F(FullResume, AHundredKillsLeaveNothingUnreadable) {
  const double whole = timed(wagon("-o whole"));
  std::mt19937 chance(2);
  int kills = 0, runs = 0;
  for (; kills < 100; ++runs) {
    kills += through_kills("killed", chance, 10, whole);
    expect_same_folders("whole", "killed");
    ASSERT_FALSE(HasFailure()) << "run " << runs << " after " << kills << " kills";
  }
  fmt::print("{} kills in {} runs\n", kills, runs);
}

TEST_F(Resume, AfterASignalToo) {
  const std::string long_run =
      "run " + kScenes + "stn02_wagon.toml --quiet --duration 60 --no-plots -o ";
  ASSERT_EQ(trammel(long_run + "whole"), 0) << read("stderr");
  for (const char* signal : {"INT", "TERM"}) {
    std::size_t frames = 0;
    for (double wait = 0.05; frames < 2; wait *= 1.5) {  // until it has come some way
      const std::string stopped =
          fmt::format("timeout --foreground --preserve-status -s {} {}", signal, wait);
      fs::remove_all(path("cut"));
      const int code = trammel(long_run + "cut", stopped);
      ASSERT_NE(code, 0) << "it was done in " << wait << " s";
      if (code != 130 || read("stderr").empty()) continue;  // before it listens to signals
      EXPECT_TRUE(has(read("stderr"), "are kept in cut; to go on: trammel resume cut"))
          << read("stderr");
      EXPECT_TRUE(has(read("cut/summary.json"), "\"status\": \"interrupted\""));
      const io::ResultsReader cut(path("cut/results.h5"));
      EXPECT_TRUE(cut.finished());
      frames = cut.frames();
    }
    ASSERT_EQ(trammel("resume cut --quiet --no-plots"), 0) << read("stderr");
    expect_same_folders("whole", "cut");
  }
}

TEST_F(Resume, FinishedRunSaysSo) {
  ASSERT_EQ(trammel(wagon("-o r")), 0) << read("stderr");
  const auto before = fs::last_write_time(folder_ / "r/results.h5");
  EXPECT_EQ(trammel("resume r"), 0);
  EXPECT_TRUE(has(read("stderr"), "r: the run is finished, at t = 6 s")) << read("stderr");
  EXPECT_EQ(fs::last_write_time(folder_ / "r/results.h5"), before);
}

TEST_F(Resume, UntilAnotherTime) {
  const std::string scene = "run " + kScenes + "turntable.toml --quiet ";
  ASSERT_EQ(trammel(scene + "--duration 3 -o whole"), 0) << read("stderr");
  ASSERT_EQ(trammel(scene + "--duration 1 -o parts"), 0) << read("stderr");
  ASSERT_EQ(trammel("resume parts --until 2.011 --quiet"), 0) << read("stderr");  // off the frames
  EXPECT_EQ(trammel("resume parts --until '1.5 s' --quiet"), 2);
  EXPECT_TRUE(has(read("stderr"), "--until 1.5 s: the run is at t = 2.011 s already"))
      << read("stderr");
  EXPECT_EQ(trammel("resume parts --until 3x --quiet"), 2);
  EXPECT_TRUE(has(read("stderr"), "simulation.duration")) << read("stderr");
  ASSERT_EQ(trammel("resume parts --until 3 --quiet"), 0) << read("stderr");
  expect_same_folders("whole", "parts");
}

TEST_F(Resume, SystemsGoOnInEveryFormulation) {
  for (const char* formulation : {"velocity", "acceleration", "energy"}) {
    const std::string scene =
        fmt::format("run {}systems/hoop.toml --quiet --force --set simulation.formulation={} ",
                    kScenes, formulation);
    fs::remove_all(path("parts"));
    ASSERT_EQ(trammel(scene + "--duration 1 -o whole"), 0) << read("stderr");
    ASSERT_EQ(trammel(scene + "--duration 0.4 -o parts"), 0) << read("stderr");
    ASSERT_EQ(trammel("resume parts --until 1 --quiet"), 0) << read("stderr");
    expect_same_folders("whole", "parts");
  }
}

// The frames of a scene without output_step are a part of its duration apart.
TEST_F(Resume, UntilKeepsTheFramesApart) {
  const std::string made = "make chain --n 3 -o c.toml";
  ASSERT_EQ(trammel(made), 0);
  std::string text = read("c.toml");
  text = std::regex_replace(text, std::regex("output_step[^\n]*\n"), "");
  std::ofstream(folder_ / "c.toml") << text;
  ASSERT_EQ(trammel("run c.toml --quiet --duration 1 -o r"), 0) << read("stderr");
  fs::remove(folder_ / "c.toml");  // the results know their scene
  ASSERT_EQ(trammel("resume r --quiet --until 2"), 0) << read("stderr");
  EXPECT_EQ(io::ResultsReader(path("r/results.h5")).frames(), 1001u);
}

TEST_F(Resume, OtherVersionsAndNothingAreRefused) {
  const auto refuses = [&](const std::string& words) {
    EXPECT_EQ(trammel("resume r"), 2);
    EXPECT_TRUE(has(read("stderr"), words)) << read("stderr");
  };
  refuses("r holds no results.h5: 'trammel run' makes one");
  ASSERT_EQ(trammel(wagon("-o r")), 0);
  io::remove_checkpoints(path("r"));
  refuses("r holds no checkpoint");
  io::CheckpointWriter(path("r")).write({{"0.0.9", "", 0, 1, 0, 1, 0, 0}, "x"}, false);
  refuses("Trammel 0.0.9 has written it, this is Trammel 0.1.0");
  io::remove_checkpoints(path("r"));
  io::CheckpointWriter(path("r")).write({{"0.1.0", "01234567", 0, 1, 0, 1, 0, 0}, "x"}, false);
  refuses("the build 01234567 of Trammel 0.1.0 has written it, this is the build ");
  fs::remove(folder_ / "r/results.h5");
  io::ResultsWriter(path("r/results.h5"), {"format = 1\n", "s.toml", "0.0.9", "velocity", {}}, {})
      .close();
  refuses("Trammel 0.0.9 has written it, this is Trammel 0.1.0");
  std::ofstream(folder_ / "r/results.h5") << "nothing";
  refuses("'trammel recover r' saves what can be read of it");
}

TEST_F(Resume, TakesTheOlderOfADamagedPair) {
  ASSERT_EQ(trammel(wagon("-o whole")), 0);
  const std::string folder = "cut";
  const auto files = io::checkpoint_files(path(folder));
  const auto both = [&] { return fs::exists(files[0]) && fs::exists(files[1]); };
  for (int i = 0; i < 50 && !both(); ++i) killed(wagon("--force --no-plots -o cut"), both);
  ASSERT_TRUE(fs::exists(files[0]) && fs::exists(files[1]));
  std::string bytes = io::read_whole(files[1]);
  bytes[bytes.size() / 2] ^= 1;
  io::write_whole(files[1], bytes);
  ASSERT_EQ(trammel("resume cut --quiet"), 0) << read("stderr");
  EXPECT_TRUE(has(read("stderr"), "checkpoint-b.bin: it is damaged: its checksum is wrong"))
      << read("stderr");
  expect_same_folders("whole", folder);
}

TEST_F(Resume, ResultsThatDoNotFitAreRefused) {
  ASSERT_EQ(trammel(wagon("-o r")), 0);
  ASSERT_EQ(trammel("run " + kScenes + "pendulum.toml -o other --quiet"), 0);
  fs::rename(folder_ / "other/results.h5", folder_ / "r/results.h5");
  EXPECT_EQ(trammel("resume r"), 2);
  EXPECT_TRUE(has(read("stderr"), "a checkpoint is of another scene than the results"))
      << read("stderr");
  fs::remove(folder_ / "r/results.h5");
  ASSERT_EQ(trammel(wagon("-o r")), 0) << read("stderr");
  const auto size = fs::file_size(folder_ / "r/results.h5");
  fs::resize_file(folder_ / "r/results.h5", size / 2);  // what a crash of the machine may leave
  EXPECT_EQ(trammel("resume r"), 2);
  EXPECT_EQ(fs::file_size(folder_ / "r/results.h5"), size / 2);
}

TEST_F(Resume, OneProcessAtATime) {
  const std::string line =
      "cd " + folder_.string() + " && exec '" + kProgram + "' run " + kScenes +
      "pendulum.toml -o r --quiet --duration 1e6 --output-step 10 >/dev/null 2>&1";
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", line.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  for (int i = 0; i < 1000 && !fs::exists(folder_ / "r/checkpoint-a.bin"); ++i) usleep(10000);
  for (const char* command : {"resume r", "recover r"}) {
    EXPECT_EQ(trammel(command), 2);
    EXPECT_TRUE(has(read("stderr"), "r: another process is running into it")) << read("stderr");
  }
  EXPECT_EQ(trammel("run " + kScenes + "pendulum.toml -o r --force"), 2);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(trammel("recover r"), 0) << read("stderr");
}

/// Exit code of a line of the shell in the folder, $trammel being the program.
class Disk : public Resume {
 protected:
  int shell(const std::string& line) const {
    const std::string all = "cd " + folder_.string() + " && trammel='" + kProgram + "'; { " + line +
                            "; } >stdout 2>stderr";
    const int status = std::system(all.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

// At whole pages the file as it is created just fits and its first block of frames does not: HDF5
// is left with a file that it has half closed, which must not take the program down at its end.
TEST_F(Disk, FileThatFitsOnlyAsItIsCreated) {
  for (int kib = 180; kib <= 260; kib += 4)
    EXPECT_EQ(shell(fmt::format("ulimit -f {}; $trammel run {}stn02_wagon.toml -o r --force "
                                "--quiet --any-size",
                                2 * kib, kScenes)),
              2)
        << kib << " KiB: " << read("stderr");
}

// The results' file may grow no further; later it may.
TEST_F(Disk, FileThatMayNotGrow) {
  ASSERT_EQ(trammel(wagon("-o whole")), 0);
  EXPECT_EQ(shell("ulimit -f 2600; $trammel " + wagon("-o r")), 2) << read("stderr");
  EXPECT_TRUE(has(read("stderr"), "File too large")) << read("stderr");
  EXPECT_TRUE(has(read("stderr"), "are kept in r; to go on: trammel resume r")) << read("stderr");
  EXPECT_GT(io::ResultsReader(path("r/results.h5")).frames(), 30u);
  EXPECT_EQ(shell("ulimit -f 1000; $trammel resume r --quiet"), 2) << read("stderr");  // still not
  EXPECT_TRUE(has(read("stderr"), "File too large")) << read("stderr");
  EXPECT_FALSE(fs::exists(folder_ / "r/results.h5.part"));
  EXPECT_EQ(trammel("resume r --quiet"), 0) << read("stderr");
  expect_same_folders("whole", "r");
}

TEST_F(Disk, FullDisk) {
  if (shell("unshare -rm mount -t tmpfs tmpfs .") != 0) GTEST_SKIP() << "no private mounts here";
  ASSERT_EQ(trammel(wagon("-o whole")), 0);
  fs::create_directory(folder_ / "disk");
  std::ofstream(folder_ / "script") << "mount -t tmpfs -o size=1400k tmpfs disk || exit 77\n"
                                    << "$trammel " << wagon("-o disk/r --any-size") << " 2>first\n"
                                    << "test $? = 2 || exit 1\n"
                                    << "$trammel resume disk/r --quiet 2>second\n"
                                    << "test $? = 2 || exit 2\n"
                                    << "mount -o remount,size=10m disk || exit 77\n"
                                    << "$trammel resume disk/r --quiet || exit 3\n"
                                    << "cp -r disk/r r\n";
  EXPECT_EQ(shell("export trammel; unshare -rm sh script"), 0) << read("stderr");
  for (const char* said : {"first", "second"})
    EXPECT_TRUE(has(read(said), "No space left on device")) << read(said);
  EXPECT_TRUE(has(read("first"), "are kept in disk/r; to go on: trammel resume disk/r"))
      << read("first");
  expect_same_folders("whole", "r");
}

TEST_F(Disk, CheckpointOrPlotThatCannotBeWritten) {
  ASSERT_EQ(trammel(wagon("-o whole")), 0);
  for (const char* name : {"checkpoint-b.bin.part", "ride.svg.part", "summary.json.part"}) {
    fs::remove_all(folder_ / "r");
    fs::create_directories(folder_ / "r" / name);
    EXPECT_EQ(trammel(wagon("-o r")), 2);
    EXPECT_TRUE(has(read("stderr"), "cannot be written: Is a directory")) << read("stderr");
    EXPECT_TRUE(has(read("stderr"), "to go on: trammel resume r")) << read("stderr");
    EXPECT_GT(io::ResultsReader(path("r/results.h5")).frames(), 30u);
    fs::remove(folder_ / "r" / name);
    EXPECT_EQ(trammel("resume r --quiet"), 0) << read("stderr");
    expect_same_folders("whole", "r");
  }
}

TEST_F(Disk, FullStdoutIsTold) {
  EXPECT_EQ(shell("$trammel " + wagon("-o r --json") + " >/dev/full"), 2);
  EXPECT_TRUE(has(read("stderr"), "stdout: No space left on device")) << read("stderr");
  EXPECT_EQ(shell("$trammel export r >/dev/full"), 2);
  EXPECT_EQ(shell("$trammel schema >/dev/full"), 2);
  EXPECT_EQ(trammel("resume r"), 0);
  EXPECT_TRUE(has(read("stderr"), "is finished")) << read("stderr");
}

}  // namespace trammel::acceptance::resume_test

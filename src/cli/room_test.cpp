// How much results take is said before a run, and what nobody meant is not begun.
#include <csignal>

#include "cli/forked.h"
#include "cli/scene_input.h"

namespace trammel::cli::room_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScene = R"(format = 1
[simulation]
step = "1 ms"
duration = "20 s"
output_step = "1 ms"
[[body]]
name = "bob"
mass = 1.0
box = [0.1, 0.1, 0.1]
position = [0.0, 0.0, -1.0]
[[joint]]
name = "pivot"
type = "revolute"
a = "ground"
b = "bob"
at = [0.0, 0.0, 0.0]
axis = [0.0, 1.0, 0.0]
)";

class Room : public Forked {
 protected:
  void SetUp() override {
    Forked::SetUp();
    std::ofstream("s.toml") << kScene;
  }
};

TEST_F(Room, IsWhatTheFileTakes) {
  const auto read = prepare("s.toml", {});
  const cli::Room room = room_for(std::get<Prepared>(read));
  EXPECT_NEAR(room.frames, 20001, 1);
  ASSERT_EQ(trammel({"run", "s.toml", "-o", "r", "--quiet", "--no-plots"}).code, kDone);
  const double size = static_cast<double>(fs::file_size("r/results.h5"));
  EXPECT_NEAR(room.bytes, size, 0.1 * size);
}

TEST_F(Room, TooMuchIsNotBegun) {
  const std::vector<std::string> run{
      "run", "s.toml", "-o", "r", "--duration", "1e6 s", "--step", "1 us", "--output-step", "1 us"};
  const Ended refused = trammel(run);
  EXPECT_EQ(refused.code, kInput);
  for (const char* part : {"(1000000000001 frames)", "simulation.output_step", "--any-size"})
    EXPECT_NE(refused.err.find(part), std::string::npos) << part << ": " << refused.err;
  EXPECT_FALSE(fs::exists("r"));
  auto anyway = run;
  anyway.push_back("--any-size");
  EXPECT_EQ(trammel(anyway, 1).signal, SIGXCPU);  // it runs
  EXPECT_TRUE(fs::exists("r/results.h5"));
}

}  // namespace
}  // namespace trammel::cli::room_test

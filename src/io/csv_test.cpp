#include "io/csv.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace trammel::io::csv_test {
namespace {

namespace fs = std::filesystem;

class Csv : public testing::Test {
 protected:
  Csv() {
    std::string name = (fs::temp_directory_path() / "trammel_csv_XXXXXX").string();
    dir_ = mkdtemp(name.data());
    const Series series{"/bodies/position", "position", {"car", "a,\"b\""}, {"x", ""}, {"m", ""}};
    ResultsWriter writer((dir_ / "r.h5").string(), {}, {series});
    writer.append_frame(0);
    writer.append(0, std::vector{0.1, -1e300, 1.0 / 3, 4.0});
    writer.append_frame(0.25);
    writer.append(0, std::vector<double>{NAN, INFINITY, 5e-324, -0.0});
    writer.close();
  }
  ~Csv() override { fs::remove_all(dir_); }

  std::string table(const std::vector<std::string>& channels) const {
    const std::string path = (dir_ / "t.csv").string();
    write_csv(ResultsReader((dir_ / "r.h5").string()), channels, path);
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path dir_;
};

TEST_F(Csv, WritesAllChannels) {
  EXPECT_EQ(table({}),
            "time [s],car.position.x [m],car.position,\"a,\"\"b\"\".position.x "
            "[m]\",\"a,\"\"b\"\".position\"\n"
            "0,0.1,-1e+300,0.3333333333333333,4\n"
            "0.25,,inf,5e-324,-0\n");
}

TEST_F(Csv, WritesChosenChannelsInTheirOrder) {
  EXPECT_EQ(table({"car.position", "time", "car.position.x"}),
            "time [s],car.position,car.position.x [m]\n0,-1e+300,0.1\n0.25,inf,\n");
}

TEST_F(Csv, WrongNameLeavesTheFileAlone) {
  const std::string before = table({});
  EXPECT_THROW(table({"car.positon.x"}), ResultsError);
  std::ifstream in(dir_ / "t.csv");
  EXPECT_EQ((std::string{std::istreambuf_iterator<char>(in), {}}), before);
}

TEST_F(Csv, WriteErrorsSayWhy) {
  const ResultsReader results((dir_ / "r.h5").string());
  EXPECT_THROW(write_csv(results, {}, (dir_ / "no" / "t.csv").string()), ResultsError);
  std::FILE* full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  EXPECT_THROW(write_csv(results, {}, full), ResultsError);
  std::fclose(full);
}

/// A table that cannot be written whole, as where files may have a few kilobytes only, leaves what
/// was there.
TEST_F(Csv, OneThatIsCutShortLeavesTheFileAlone) {
  ResultsWriter writer((dir_ / "long.h5").string(), {}, {});
  for (int n = 0; n < 10000; ++n) writer.append_frame(n / 7.0);
  writer.close();
  const std::string path = (dir_ / "t.csv").string(), before = table({});
  const ResultsReader results((dir_ / "long.h5").string());
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit low{20000, old.rlim_max};
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &low);
  EXPECT_THROW(write_csv(results, {}, path), ResultsError);
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, handler);
  std::ifstream in(path);
  EXPECT_EQ((std::string{std::istreambuf_iterator<char>(in), {}}), before);
  EXPECT_FALSE(fs::exists(path + ".part"));
}

// Many blocks of many channels: every number in its place.
TEST_F(Csv, WritesLongTables) {
  ResultsWriter writer((dir_ / "long.h5").string(), {},
                       {{"/a", "", {"i"}, {"n", "twice"}, {"", ""}}});
  std::string expected = "time [s],i.n,i.twice\n";
  for (int n = 0; n < 50000; ++n) {
    writer.append_frame(n);
    writer.append(0, std::vector{n + 0.5, 2.0 * n});
    expected += std::to_string(n) + "," + std::to_string(n) + ".5," + std::to_string(2 * n) + "\n";
  }
  writer.close();
  write_csv(ResultsReader((dir_ / "long.h5").string()), {}, (dir_ / "long.csv").string());
  std::ifstream in(dir_ / "long.csv");
  EXPECT_EQ((std::string{std::istreambuf_iterator<char>(in), {}}), expected);
}

}  // namespace
}  // namespace trammel::io::csv_test

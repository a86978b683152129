// Lists in results: rows of which each frame has any number, through files that grow, go on, are
// damaged and are mended.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "io/csv.h"
#include "io/recover.h"
#include "io/results.h"
#include "io/results_layout.h"
#include "io/scene.h"

namespace trammel::io::results_lists_test {
namespace {

namespace fs = std::filesystem;

class ResultsLists : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("trammel_lists_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const char* name = "r.h5") const { return (folder_ / name).string(); }

  static Header header() {
    Header out;
    out.scene_text = "format = 1\n";
    out.lists = {{"/contacts/points", {"x", "f"}, {"m", "N"}}};
    return out;
  }
  static std::vector<Series> series() { return {{"/a/b", "b", {"i"}, {"c"}, {"m"}}}; }
  /// Frame k has k % 4 rows (100 k + i, -i).
  static std::vector<double> rows(std::size_t k) {
    std::vector<double> out;
    for (std::size_t i = 0; i < k % 4; ++i)
      out.insert(out.end(),
                 {100. * static_cast<double>(k) + static_cast<double>(i), -static_cast<double>(i)});
    return out;
  }
  static void fill(ResultsWriter& w, std::size_t first, std::size_t n) {
    for (std::size_t k = first; k < first + n; ++k) {
      w.append_frame(static_cast<double>(k));
      w.append(0, std::vector<double>{1});
      if (k % 4 > 0) w.append_rows(0, rows(k));  // a frame that gives none has none
    }
  }
  static void expect(const ResultsReader& r, std::size_t frames) {
    ASSERT_EQ(r.frames(), frames);
    EXPECT_EQ(r.header().lists, header().lists);
    const std::vector<std::size_t> counts = r.list_counts(0);
    for (std::size_t k = 0; k < frames; ++k) {
      EXPECT_EQ(r.read_list(0, k), rows(k)) << k;
      EXPECT_EQ(counts[k], k % 4);
    }
  }
  fs::path folder_;
};

TEST_F(ResultsLists, ComeBackAsTheyWereWritten) {
  {
    ResultsWriter w(file(), header(), series());
    fill(w, 0, 3000);  // more than a block
    w.close();
  }
  const ResultsReader r(file());
  expect(r, 3000);
  r.demand(3000);
  EXPECT_THROW(r.read_list(0, 3000), ResultsError);
}

TEST_F(ResultsLists, AreReadWhileTheyGrow) {
  ResultsWriter w(file(), header(), series());
  fill(w, 0, 10);
  w.flush();
  ResultsReader r(file());
  expect(r, 10);
  fill(w, 10, 7);
  w.flush();
  r.refresh();
  expect(r, 17);
}

TEST_F(ResultsLists, GoOnBehindTheFirstFrames) {
  {
    ResultsWriter w(file(), header(), series());
    fill(w, 0, 20);
    w.close(Ending::interrupted);
  }
  {
    const ResultsReader before(file());
    ResultsWriter w = ResultsWriter::continued(file(), header(), before, 11, 0);
    fill(w, 11, 5);
    w.close();
  }
  expect(ResultsReader(file()), 16);
}

TEST_F(ResultsLists, ThatAreDamagedAreToldAndLeftOut) {
  {
    ResultsWriter w(file(), header(), series());
    fill(w, 0, 30);
    w.close();
  }
  std::string bytes;
  {
    std::ifstream in(file(), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  const double wanted = 702;  // of the last row of frame 7
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&wanted), 8));
  ASSERT_NE(at, std::string::npos);
  bytes[at + 2] = static_cast<char>(bytes[at + 2] ^ 1);
  std::ofstream(file(), std::ios::binary) << bytes;
  {
    const ResultsReader r(file());
    EXPECT_EQ(r.read_list(0, 6), rows(6));
    EXPECT_THROW(r.read_list(0, 7), DamagedResults);
    EXPECT_THROW(r.demand(30), DamagedResults);
    EXPECT_EQ(r.read_list(0, 9), rows(9));
  }
  recover(file());
  const ResultsReader mended(file());
  EXPECT_EQ(mended.frames(), 30u);
  EXPECT_TRUE(mended.read_list(0, 7).empty());
  EXPECT_EQ(mended.read_list(0, 29), rows(29));
}

TEST_F(ResultsLists, AreOneLineARowInTables) {
  {
    ResultsWriter w(file(), header(), series());
    fill(w, 0, 3);
    w.close();
  }
  write_list_csv(ResultsReader(file()), 0, file("p.csv"));
  std::ifstream in(file("p.csv"));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text, "time [s],x [m],f [N]\n1,100,-0\n2,200,-0\n2,201,-1\n");
}

constexpr const char* kBall = R"(format = 1
[simulation]
duration = 0.5
step = 0.001
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "ball"
mass = 2
sphere = 0.1
position = [0, 0, 0.1]
contact = "solids"
)";

TEST(ContactChannels, AWeightRestsOnTheGround) {
  auto loaded = load_scene_text(kBall, "x.toml");
  ASSERT_TRUE(std::holds_alternative<LoadedScene>(loaded));
  const LoadedScene& scene = std::get<LoadedScene>(loaded);
  sim::Simulation run(scene.built, scene.scene.settings);
  sim::Recorder recorder(run);
  ASSERT_EQ(recorder.lists().size(), 1u);
  while (!run.finished() && run.advance()) {
  }
  ASSERT_EQ(run.failure(), "");
  recorder.begin_frame();
  const std::vector<double> row = recorder.rows(0);
  ASSERT_EQ(row.size(), 14u);
  const auto quantity = [&](std::string_view path) {
    for (std::size_t i = 0; i < recorder.quantities().size(); ++i)
      if (recorder.quantities()[i].path == path) return recorder.frame(i);
    return std::vector<double>{};
  };
  constexpr double kWeight = 2 * 9.81, kRounding = 1e-9;
  EXPECT_EQ(row[0], 0);  // the ground's shape comes first
  EXPECT_EQ(row[1], 1);
  EXPECT_NEAR(row[6], 0, 1e-6);  // place: where it lies
  EXPECT_NEAR(row[9], 1, kRounding);
  EXPECT_NEAR(row[12], kWeight, kRounding * kWeight);
  const std::vector<double> pair = quantity("/contacts/force"), all = quantity("/contacts/body");
  ASSERT_EQ(pair.size(), 3u);
  EXPECT_NEAR(pair[2], kWeight, kRounding * kWeight);  // on the ball, which is named first
  EXPECT_EQ(all, pair);
  EXPECT_EQ(quantity("/contacts/state").at(0), 1);
}

}  // namespace
}  // namespace trammel::io::results_lists_test

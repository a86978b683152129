#include "io/recover.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "io/results_hdf5.h"
#include "io/whole_file.h"

namespace trammel::io::recover_test {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kFrames = 900, kEvents = 40;

double expected(std::size_t frame, std::size_t element) {
  return static_cast<double>(10 * frame + element) / 7 + 1;
}

class Recover : public testing::Test {
 protected:
  Recover() {
    std::string name = (fs::temp_directory_path() / "trammel_recover_XXXXXX").string();
    dir_ = mkdtemp(name.data());
    file_ = dir_ / "results.h5";
  }
  ~Recover() override { fs::remove_all(dir_); }

  /// Results as a killed writer leaves them, or closed in good order.
  void write(bool closed) const {
    const std::string original = dir_ / "original.h5";
    fs::remove(original);
    ResultsWriter writer(
        original, {"format = 1\n", "a.toml", "0.1", "velocity", {}},
        {{"/bodies/position", "position", {"car", "bogie"}, {"x", "y", "z"}, {"m", "m", "m"}},
         {"/solver", "", {"solver"}, {"gap"}, {"m"}}},
        1e9);
    for (std::size_t n = 0; n < kFrames; ++n) {
      writer.append_frame(expected(n, 0));
      std::vector<double> row;
      for (std::size_t i = 0; i < 6; ++i) row.push_back(expected(n, i));
      writer.append(0, row);
      writer.append(1, std::vector{expected(n, 7)});
      if (n < kEvents) writer.append_event({0.5, "impact", "car", "a text", 1, "J"});
      if (n % 100 == 0) writer.flush();
    }
    writer.flush();
    if (closed) writer.close();
    fs::copy_file(original, file_, fs::copy_options::overwrite_existing);
  }
  /// The file is one for any tool, and its frames are the first ones of those written.
  /// Where something was lost, it is a gap.
  void expect_good(const Recovery& r) const {
    const h5::Handle plain(H5Fopen(file_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    EXPECT_TRUE(plain);
    const ResultsReader reader(file_);
    EXPECT_TRUE(reader.finished());
    ASSERT_EQ(reader.frames(), r.frames);
    EXPECT_EQ(reader.events().size(), r.events);
    const std::vector<double> time = reader.time(), rows = reader.read_rows(0, 0, r.frames),
                              gaps = reader.read_rows(1, 0, r.frames);
    const auto same = [&](double found, double wanted) {
      return found == wanted || (!r.lost.empty() && std::isnan(found));
    };
    for (std::size_t n = 0; n < r.frames; ++n) {
      const auto frame = static_cast<std::size_t>(std::lround((7 * (time[n] - 1)) / 10));
      ASSERT_EQ(time[n], expected(frame, 0)) << n;
      if (r.lost.empty()) {
        ASSERT_EQ(frame, n);
      }
      ASSERT_TRUE(same(gaps[n], expected(frame, 7))) << n;
      for (std::size_t i = 0; i < 6; ++i)
        ASSERT_TRUE(same(rows[6 * n + i], expected(frame, i))) << n;
    }
    if (r.frames > 0) {
      EXPECT_EQ(r.until, time.back());
    }
  }

  fs::path dir_, file_;
};

TEST_F(Recover, AfterAKillAllIsSaved) {
  write(false);
  const Recovery r = recover(file_);
  EXPECT_FALSE(r.was_good);
  EXPECT_EQ(r.frames, kFrames);
  EXPECT_EQ(r.events, kEvents);
  EXPECT_EQ(r.kept, "");
  expect_good(r);
  EXPECT_TRUE(recover(file_).was_good);
  for (const auto& entry : fs::directory_iterator(dir_))
    EXPECT_EQ(entry.path().extension(), ".h5") << entry.path();
}

TEST_F(Recover, WhatIsWholeIsLeftAlone) {
  write(true);
  const std::string before = read_whole(file_);
  const Recovery r = recover(file_);
  EXPECT_TRUE(r.was_good);
  EXPECT_EQ(r.frames, kFrames);
  EXPECT_EQ(read_whole(file_), before);
}

// Of a file cut anywhere either some first frames are saved, the file kept beside them, or nothing
// is touched.
TEST_F(Recover, CutAnywhereItIsNeverMadeWorse) {
  for (const bool closed : {false, true}) {
    write(closed);
    const std::string whole = read_whole(file_);
    std::size_t most = 0;
    for (std::size_t length = 0; length < whole.size(); length += 2039) {
      for (const auto& entry : fs::directory_iterator(dir_))
        if (entry.path().filename() != "original.h5") fs::remove(entry.path());
      write_whole(file_, whole.substr(0, length));
      try {
        const Recovery r = recover(file_);
        if (r.was_good) {
          EXPECT_EQ(r.frames, kFrames) << length;
        } else if (r.frames < kFrames) {
          EXPECT_EQ(read_whole(r.kept).size(), length);
        }
        expect_good(r);
        most = std::max(most, r.frames);
      } catch (const ResultsError& e) {
        EXPECT_EQ(read_whole(file_).size(), length) << e.what();
        EXPECT_FALSE(fs::exists(file_.string() + ".part"));
        EXPECT_FALSE(fs::exists(file_.string() + ".long"));
      }
    }
    EXPECT_GT(most, 300u) << closed;
  }
}

/// One number, one time and one event are not what they were: the rest is saved.
TEST_F(Recover, WhatIsWholeAroundDamageIsSaved) {
  write(true);
  std::string bytes = read_whole(file_);
  const auto flip = [&](const std::string& where) {
    const std::size_t at = bytes.find(where);
    ASSERT_NE(at, std::string::npos);
    bytes[at] ^= 4;
  };
  const auto number = [](double x) {
    return std::string(reinterpret_cast<const char*>(&x), sizeof x);
  };
  flip(number(expected(500, 3)));
  flip("impact");
  const std::size_t time = bytes.find(number(expected(699, 0)) + number(expected(700, 0)));
  ASSERT_NE(time, std::string::npos);
  bytes[time] ^= 1;
  write_whole(file_, bytes);
  const Recovery r = recover(file_);
  EXPECT_EQ(r.frames, kFrames - 1);
  EXPECT_EQ(r.events, kEvents - 1);
  EXPECT_EQ(r.lost, "1 of 900 frames, 1 rows of series, from frame 501 on, and events");
  EXPECT_EQ(read_whole(r.kept), bytes);
  expect_good(r);
  const ResultsReader saved(file_);
  EXPECT_TRUE(std::isnan(saved.read_rows(0, 500, 1)[3]));
  EXPECT_EQ(saved.read_rows(1, 500, 1)[0], expected(500, 7));
  EXPECT_EQ(saved.header().attributes.at(kLost), r.lost);
}

TEST_F(Recover, WhatIsNoneOfOursIsRefused) {
  EXPECT_THROW(recover(file_), ResultsError);
  std::ofstream(file_) << "no HDF5";
  EXPECT_THROW(recover(file_), ResultsError);
  EXPECT_EQ(read_whole(file_), "no HDF5");
}

}  // namespace
}  // namespace trammel::io::recover_test

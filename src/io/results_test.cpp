#include "io/results.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "io/results_hdf5.h"

// Whether the leak checker, where there is one, leaves this process alone: it asks by this
// function.
static bool leaks_are_known = false;
extern "C" int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off() { return leaks_are_known; }

namespace trammel::io::results_test {
namespace {

namespace fs = std::filesystem;

class Results : public testing::Test {
 protected:
  Results() {
    std::string name = (fs::temp_directory_path() / "trammel_results_XXXXXX").string();
    dir_ = mkdtemp(name.data());
  }
  ~Results() override { fs::remove_all(dir_); }
  std::string path(const char* name) const { return (dir_ / name).string(); }

  fs::path dir_;
};

std::vector<Series> two_series() {
  return {{"/bodies/position", "position", {"car", "bögie"}, {"x", "y", "z"}, {"m", "m", "m"}},
          {"/joints/travel", "", {"front", "door"}, {"s"}, {"m", "rad"}},
          {"/ledger", "energy", {""}, {"kinetic", "residual"}, {"J", "J"}}};
}

Header header() {
  return {"format = 1\n",
          "scenes/a.toml",
          "0.1",
          "velocity",
          {{"host", "h"}},
          {{"/model/bodies",
            {"car", "bogie"},
            {"mass", "com_x"},
            {"kg", "m"},
            {1, 2, 3, 4},
            {{"kind", {"rigid", "rigid"}}}},
           {"/model/laws", {}, {}, {}, {}, {{"type", {}}}},
           {"/model/tracks/line", {}, {"s"}, {"m"}, {0, 1, 2}, {}}}};
}

// The number that belongs in a place, so that any mix-up shows.
double expected(std::size_t frame, std::size_t series, std::size_t element) {
  return static_cast<double>(1000 * frame + 100 * series + element) / 7;
}

void write_frame(ResultsWriter& writer, const std::vector<Series>& series, std::size_t frame) {
  static std::vector<double> row;
  writer.append_frame(0.01 * static_cast<double>(frame));
  for (std::size_t i = 0; i < series.size(); ++i) {
    row.resize(series[i].width());
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = expected(frame, i, j);
    writer.append(i, row);
  }
}

void expect_frames(const ResultsReader& reader) {
  const std::vector<double> time = reader.time();
  ASSERT_EQ(time.size(), reader.frames());
  for (std::size_t n = 0; n < time.size(); ++n)
    ASSERT_EQ(time[n], 0.01 * static_cast<double>(n)) << n;
  for (std::size_t i = 0; i < reader.series().size(); ++i) {
    const std::vector<double> rows = reader.read_rows(i, 0, reader.frames());
    const std::size_t width = reader.series()[i].width();
    ASSERT_EQ(rows.size(), width * reader.frames());
    for (std::size_t k = 0; k < rows.size(); ++k)
      ASSERT_EQ(rows[k], expected(k / width, i, k % width)) << "series " << i << " at " << k;
  }
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const ResultsError& error) {
    return error.what();
  }
  return "no error";
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(Results, ComeBackAsWritten) {
  const std::vector<Series> series = two_series();
  {
    ResultsWriter writer(path("r.h5"), header(), series);
    for (std::size_t n = 0; n < 5000; ++n) write_frame(writer, series, n);
    writer.append_event({1.5, "impact", "car", "hit the buffer", -3, "J"});
    writer.close();
  }
  const ResultsReader reader(path("r.h5"));
  EXPECT_EQ(reader.frames(), 5000u);
  EXPECT_TRUE(reader.finished());
  expect_frames(reader);
  EXPECT_EQ(reader.header().scene_text, header().scene_text);
  EXPECT_EQ(reader.header().scene_path, header().scene_path);
  EXPECT_EQ(reader.header().version, "0.1");
  EXPECT_EQ(reader.header().formulation, "velocity");
  EXPECT_EQ(reader.header().attributes, header().attributes);
  EXPECT_EQ(reader.header().constants, header().constants);
  ASSERT_EQ(reader.series().size(), series.size());
  for (std::size_t i = 0; i < series.size(); ++i) {
    EXPECT_EQ(reader.series()[i].path, series[i].path);
    EXPECT_EQ(reader.series()[i].quantity, series[i].quantity);
    EXPECT_EQ(reader.series()[i].items, series[i].items);
    EXPECT_EQ(reader.series()[i].columns, series[i].columns);
    EXPECT_EQ(reader.series()[i].units, series[i].units);
  }
  const std::vector<Event> events = reader.events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].t, 1.5);
  EXPECT_EQ(events[0].kind, "impact");
  EXPECT_EQ(events[0].subject, "car");
  EXPECT_EQ(events[0].text, "hit the buffer");
  EXPECT_EQ(events[0].value, -3);
  EXPECT_EQ(events[0].unit, "J");
}

TEST_F(Results, ChannelsHaveNamesAndUnits) {
  const std::vector<Series> series = two_series();
  ResultsWriter writer(path("r.h5"), header(), series);
  for (std::size_t n = 0; n < 10; ++n) write_frame(writer, series, n);
  writer.close();
  const ResultsReader reader(path("r.h5"));
  std::string all;
  for (const Channel& c : reader.channels()) all += c.name + "[" + c.unit + "] ";
  EXPECT_EQ(all,
            "time[s] car.position.x[m] car.position.y[m] car.position.z[m] bögie.position.x[m] "
            "bögie.position.y[m] bögie.position.z[m] front.s[m] door.s[rad] energy.kinetic[J] "
            "energy.residual[J] ");
  EXPECT_EQ(reader.read("bögie.position.y")[3], expected(3, 0, 4));
  EXPECT_EQ(reader.read("door.s")[9], expected(9, 1, 1));
  EXPECT_EQ(reader.read(reader.find("energy.residual"), 4, 2),
            (std::vector{expected(4, 2, 1), expected(5, 2, 1)}));
  EXPECT_HAS(error_of([&] { reader.read("car.postion.x"); }),
             "no channel 'car.postion.x'; did you mean 'car.position.x'?");
}

TEST_F(Results, RowNotGivenIsNaN) {
  ResultsWriter writer(path("r.h5"), header(), two_series());
  writer.append_frame(0);
  writer.append(1, std::vector{1.0, 2.0});
  writer.close();
  const ResultsReader reader(path("r.h5"));
  EXPECT_EQ(reader.read("front.s")[0], 1);
  EXPECT_TRUE(std::isnan(reader.read("car.position.x")[0]));
}

TEST_F(Results, EmptySeriesAndNoFramesAreFine) {
  ResultsWriter writer(path("r.h5"), {}, {{"/joints/travel", "", {}, {"s"}, {"m"}}});
  writer.append_frame(1);
  writer.append(0, {});
  writer.close();
  EXPECT_EQ(ResultsReader(path("r.h5")).channels().size(), 1u);
  ResultsWriter(path("none.h5"), {}, two_series()).close();
  EXPECT_EQ(ResultsReader(path("none.h5")).frames(), 0u);
  EXPECT_TRUE(ResultsReader(path("none.h5")).time().empty());
}

TEST_F(Results, LongEventTextsAreCutBetweenCharacters) {
  ResultsWriter writer(path("r.h5"), header(), two_series());
  const std::string kind(31, 'k'), cut = std::string(30, 'k') + "ö";
  for (int i = 0; i < 300; ++i) writer.append_event({0, i % 2 ? kind : cut, "", "", 0, ""});
  writer.close();
  const std::vector<Event> events = ResultsReader(path("r.h5")).events();
  ASSERT_EQ(events.size(), 300u);
  EXPECT_EQ(events[1].kind, kind);
  EXPECT_EQ(events[298].kind, std::string(30, 'k'));
}

// The reader is another process, begun before this one has the file open.
TEST_F(Results, AreReadableWhileTheyGrow) {
  const std::vector<Series> series = two_series();
  int go[2], seen[2];
  ASSERT_EQ(pipe(go) + pipe(seen), 0);
  const pid_t child = fork();
  if (child == 0) {
    char byte = 0;
    if (read(go[0], &byte, 1) != 1) _exit(2);
    ResultsReader reader(path("r.h5"));
    const bool good = reader.frames() == 10 && !reader.finished();
    if (write(seen[1], &byte, 1) != 1) _exit(2);
    for (int i = 0; i < 500 && reader.frames() < 3000; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      reader.refresh();
      expect_frames(reader);
    }
    _exit(good && reader.frames() == 3000 && !testing::Test::HasFailure() ? 0 : 1);
  }
  ResultsWriter writer(path("r.h5"), header(), series, 1e9);
  for (std::size_t n = 0; n < 10; ++n) write_frame(writer, series, n);
  writer.flush();
  char byte = 0;
  ASSERT_EQ(write(go[1], &byte, 1), 1);
  ASSERT_EQ(read(seen[0], &byte, 1), 1);
  for (std::size_t n = 10; n < 3000; ++n) {
    write_frame(writer, series, n);
    if (n % 100 == 0) writer.flush();
  }
  writer.flush();
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(Results, FlushByTheClock) {
  const std::vector<Series> series = two_series();
  ResultsWriter writer(path("r.h5"), header(), series, 0.02);
  write_frame(writer, series, 0);
  EXPECT_EQ(ResultsReader(path("r.h5")).frames(), 0u);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  write_frame(writer, series, 1);
  EXPECT_EQ(ResultsReader(path("r.h5")).frames(), 1u);
}

// Blocks may be in the datasets before all is flushed; until then nobody may count on them.
TEST_F(Results, FramesCountOnceFlushed) {
  const std::vector<Series> series = two_series();
  ResultsWriter writer(path("r.h5"), header(), series, 1e9);
  for (std::size_t n = 0; n < 5000; ++n) write_frame(writer, series, n);
  EXPECT_EQ(ResultsReader(path("r.h5")).frames(), 0u);
  writer.flush();
  EXPECT_EQ(ResultsReader(path("r.h5")).frames(), 5000u);
}

// The child reports each flush through a pipe; whatever it reported must be there after the kill.
std::size_t write_until_killed(const std::string& path, int microseconds) {
  int ends[2];
  if (pipe(ends) != 0) return 0;
  const pid_t child = fork();
  if (child == 0) {
    const std::vector<Series> series = two_series();
    ResultsWriter writer(path, header(), series, 1e9);
    for (std::size_t n = 0;; ++n) {
      write_frame(writer, series, n);
      if (n % 37) continue;
      writer.flush();
      const std::size_t frames = n + 1;
      if (write(ends[1], &frames, sizeof frames) < 0) _exit(1);
    }
  }
  close(ends[1]);
  std::size_t frames = 0, last = 0;
  if (read(ends[0], &last, sizeof last) > 0) frames = last;  // it has begun
  usleep(static_cast<useconds_t>(microseconds));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  while (read(ends[0], &last, sizeof last) > 0) frames = last;
  close(ends[0]);
  return frames;
}

TEST_F(Results, SurviveKill) {
  for (int trial = 0; trial < 12; ++trial) {
    const std::string file = path(fmt::format("r{}.h5", trial).c_str());
    const std::size_t flushed = write_until_killed(file, 700 * trial * trial);
    ASSERT_GT(flushed, 0u);
    const ResultsReader reader(file);
    EXPECT_GE(reader.frames(), flushed);
    EXPECT_FALSE(reader.finished());
    expect_frames(reader);
  }
}

// A kill may cut a write(2) at the border of a page: what HDF5 changes in place must not lie across
// one. Object headers (version 2, HDF5 File Format Specification IV.A.1.b) change with every row.
TEST_F(Results, HeadersLieWithinPages) {
  Series many{"/bodies/position", "position", std::vector<std::string>(500, "b"), {"x"}, {"m"}};
  std::vector<Series> series(5, many);
  for (std::size_t i = 0; i < series.size(); ++i) series[i].path += std::to_string(i);
  ResultsWriter(path("r.h5"), {}, series).close();
  std::ifstream in(path("r.h5"), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  int headers = 0;
  for (std::size_t at = 0; (at = bytes.find("OHDR", at)) != std::string::npos; ++at, ++headers) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes.at(i)); };
    const unsigned flags = byte(at + 5);
    const std::size_t prefix = 6 + (flags & 0x20 ? 16u : 0u) + (flags & 0x10 ? 4u : 0u);
    std::size_t size = 0;
    for (unsigned i = 1u << (flags & 3); i-- > 0;) size = size << 8 | byte(at + prefix + i);
    const std::size_t end = at + prefix + (1u << (flags & 3)) + size + 4;
    EXPECT_EQ(at / 4096, (end - 1) / 4096) << "from " << at << " to " << end;
  }
  EXPECT_GE(headers, 5 + 4);
}

TEST_F(Results, RecoverAfterKill) {
  const std::size_t flushed = write_until_killed(path("r.h5"), 10000);
  const ResultsReader broken(path("r.h5"));
  ResultsWriter writer(path("whole.h5"), broken.header(), broken.series());
  EXPECT_GE(broken.frames(), flushed);
  copy_frames(broken, writer, broken.frames(), broken.events().size());
  writer.close();
  const ResultsReader whole(path("whole.h5"));
  EXPECT_TRUE(whole.finished());
  EXPECT_EQ(whole.frames(), broken.frames());
  EXPECT_EQ(whole.header().scene_text, header().scene_text);
  expect_frames(whole);
}

TEST_F(Results, CopyTakesTheFirstFramesAndEvents) {
  const std::vector<Series> series = two_series();
  ResultsWriter writer(path("r.h5"), header(), series);
  for (std::size_t n = 0; n < 10; ++n) write_frame(writer, series, n);
  for (double t : {0.01, 0.05, 0.07}) writer.append_event({t, "k", "", "", 0, ""});
  writer.close();
  ResultsWriter copy(path("c.h5"), header(), series);
  copy_frames(ResultsReader(path("r.h5")), copy, 6, 2);
  copy.close();
  EXPECT_EQ(ResultsReader(path("c.h5")).frames(), 6u);
  EXPECT_EQ(ResultsReader(path("c.h5")).events().size(), 2u);
}

TEST_F(Results, WriteErrorsSayWhy) {
  const auto create = [&](const std::string& file) {
    return error_of([&] { ResultsWriter(file, header(), two_series()); });
  };
  EXPECT_HAS(create(path("no/r.h5")), "No such file or directory");
  EXPECT_HAS(create("/proc/r.h5"), "/proc/r.h5: cannot create the results file: ");
  std::ofstream(path("r.h5")) << "x";
  EXPECT_HAS(create(path("r.h5")), "r.h5: cannot create the results file: File exists");
  EXPECT_HAS(error_of([&] {
               ResultsWriter(path("u.h5"), {}, {{"/a", "", {"i"}, {"x", "y"}, {"m"}}});
             }),
             "/a has 1 units for 1 items of 2 columns");
}

TEST_F(Results, ReadErrorsSayWhy) {
  const auto open = [&](const char* name) { return error_of([&] { ResultsReader(path(name)); }); };
  EXPECT_HAS(open("none.h5"), "none.h5: cannot open the results file: No such file or directory");
  std::ofstream(path("text.h5")) << "not HDF5 at all";
  EXPECT_HAS(open("text.h5"), "text.h5: cannot open the results file: ");
}

TEST_F(Results, RefuseAnotherSchemaOrVersion) {
  const auto refuse = [&](const char* name, const char* schema, int version) {
    {
      const h5::File file{
          path(name),
          {H5Fcreate(path(name).c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), H5Fclose}};
      h5::write_attribute(file, file.id.get(), "schema", std::string(schema));
      h5::write_attribute(file, file.id.get(), "schema_version", version);
    }
    return error_of([&] { ResultsReader(path(name)); });
  };
  EXPECT_HAS(refuse("a.h5", "energyplus", 1), "this is not a results file of Trammel");
  EXPECT_HAS(refuse("b.h5", "trammel-results", 1),
             "its schema version is 1, this Trammel reads version 2");
}

/// Bytes of a file.
std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string as_bytes(double x) {
  std::string out(sizeof x, '\0');
  std::memcpy(out.data(), &x, sizeof x);
  return out;
}

/// The file with one bit changed in the one place that holds these bytes.
void flip(const std::string& from, const std::string& to, const std::string& where, int bit) {
  std::string bytes = bytes_of(from);
  const std::size_t at = bytes.find(where);
  ASSERT_NE(at, std::string::npos);
  ASSERT_EQ(bytes.find(where, at + 1), std::string::npos);
  bytes[at + static_cast<std::size_t>(bit) / 8] ^= static_cast<char>(1 << bit % 8);
  std::ofstream(to, std::ios::binary) << bytes;
}

TEST_F(Results, DamageIsNamedWithDatasetAndTime) {
  const std::vector<Series> series = two_series();
  ResultsWriter writer(path("r.h5"), header(), series);
  for (std::size_t n = 0; n < 3000; ++n) write_frame(writer, series, n);
  writer.append_event({1.5, "impact", "car", "hit the buffer", -3, "J"});
  writer.close();
  const auto error = [&](const std::string& where, int bit) {
    flip(path("r.h5"), path("d.h5"), where, bit);
    return error_of([&] {
      const ResultsReader reader(path("d.h5"));
      expect_frames(reader);
      reader.events();
    });
  };
  for (const int bit : {0, 13, 63}) {
    EXPECT_HAS(error(as_bytes(expected(2000, 0, 4)), bit),
               "d.h5: /bodies/position is damaged at t = 20 s (frame 2001 of 3000): its checksum");
    EXPECT_HAS(error(as_bytes(0.01 * 1234), bit), "/time is damaged (frame 1235 of 3000)");
    EXPECT_HAS(error("hit the buffer", bit), "/events is damaged");
    EXPECT_HAS(error("format = 1", bit), "the scene or an attribute of the root is damaged");
    EXPECT_HAS(error(as_bytes(2) + as_bytes(3), bit), "/model/bodies is damaged");
  }
  EXPECT_NE(error("scenes/a.toml", 3), "no error");
  EXPECT_NE(error("energy", 3), "no error");
}

/// Two rows of one series in each other's place: each is a row that was written.
TEST_F(Results, RowsInEachOthersPlaceAreDamage) {
  const std::vector<Series> series = two_series();
  ResultsWriter writer(path("r.h5"), header(), series);
  for (std::size_t n = 0; n < 100; ++n) write_frame(writer, series, n);
  writer.close();
  std::string bytes = bytes_of(path("r.h5"));
  const std::size_t one = bytes.find(as_bytes(expected(10, 0, 0))),
                    two = bytes.find(as_bytes(expected(20, 0, 0)));
  ASSERT_NE(one, std::string::npos);
  std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(one),
                   bytes.begin() + static_cast<std::ptrdiff_t>(one + 48),
                   bytes.begin() + static_cast<std::ptrdiff_t>(two));
  std::ofstream(path("d.h5"), std::ios::binary) << bytes;
  const ResultsReader reader(path("d.h5"));
  EXPECT_EQ(reader.read("front.s").size(), 100u);  // of another series
  EXPECT_HAS(error_of([&] { reader.read("car.position.y"); }), "at t = 0.1 s (frame 11 of 100)");
  EXPECT_EQ(reader.read(reader.find("car.position.y"), 21, 79)[0], expected(21, 0, 1));
}

/// Texts end with a zero where they are kept.
TEST_F(Results, TextsWithAZeroEndThere) {
  Header h = header();
  h.attributes["title"] = std::string("a\0b", 3);
  ResultsWriter(path("r.h5"), h, two_series()).close();
  EXPECT_EQ(ResultsReader(path("r.h5")).header().attributes.at("title"), "a");
}

TEST_F(Results, HoldManyItems) {
  Series many{"/bodies/position", "position", {}, {"x"}, {"m"}};
  for (int i = 0; i < 100000; ++i) many.items.push_back("body number " + std::to_string(i));
  ResultsWriter writer(path("r.h5"), {}, {many});
  std::vector<double> row(many.items.size());
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<double>(i);
  for (int n = 0; n < 3; ++n) {
    writer.append_frame(n);
    writer.append(0, row);
  }
  writer.close();
  const ResultsReader reader(path("r.h5"));
  EXPECT_EQ(reader.series()[0].items, many.items);
  EXPECT_EQ(reader.read("body number 77777.position.x"), std::vector<double>(3, 77777));
}

// In a child with a small file system of its own; exit code 77: not allowed here.
int fill_disk(const std::string& disk) {
  const std::string file = disk + "/r.h5";
  const auto bytes = [&] {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  std::string left;
  const std::string user = std::to_string(getuid()), group = std::to_string(getgid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return 77;
  std::ofstream("/proc/self/uid_map") << "0 " + user + " 1";
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/gid_map") << "0 " + group + " 1";
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=600k") != 0) return 77;
  const std::vector<Series> series = two_series();
  {
    ResultsWriter writer(file, header(), series, 1e9);
    for (std::size_t n = 0; n < 50; ++n) write_frame(writer, series, n);
    writer.flush();
    const std::string error = error_of([&] {
      for (std::size_t n = 50; n < 100000; ++n) write_frame(writer, series, n);
    });
    if (error.find("No space left on device") == std::string::npos) return 1;
    if (error_of([&] { writer.append_frame(0); }).find("after an error") == std::string::npos)
      return 2;
    left = bytes();
  }
  if (bytes() != left) return 6;  // closing after a failure must not make it worse
  const ResultsReader reader(file);
  expect_frames(reader);
  if (reader.frames() < 50 || reader.finished() || testing::Test::HasFailure()) return 3;
  std::ofstream(disk + "/rest") << std::string(600000, 'x');  // the last free pages
  const std::string again =
      error_of([&] { ResultsWriter(disk + "/s.h5", header(), series).close(); });
  if (again.find("No space left on device") == std::string::npos) return 4;
  return fs::exists(disk + "/s.h5") ? 5 : 0;  // no stub is left
}

/// The exit status of a program whose files may not grow beyond `size` bytes while it writes
/// results: code 3 if nothing failed, 4 if the error names the cause, 5 otherwise.
int status_with_room(rlim_t size, const std::string& file) {
  const pid_t child = fork();
  if (child == 0) {
    leaks_are_known = true;  // HDF5's free lists, which take long to be known for its own
    signal(SIGXFSZ, SIG_IGN);
    const rlimit low{size, size};
    setrlimit(RLIMIT_FSIZE, &low);
    const std::string error = error_of([&] {
      ResultsWriter writer(file, header(), two_series());
      for (std::size_t n = 0; n < 400; ++n) write_frame(writer, two_series(), n);
      writer.close();
    });
    std::exit(error == "no error" ? 3 : error.find("File too large") != error.npos ? 4 : 5);
  }
  int status = 0;
  waitpid(child, &status, 0);
  fs::remove(file);
  return status;
}

/// An error says so, and the program comes through its end: at any size, and at whole pages, where
/// the file as it is created just fits and the first block of frames does not.
TEST_F(Results, NoRoomWhileTheFileIsMadeIsTold) {
  constexpr rlim_t kAny = 5077, kPage = 4096, kMost = 240000;
  int told = 0;
  for (const rlim_t step : {kAny, kPage})
    for (rlim_t size = 0; size < kMost; size += step) {
      const int status = status_with_room(size, path("r.h5"));
      ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status) << " at " << size;
      EXPECT_LE(WEXITSTATUS(status), 4) << size;
      told += WEXITSTATUS(status) == 4;
    }
  EXPECT_GT(told, 5);
}

TEST_F(Results, FullDiskIsToldAndLeavesWhatWasFlushed) {
  const pid_t child = fork();
  if (child == 0) {
    int code = 9;
    const std::string error = error_of([&] { code = fill_disk(dir_.string()); });
    if (code == 9) fprintf(stderr, "%s\n", error.c_str());
    H5close();  // it must come through its end too
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "no private mounts here";
  EXPECT_EQ(status, 0) << "exit code " << WEXITSTATUS(status);
}

}  // namespace
}  // namespace trammel::io::results_test

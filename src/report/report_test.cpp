#include "report/report.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <numeric>

#include "report/frames.h"
#include "report/packed.h"
#include "report/page.h"
#include "report/scene.h"

namespace trammel::report::report_test {

namespace fs = std::filesystem;

constexpr char kScene[] = R"(format = 1
name = "swing"
[simulation]
duration = "1 s"
step = "1 ms"
[parameters]
L = 1.0
[[body]]
name = "bob"
solids = [{cylinder = {radius = 0.2, length = 0.6, axis = [1, 0, 0]}, position = [0.15, 0, 0], mass = "2 kg"},
  {point = [0, 0, 0.1], mass = "1 gram"}]
position = ["L", 0, 0]
[[joint]]
name = "pivot"
type = "revolute"
b = "bob"
at = [0, 0, 0]
)";

/// Results of `frames` frames that are told by formula, in a folder of their own.
class Reports : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "trammel_report_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  static double value(std::size_t frame, std::size_t series, std::size_t k) {
    return std::sin(0.1 * static_cast<double>(frame) + static_cast<double>(k)) *
           std::pow(10, static_cast<double>(series));
  }
  io::ResultsReader results(std::size_t frames, const std::string& scene = kScene,
                            std::size_t wide = 3) const {
    const std::string file = (folder_ / "results.h5").string();
    io::Header header{scene, "swing.toml", "0", "velocity", {{"name", "swing"}}};
    std::vector<std::string> items(wide);
    for (std::size_t i = 0; i < wide; ++i) items[i] = "i" + std::to_string(i);
    io::ResultsWriter writer(
        file, header,
        {{"/bodies/position", "position", {"bob"}, {"x", "y", "z"}, {"m", "m", "m"}},
         {"/wide", "", items, {"f"}, {"N"}}});
    for (std::size_t f = 0; f < frames; ++f) {
      writer.append_frame(1e-3 * static_cast<double>(f));
      for (const std::size_t s : {std::size_t{0}, std::size_t{1}}) {
        std::vector<double> row(s == 0 ? 3 : wide);
        for (std::size_t k = 0; k < row.size(); ++k) row[k] = value(f, s, k);
        writer.append(s, row);
      }
    }
    writer.append_event({0.5, "warning", "bob", "<b>\"it\"</b>", 1, "m"});
    writer.close();
    return io::ResultsReader(file);
  }
  fs::path folder_;
};

std::string from_base64(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  int n = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                                             : 63;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if ((n += 6) >= 8) out += static_cast<char>(bits >> (n -= 8) & 255);
  }
  return out;
}

/// What a browser makes of a page.
struct Opened {
  std::string header, data;

  explicit Opened(const std::string& html) {
    const std::string_view begin = "<script id=\"run\" type=\"text/plain\">";
    const std::size_t from = html.find(begin) + begin.size();
    const std::string packed =
        from_base64(std::string_view(html).substr(from, html.find('<', from) - from));
    std::string all(1 << 24, '\0');
    uLongf size = all.size();
    EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(all.data()), &size,
                         reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
              Z_OK);
    all.resize(size);
    EXPECT_EQ(all.substr(0, 8), "TRAMMEL1");
    std::uint32_t length = 0;
    std::memcpy(&length, all.data() + 8, 4);
    header = all.substr(12, length);
    data = all.substr(12 + length);
  }
  template <class T>
  std::vector<T> array(std::size_t offset, std::size_t n) const {
    std::vector<T> out(n);
    for (std::size_t i = 0; i < n; ++i) {
      char bytes[sizeof(T)];
      for (std::size_t k = 0; k < sizeof(T); ++k) bytes[k] = data.at(offset + k * n + i);
      std::memcpy(&out[i], bytes, sizeof(T));
    }
    return out;
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Reports, DecodeBackToTheResults) {
  const Report made = make(results(50), {});
  EXPECT_EQ(made.frames, 50u);
  EXPECT_EQ(made.no_shapes, "");
  EXPECT_TRUE(made.left_out.empty());
  const Opened page(made.html);
  const auto time = page.array<double>(0, 50);
  const auto position = page.array<float>(8 * 50, 3 * 50);
  const auto wide = page.array<float>(8 * 50 + 4 * 3 * 50, 3 * 50);
  for (std::size_t f = 0; f < 50; ++f) {
    EXPECT_EQ(time[f], 1e-3 * static_cast<double>(f));
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(position[k * 50 + f], static_cast<float>(value(f, 0, k)));
      EXPECT_EQ(wide[k * 50 + f], static_cast<float>(value(f, 1, k)));
    }
  }
  for (const char* part : {"\"warning\"", "<b>\\\"it\\\"</b>", "\"swing\"", "\"every\": 1"})
    EXPECT_TRUE(has(page.header, part)) << part;
}

TEST_F(Reports, AreThePageOfTheViewer) {
  const Report made = make(results(3), {});
  EXPECT_EQ(std::string_view(page()).find(kPlace) == std::string_view::npos, false);
  EXPECT_FALSE(has(made.html, std::string(kPlace)));
  EXPECT_EQ(made.html.substr(0, 15), "<!doctype html>");
}

TEST_F(Reports, KeepTheFirstAndTheLastFrameWhereTheyAreThinned) {
  EXPECT_EQ(kept_frames(7, 3), (std::vector<std::size_t>{0, 3, 6}));
  EXPECT_EQ(kept_frames(8, 3), (std::vector<std::size_t>{0, 3, 6, 7}));
  EXPECT_TRUE(kept_frames(0, 3).empty());
}

TEST_F(Reports, StayBelowTheirSize) {
  Options options;
  options.most_bytes = static_cast<double>(page().size()) + 40e3;
  const Report made = make(results(20000), options);
  EXPECT_LE(static_cast<double>(made.html.size()), options.most_bytes);
  EXPECT_GE(static_cast<double>(made.html.size()), options.most_bytes - 25e3);  // and use it
  EXPECT_GE(made.frames, 200u);
  EXPECT_LT(made.frames, 20000u);
  EXPECT_EQ(made.frames_of_run, 20000u);
  const Opened page(made.html);
  EXPECT_DOUBLE_EQ(page.array<double>(0, made.frames).back(), 19.999);
}

TEST_F(Reports, LeaveOutWhatNoPictureNeedsBeforeFramesGetFew) {
  Options options;
  options.most_bytes = static_cast<double>(page().size()) + 40e3;
  const Report made = make(results(400, kScene, 2000), options);
  EXPECT_EQ(made.left_out, std::vector<std::string>{"/wide"});
  EXPECT_EQ(made.frames, 400u);
}

TEST_F(Reports, OfARunWithoutFramesAreAPage) {
  const Report made = make(results(0), {});
  EXPECT_EQ(made.frames, 0u);
  EXPECT_TRUE(has(Opened(made.html).header, "\"trammel-report\""));
}

TEST_F(Reports, ShowShapesAndFreeAxes) {
  const io::ResultsReader from = results(1);
  const Shown scene = shown(from.header());
  EXPECT_EQ(scene.problem, "");
  ASSERT_EQ(scene.shapes.at("bob").size(), 2u);
  const Shape& round = scene.shapes.at("bob")[0];
  EXPECT_EQ(body::name_of(round.solid), "cylinder");
  EXPECT_EQ(round.solid.size, Vec3(0.2, 0.6, 0));
  EXPECT_NEAR((round.X_BS.p - Vec3(0.15, 0, 0)).norm(), 0, 1e-15);
  ASSERT_EQ(scene.freedom.at("pivot").size(), 1u);
  EXPECT_EQ(scene.freedom.at("pivot")[0].row, "atan2(Az.By, Ay.By)");
  EXPECT_EQ(scene.freedom.at("pivot")[0].unit, "rad");
}

/// Shapes for looking take the place of solids, in their own colour or the body's.
TEST_F(Reports, ShowWhatThingsLookLike) {
  const std::string scene =
      std::string(kScene) +
      "[[body]]\nname = \"plain\"\nmass = 1\nsphere = 1\ncolor = \"sky\"\n"
      "[[body]]\nname = \"dressed\"\nmass = 1\nsphere = 1\ncolor = \"green\"\n"
      "[[body.shape]]\nbox = [1, 2, 3]\ntext = \"hull\"\n"
      "[[body.shape]]\npoint = [1, 0, 0]\ncolor = \"#ABCDEF\"\n"
      "[[scenery]]\nmesh = {vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces = [[0, 1, 2]]}\n";
  const io::ResultsReader from = results(1, scene);
  const Shown all = shown(from.header());
  ASSERT_EQ(all.problem, "");
  EXPECT_EQ(all.shapes.at("bob")[0].color, "");
  EXPECT_EQ(all.colors,
            (std::map<std::string, std::string>{{"plain", "#56b4e9"}, {"dressed", "#009e73"}}));
  EXPECT_EQ(all.shapes.at("plain").at(0).color, "#56b4e9");
  const std::vector<Shape>& dressed = all.shapes.at("dressed");
  ASSERT_EQ(dressed.size(), 2u);
  EXPECT_EQ(dressed[0].solid.size, Vec3(1, 2, 3));
  EXPECT_EQ(dressed[0].color, "#009e73");
  EXPECT_EQ(dressed[0].text, "hull");
  EXPECT_EQ(dressed[1].color, "#abcdef");
  EXPECT_TRUE(all.scenery.at(0).mesh);
  const std::string head = Opened(make(from, {}).html).header;
  EXPECT_TRUE(has(head, "\"scenery\": [")) << head;
  EXPECT_TRUE(has(head, "\"triangles\"")) << head;
}

TEST_F(Reports, HaveThePlotsOfTheirScene) {
  const io::ResultsReader from =
      results(1, std::string(kScene) +
                     "[[plot]]\nname = \"ride\"\ntitle = \"A ride\"\nx = \"pivot.angle\"\n"
                     "y = [\"bob.position.x, bob.position.y\", \"bob.speed\"]\n");
  const std::string head = Opened(make(from, {}).html).header;
  for (const char* part : {"\"plots\": [", "\"title\": \"A ride\"", "\"x\": \"pivot.angle\"",
                           "\"bob.position.x, bob.position.y\"", "\"bob.speed\""})
    EXPECT_TRUE(has(head, part)) << part << head;
}

TEST_F(Reports, SayWhyThereAreNoShapes) {
  const Report made = make(results(2, "format = 1\nnonsense = 3\n"), {});
  EXPECT_TRUE(has(made.no_shapes, "nonsense")) << made.no_shapes;
  EXPECT_TRUE(has(Opened(made.html).header, "nonsense"));
}

TEST_F(Reports, FollowWhatTheCommandLineChanged) {
  io::Header header{kScene,
                    "swing.toml",
                    "0",
                    "velocity",
                    {{"overrides", "parameters.L=2\nbody.bob.position=[\"L\", 0, 0]"}}};
  EXPECT_EQ(shown(header).problem, "");
  header.attributes["overrides"] = "parameters.nosuch=2";
  EXPECT_NE(shown(header).problem, "");
}

TEST(Base64, IsThatOfRfc4648) {
  for (const auto& [plain, text] : std::vector<std::pair<std::string, std::string>>{
           {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}})
    EXPECT_EQ(to_base64(plain), text);
  std::string all(256, '\0');
  std::iota(all.begin(), all.end(), '\0');
  EXPECT_EQ(from_base64(to_base64(all)), all);
}

}  // namespace trammel::report::report_test

#include "plot/png.h"

#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "plot/canvas.h"
#include "plot/figure.h"

namespace trammel::plot::png_test {
namespace {

namespace fs = std::filesystem;

struct Picture {
  std::size_t width, height;
  std::vector<unsigned char> rgb;
  std::vector<int> at(std::size_t x, std::size_t y) const {
    const auto* p = &rgb[3 * (y * width + x)];
    return {p[0], p[1], p[2]};
  }
};

// Read by the library's own decoder.
Picture decoded(const std::string& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_TRUE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()));
  image.format = PNG_FORMAT_RGB;
  Picture out{image.width, image.height, std::vector<unsigned char>(PNG_IMAGE_SIZE(image))};
  EXPECT_TRUE(png_image_finish_read(&image, nullptr, out.rgb.data(), 0, nullptr));
  return out;
}

Fonts fonts() {
  const auto found = find_fonts();
  EXPECT_TRUE(found) << usual_fonts();
  return found.value_or(Fonts{});
}

const std::vector<int> kWhite{255, 255, 255};

TEST(Canvas, LinesCoverWhatTheyAreWide) {
  Canvas canvas(20, 10, "#ffffff");
  canvas.stroke({{{{2, 5}, {18, 5}}}, {"#000000", 2}}, 1);
  const auto grey = [&](std::size_t x, std::size_t y) { return canvas.rgb()[3 * (y * 20 + x)]; };
  EXPECT_EQ(grey(10, 4), 0);
  EXPECT_EQ(grey(10, 5), 0);
  EXPECT_EQ(grey(10, 3), 255);
  EXPECT_EQ(grey(10, 6), 255);
  Canvas thin(20, 10, "#ffffff");
  thin.stroke({{{{2, 5}, {18, 5}}}, {"#000000", 1}}, 1);  // between two rows: half of each
  EXPECT_NEAR(thin.rgb()[3 * (4 * 20 + 10)], 128, 1);
  EXPECT_NEAR(thin.rgb()[3 * (5 * 20 + 10)], 128, 1);
}

// The sum of what is painted is the area, whatever the slope.
TEST(Canvas, LinesAndAreasHaveTheirSize) {
  const auto painted = [](const Canvas& canvas) {
    double sum = 0;
    for (std::size_t i = 0; i < canvas.rgb().size(); i += 3) sum += (255 - canvas.rgb()[i]) / 255.0;
    return sum;
  };
  for (const Point to : {Point{80, 13}, Point{31, 77}, Point{60, 60}}) {
    Canvas canvas(100, 100, "#ffffff");
    canvas.stroke({{{{10, 10}, to}}, {"#000000", 3}}, 1);
    const double length = std::hypot(to.x - 10, to.y - 10);
    EXPECT_NEAR(painted(canvas), 3 * length + 9 * 3.1416 / 4, 0.03 * 3 * length);
  }
  Canvas canvas(100, 100, "#ffffff");
  canvas.fill({{{10.3, 10.6}, {80.1, 20.2}, {30.7, 90.4}}, "#000000"}, 1);
  EXPECT_NEAR(painted(canvas), 0.5 * std::abs(69.8 * 79.8 - 9.6 * 20.4), 5);
  Canvas half(100, 100, "#ffffff");
  half.fill({{{0, 0}, {100, 0}, {100, 100}, {0, 100}}, "#000000", 0.5}, 1);
  EXPECT_NEAR(half.rgb()[15000], 128, 1);
}

TEST(Canvas, WhatIsOutsideIsLeftOut) {
  Canvas canvas(10, 10, "#ffffff");
  canvas.stroke({{{{-1e6, -1e6}, {1e6, 1e6}}, {{-50, 3}, {-20, 3}}}, {"#0072b2", 2}}, 1);
  canvas.fill({{{-5, -5}, {3, -5}, {3, 3}, {-5, 3}}, "#0072b2"}, 1);
  const unsigned char grey[] = {255, 255, 255, 255};
  canvas.stamp(grey, 2, 2, 2, 9, 9, "#0072b2");
  canvas.stamp(grey, 2, 2, 2, -1, -1, "#0072b2");
  EXPECT_EQ(canvas.rgb()[0], 0);
  EXPECT_EQ(canvas.rgb()[3 * 99], 0);
  EXPECT_EQ(canvas.rgb()[3 * 90], 255);
}

TEST(Canvas, DashesLeaveTheirShare) {
  const Polyline line{{0, 0}, {30, 0}, {30, 40}};
  double drawn = 0;
  const std::vector<Polyline> parts = dashed(line, {4, 3});
  for (const Polyline& run : parts)
    for (std::size_t i = 1; i < run.size(); ++i)
      drawn += std::hypot(run[i].x - run[i - 1].x, run[i].y - run[i - 1].y);
  EXPECT_NEAR(drawn, 40, 1e-9);  // 10 periods of 7
  EXPECT_GE(parts.size(), 10u);
  EXPECT_EQ(dashed(line, {}).size(), 1u);
}

TEST(Png, HasSizeScaleAndColours) {
  Figure figure{"Wagon", {"time", "s"}, {{{"speed", "m/s"}, {{"", {0, 1}, {2, 2}}}}}};
  figure.width = 400;
  figure.height = 300;
  for (const double scale : {1.0, 2.0}) {
    const Picture p = decoded(to_png(draw(figure), fonts(), scale));
    EXPECT_EQ(p.width, static_cast<std::size_t>(400 * scale));
    EXPECT_EQ(p.height, static_cast<std::size_t>(300 * scale));
    EXPECT_EQ(p.at(0, 0), kWhite);
    std::size_t blue = 0;
    for (std::size_t x = 0; x < p.width; ++x)
      for (std::size_t y = 0; y < p.height; ++y) blue += p.at(x, y)[0] < 90 && p.at(x, y)[2] > 170;
    EXPECT_GT(blue, 300 * scale);  // the line over the panel
  }
}

std::size_t ink(const Picture& p, std::size_t left, std::size_t right) {
  std::size_t out = 0;
  for (std::size_t x = left; x < right; ++x)
    for (std::size_t y = 0; y < p.height; ++y) out += p.at(x, y)[0] < 128;
  return out;
}

TEST(Png, TextsStandWhereTheyShould) {
  Drawing drawing{200, 40, ""};
  drawing.items.emplace_back(Text{{100, 30}, "WWWWW", 16, "#000000", Anchor::end});
  const Picture end = decoded(to_png(drawing, fonts()));
  EXPECT_GT(ink(end, 20, 100), 100u);
  EXPECT_EQ(ink(end, 101, 200), 0u);
  std::get<Text>(drawing.items[0]).anchor = Anchor::start;
  const Picture start = decoded(to_png(drawing, fonts()));
  EXPECT_EQ(ink(start, 0, 99), 0u);
  std::get<Text>(drawing.items[0]).bold = true;
  EXPECT_GT(ink(decoded(to_png(drawing, fonts())), 0, 200), ink(start, 0, 200));
  std::get<Text>(drawing.items[0]).text =
      "\xff\xc3 \u03c9";  // what is no text is no reason to fail
  EXPECT_GT(ink(decoded(to_png(drawing, fonts())), 0, 200), 0u);
}

TEST(Png, FontsAreLookedForAndTheirAbsenceIsSaid) {
  std::string pattern = (fs::temp_directory_path() / "trammel_png_XXXXXX").string();
  const std::string folder = mkdtemp(pattern.data());
  const std::string folders[] = {folder};
  EXPECT_FALSE(find_fonts(folders));
  const std::string nowhere[] = {folder + "/none"};
  EXPECT_FALSE(find_fonts(nowhere));
  fs::create_directories(folder + "/truetype");
  const std::string other = folder + "/truetype/FreeSans.ttf";
  std::ofstream(other) << "no font";
  const auto found = find_fonts(folders);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->plain, other);
  EXPECT_EQ(found->bold, other);  // there is no other one
  EXPECT_THROW(to_png({10, 10, ""}, *found), PngError);
  EXPECT_THROW(to_png({10, 10, ""}, {folder + "/x.ttf", folder + "/x.ttf"}), PngError);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace trammel::plot::png_test

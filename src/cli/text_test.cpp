#include <gtest/gtest.h>

#include <cmath>

#include "cli/chart.h"
#include "cli/progress.h"
#include "cli/run_report.h"
#include "cli/text_table.h"
#include "io/json.h"

namespace trammel::cli::text_test {

TEST(Json, WritesNestedValues) {
  io::Json j;
  j.begin('{').field("a", 1).field("list", std::vector<double>{0.1, NAN}).key("o").begin('{').end();
  j.field("text", "a \"b\"\\\n\x01").field("yes", true).end();
  EXPECT_EQ(j.text(),
            "{\n  \"a\": 1,\n  \"list\": [\n    0.1,\n    null\n  ],\n  \"o\": {},\n"
            "  \"text\": \"a \\\"b\\\"\\\\\\n\\u0001\",\n  \"yes\": true\n}\n");
}

TEST(TextTable, AlignsByCharacters) {
  TextTable t("lr");
  t.row({"Jönsson", "1"});
  t.row({"a", "123"});
  EXPECT_EQ(t.text(), "  Jönsson    1\n  a        123\n");
}

TEST(Number, KeepsWholeNumbersAndScalesForces) {
  EXPECT_EQ(number(95000), "95000");
  EXPECT_EQ(number(0.123456789, 4), "0.1235");
  EXPECT_EQ(number(-0.0), "0");
  EXPECT_EQ(shown(117720, "N", 4).text(), "117.7 kN");
  EXPECT_EQ(shown(2.659e7, "J", 4).text(), "26.59 MJ");
  EXPECT_EQ(shown(9999, "N").text(), "9999 N");
  EXPECT_EQ(shown(117720, "rad", 4).text(), "117720 rad");
  EXPECT_EQ(count(1, "body", "bodies"), "1 body");
  EXPECT_EQ(count(0, "joint"), "0 joints");
}

TEST(Progress, FitsTheTerminal) {
  const Progress p{5, 10, 2};
  EXPECT_EQ(plain_line(p), " 50 %  t 5 s of 10 s  2.5x real time  2 s left");
  for (const int columns : {20, 40, 60, 80, 200}) {
    EXPECT_LT(bar_line(p, columns).size(), static_cast<std::size_t>(columns)) << columns;
  }
  const std::string bar = bar_line(p, 120);
  EXPECT_EQ(bar.substr(0, 42), "[" + std::string(20, '=') + std::string(20, ' ') + "]");
}

TEST(Progress, OfNothingDone) { EXPECT_EQ(plain_line({0, 10, 0}), "  0 %  t 0 s of 10 s"); }

std::vector<io::Channel> some_channels() {
  const std::vector<io::Series> series{
      {"/bodies/position", "position", {"car"}, {"x", "y"}, {"m", "m"}},
      {"/joints/coordinates", "", {"front.s", "pivot.angle"}, {""}, {"m", "rad"}}};
  return channels_of(series);
}

TEST(Chart, NamesChannelsLikeResults) {
  std::vector<std::string> names;
  for (const io::Channel& c : some_channels()) names.push_back(c.name + " " + c.unit);
  EXPECT_EQ(names, (std::vector<std::string>{"time s", "car.position.x m", "car.position.y m",
                                             "front.s m", "pivot.angle rad"}));
}

TEST(Chart, RefusesWhatItCannotDraw) {
  const auto channels = some_channels();
  const auto problems = [&](std::string x, std::vector<std::string> y) {
    std::string out;
    for (const Problem& p : check_chart({"p", "", "plot.p", std::move(x), std::move(y)}, channels))
      out += p.path + ": " + p.text + "\n";
    return out;
  };
  EXPECT_EQ(problems("time", {"car.position.x,front.s", "pivot.angle"}), "");
  EXPECT_EQ(problems("front.z", {"front.s"}),
            "plot.p.x: there is no channel 'front.z'; did you mean 'front.s'?\n");
  EXPECT_EQ(problems("time", {"front.s, pivot.angle"}),
            "plot.p.y: 'front.s' is in m, 'pivot.angle' in rad: they cannot share a panel\n");
}

// Of a mechanism at rest next to nothing is moved: what is left over is no part of that.
TEST(RunReport, SaysEnergyInJouleWhereNothingMoves) {
  RunReport r;
  const auto energy = [&](double residual, double moved) {
    r.summary.energy_residual = residual;
    r.summary.energy_scale = moved;
    const std::string text = summary_text(r);
    const auto from = text.find("residual ");
    return text.substr(from, text.find('\n', from) - from);
  };
  EXPECT_EQ(energy(2.5e-9, 1.318e-46), "residual 2.5e-09 J, 1.3e-46 J moved");
  EXPECT_EQ(energy(0, 0), "residual 0.0e+00 of 0 J moved");
  EXPECT_EQ(energy(2e-6, 2000), "residual 1.0e-09 of 2000 J moved");
}

}  // namespace trammel::cli::text_test

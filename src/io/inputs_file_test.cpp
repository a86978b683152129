#include "io/inputs_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace trammel::io::inputs_file_test {

const std::vector<InputColumn> kColumns{{"throttle", "1", 0, 1}, {"slew", "rad/s", -INFINITY, 2}};
const std::string kHead = "t [s],throttle [1],slew [rad/s]\n";

InputRecording read(const std::string& text) {
  const auto out = parse_inputs(text, "drive.csv", kColumns);
  if (const auto* wrong = std::get_if<SceneProblems>(&out))
    throw std::runtime_error(to_text(wrong->front()));
  return std::get<InputRecording>(out);
}

std::string said(const std::string& text) {
  std::string out;
  const auto result = parse_inputs(text, "drive.csv", kColumns);
  if (const auto* wrong = std::get_if<SceneProblems>(&result))
    for (const SceneProblem& p : *wrong) out += to_text(p) + "\n";
  return out;
}

TEST(InputsFile, ComesBackToTheBit) {
  const double third = 1. / 3, far = 12345.678901234567;
  const std::vector<double> a{third, -5e300}, b{0, std::nextafter(2, 0)};
  const std::string text =
      inputs_head(kColumns) + inputs_line(0, a) + inputs_line(far, b) + inputs_stop(far + third);
  EXPECT_EQ(text.substr(0, kHead.size()), kHead);
  const InputRecording all = read(text);
  ASSERT_EQ(all.lines.size(), 2u);
  EXPECT_EQ(all.lines[0].values, a);
  EXPECT_EQ(all.lines[1].values, b);
  EXPECT_EQ(all.lines[1].t, far);
  EXPECT_EQ(all.stop, far + third);
}

TEST(InputsFile, MayComeFromASpreadsheet) {
  const InputRecording all =
      read("\xEF\xBB\xBF" + kHead.substr(0, kHead.size() - 1) + "\r\n0, 1 ,2\r\n\r\n3,0,1e-3");
  ASSERT_EQ(all.lines.size(), 2u);
  EXPECT_EQ(all.lines[0].values, (std::vector<double>{1, 2}));
  EXPECT_EQ(all.lines[1].t, 3);
  EXPECT_TRUE(std::isinf(all.stop));
}

TEST(InputsFile, IsRefusedWithThePlace) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"", "drive.csv:1:1: its first line names columns: t [s],throttle [1],slew [rad/s]"},
      {"t,throttle [1],slew [rad/s]\n", "1:1: its first column is 't [s]'"},
      {"t [s],throtle [1],slew [rad/s]\n",
       "1:7: throtle [1]: the scene has no such input; did you mean 'throttle [1]'?"},
      {"t [s],throtle [1],slew [rad/s]\n", "throttle [1]: this input of the scene is missing"},
      {"t [s],slew [rad/s],throttle [1]\n", "the order is that of the scene: t [s],throttle"},
      {"t [s],throttle [1],slew [deg/s]\n", "1:20: slew [deg/s]: the scene has no such input"},
      {"t [s],slew [rad/s],throttle [1],slew [rad/s]\n", "1:33: slew [rad/s]: it is there twice"},
      {kHead + "0,1\n", "2:1: it has 2 numbers, not 3"},
      {kHead + "0,1,2,3\n", "2:1: it has 4 numbers, not 3"},
      {kHead + "0,0,1\n1,nan,1\n", "drive.csv:3:3: throttle: 'nan' is no number"},
      {kHead + "0,0,inf\n", "2:5: slew: 'inf' is no number"},
      {kHead + "0,0, 1x\n", "2:6: slew: '1x' is no number"},
      {kHead + "0,,1\n", "2:3: throttle: '' is no number"},
      {kHead + "0,1.5,1\n", "2:3: throttle: 1.5 is outside the range of the input, 0 to 1"},
      {kHead + "0,0,1\n0,1,1\n", "3:1: t: times go forward from line to line"},
      {kHead + "# stoped at 3\n", "2:1: a line with # is the last one"},
      {kHead + "5,0,1\n# stopped at 3\n", "3:14: t: it stopped before the last line"},
      {kHead + "# stopped at 3\n4,0,0\n", "3:1: nothing stands behind where it stopped"},
  };
  for (const auto& [text, says] : mistakes) {
    const std::string all = said(text);
    EXPECT_NE(all.find(says), std::string::npos) << text << "\n" << all << "\n" << says;
  }
}

TEST(InputsFile, TellsAllThatIsWrong) {
  const std::string all = said(kHead + "0,2,3\n1,x,0\n");
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 3) << all;
  std::string many = kHead;
  for (int i = 0; i < 100; ++i) many += "0,2,0\n";
  const std::string some = said(many);
  EXPECT_LT(std::count(some.begin(), some.end(), '\n'), 30);
}

}  // namespace trammel::io::inputs_file_test

// One name, one channel: what would have the name of another's channel is refused.
#include <gtest/gtest.h>

#include <set>

#include "io/test_wrong.h"
#include "sim/channels.h"
#include "sim/simulation.h"

namespace trammel::io::scene_channel_names_test {
namespace {

using scene_wrong::all_of;
using scene_wrong::problems_of;

const std::string kBob =
    "format = 1\n[[body]]\nname = \"bob\"\nmass = 1\nsphere = 1\n[[joint]]\nname = \"pin\"\ntype = "
    "\"prismatic\"\nb = \"bob\"\nat = [0, 0, 0]\n";  // 10 lines

std::string law(const std::string& name) {
  return "[[law]]\nname = \"" + name + "\"\ntype = \"spring\"\njoint = \"pin\"\nstiffness = 1\n";
}
const std::string kProbe = "[[probe]]\nname = \"bob\"\nbody = \"bob\"\n";
const std::string kLoad =
    "[[load]]\nname = \"push\"\ntype = \"force\"\nbody = \"bob\"\nforce = [1, 0, 0]\n";

/// The lines of the two elements, and what is said of them.
void expect_refused(const std::string& text, const std::vector<int>& lines,
                    const std::string& channel) {
  const SceneProblems found = problems_of(kBob + text);
  ASSERT_EQ(found.size(), lines.size()) << all_of(found);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(found[i].line, lines[i]) << all_of(found);
    EXPECT_NE(found[i].text.find("would both have the channel '" + channel + "'"),
              std::string::npos)
        << all_of(found);
  }
}

TEST(ChannelNames, OfTwoElementsAreRefused) {
  expect_refused(kProbe, {3, 12}, "bob.position.x");
  expect_refused(law("push") + kLoad, {12, 17}, "push.work");
}

TEST(ChannelNames, OfTwoElementsAreRefusedAtBoth) {
  const SceneProblems found = problems_of(kBob + kProbe);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].text.find("body 'bob' and probe 'bob'"), 0u) << all_of(found);
  EXPECT_EQ(found[1].text.find("probe 'bob' and body 'bob'"), 0u) << all_of(found);
}

TEST(ChannelNames, OfAnElementAndTheRunAreRefused) {
  for (const char* account : {"locks", "impacts", "corrections", "integrator", "contacts"})
    expect_refused(law(account), {12}, std::string(account) + ".work");
}

TEST(ChannelNames, MayBeThoseOfElementsWithOtherChannels) {
  EXPECT_EQ(all_of(problems_of(kBob + law("bob") + "[[probe]]\nname = \"eye\"\nbody = \"bob\"\n")),
            "");
}

std::set<std::string> channels_of(const std::string& text) {
  const auto loaded = load_scene_text(text, "x.toml");
  std::set<std::string> out;
  const auto* s = std::get_if<LoadedScene>(&loaded);
  if (!s) return ADD_FAILURE() << text, out;
  for (const sim::ChannelText& c : sim::channels(sim::Simulation(s->built, s->scene.settings)))
    EXPECT_TRUE(out.insert(c.name).second) << c.name;
  return out;
}

TEST(ChannelNames, LocksOnCouplingsAndOnRowsHaveForces) {
  const std::string coupled =
      kBob +
      "[[body]]\nname = \"cat\"\nmass = 1\nsphere = 1\n[[joint]]\nname = \"peg\"\ntype = "
      "\"prismatic\"\nb = \"cat\"\nat = [0, 0, 0]\n[[coupling]]\nname = \"gap\"\ntype = "
      "\"linear\"\nof = [\"pin.travel\", \"peg.travel\"]\ncoefficients = [1, -1]\n";
  const std::string lock = "[[law]]\nname = \"hold\"\ntype = \"locked\"\njoint = ";
  EXPECT_TRUE(channels_of(coupled + lock + "\"gap\"\n").contains("hold.force"));
  EXPECT_TRUE(channels_of(kBob + lock + "\"pin\"\ncoordinate = \"Ay.D\"\n").contains("hold.force"));
  EXPECT_FALSE(channels_of(kBob).contains("pin.Ay.D.force"));
}

}  // namespace
}  // namespace trammel::io::scene_channel_names_test

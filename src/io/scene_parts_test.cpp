// Parts, repetitions and defaults: what they stand for, where they are, what they are called, and
// what is wrong with them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "io/scene.h"
#include "math/rotation.h"
#include "sim/simulation.h"

namespace trammel::io::scene_parts_test {
namespace {

namespace fs = std::filesystem;

std::string all_of(const SceneProblems& problems) {
  std::string out;
  for (const SceneProblem& p : problems) out += to_text(p) + "\n";
  return out;
}

LoadedScene loaded(const std::string& text, std::vector<Override> overrides = {}) {
  auto result = load_scene_text("format = 1\n" + text, "x.toml", overrides);
  if (auto* problems = std::get_if<SceneProblems>(&result))
    throw std::runtime_error(all_of(*problems) + text);
  return std::move(std::get<LoadedScene>(result));
}

std::string problems_of(const std::string& text, std::vector<Override> overrides = {}) {
  auto result = load_scene_text("format = 1\n" + text, "x.toml", overrides);
  auto* problems = std::get_if<SceneProblems>(&result);
  return problems ? all_of(*problems) : "";
}

double param(const LoadedScene& s, const std::string& name) {
  const int i = s.built.model->find_param(name);
  return i < 0 ? NAN : s.built.params.values[static_cast<std::size_t>(i)];
}

std::vector<std::string> bodies(const LoadedScene& s) {
  std::vector<std::string> out;
  for (const auto& object : s.built.model->objects) out.push_back(object.name);
  return out;
}

constexpr const char* kBall = "mass = 1\nsphere = 1\n";

TEST(Parts, NamesArePathsAndAreLookedForAround) {
  const LoadedScene s =
      loaded(std::string("[[body]]\nname = \"frame\"\n") + kBall +
             "[[part]]\nname = \"left\"\n[[part.body]]\nname = \"wheel\"\n" + kBall +
             "[[part.part]]\nname = \"hub\"\n[[part.part.body]]\nname = \"nut\"\n" + kBall +
             "[[part.part.joint]]\nname = \"thread\"\ntype = \"fixed\"\na = "
             "\"wheel\"\nb = \"nut\"\nat = [0, 0, 0]\n"
             "[[part.joint]]\nname = \"axle\"\ntype = \"revolute\"\na = \"frame\"\nb "
             "= \"wheel\"\nat = [0, 0, 0]\n"
             "[[joint]]\nname = \"tie\"\ntype = \"spherical\"\na = "
             "\"left.hub.nut\"\nb = \"frame\"\nat = [0, 0, 0]\n"
             "[[law]]\nname = \"drag\"\ntype = \"spring\"\njoint = "
             "\"left.axle\"\ndamping = \"2 N m s/rad\"\n"
             "[[plot]]\nname = \"p\"\ny = [\"left.axle.angle\"]\n");
  EXPECT_EQ(bodies(s), (std::vector<std::string>{"ground", "frame", "left.wheel", "left.hub.nut"}));
  const auto joint = [&](const char* name) -> const model::Joint& {
    for (const model::Joint& j : s.built.model->joints)
      if (j.name == name) return j;
    throw std::runtime_error(name);
  };
  EXPECT_EQ(joint("left.hub.thread").object_A, 2);
  EXPECT_EQ(joint("left.hub.thread").object_B, 3);
  EXPECT_EQ(joint("left.axle").object_A, 1);
  EXPECT_EQ(joint("tie").object_A, 3);
  EXPECT_EQ(param(s, "law.drag.damping"), 2);
}

TEST(Parts, InnerNamesComeFirst) {
  const LoadedScene s =
      loaded(std::string("[[body]]\nname = \"wheel\"\n") + kBall +
             "[[part]]\nname = \"p\"\n[[part.body]]\nname = \"wheel\"\n" + kBall +
             "[[part.joint]]\nname = \"j\"\ntype = \"free\"\nb = \"wheel\"\nat = [0, 0, 0]\n");
  EXPECT_EQ(s.built.model->joints[0].object_B, 2);
}

/// A pendulum on a turntable, under a load and a spring, with a start that moves.
const std::string kThing =
    "[[{0}body]]\nname = \"table\"\nkind = \"prescribed\"\nposition = [0, 0, \"10 cm\"]\n"
    "displacement = [{{formula = \"0.1 m*sin(3*t)\"}}, 0, 0]\nturns = [{{axis = [0, 0, 1], angle = "
    "{{velocity = \"1 rad/s\"}}}}]\n"
    "[[{0}body]]\nname = \"arm\"\nmass = 2\nbox = [\"1 m\", \"5 cm\", \"10 cm\"]\nposition = [0.5, "
    "0, 0.1]\nangular_velocity = [0, 2, 0]\nvelocity = [0, 0, -1]\n"
    "[[{0}joint]]\nname = \"pin\"\ntype = \"revolute\"\na = \"table\"\nb = \"arm\"\nat = [0, 0, "
    "0.1]\naxis = [0, 1, 0]\n"
    "[[{0}body]]\nname = \"bob\"\nmass = 1\nsphere = 0.1\nposition = [1, 0.2, 0]\n"
    "[[{0}joint]]\nname = \"string\"\ntype = \"distance\"\nb = \"bob\"\nframe_a = {{position = [0, "
    "0.2, 0.5]}}\nframe_b = {{}}\n"
    "[[{0}load]]\nname = \"wind\"\ntype = \"force\"\nbody = \"arm\"\nforce = [1, {{formula = "
    "\"1 N*cos(2*t)\"}}, 3]\n";

/// The state a second after the start.
model::State after(const std::string& text) {
  const LoadedScene s = loaded(text);
  sim::Simulation run(s.built, s.scene.settings);
  while (!run.finished()) EXPECT_TRUE(run.advance());
  return run.state();
}

TEST(Parts, ArePlacedAsAWhole) {
  const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, 2, 2) / 3).toRotationMatrix();
  const Vec3 p(3, -1, 2), g = R * Vec3(0, 0, -9.81);
  const std::string run = "[simulation]\nduration = \"1 s\"\nstep = \"1 ms\"\n";
  const model::State alone =
      after(run + "gravity = [0, 0, -9.81]\n" + fmt::format(fmt::runtime(kThing), ""));
  const model::State placed = after(
      run + fmt::format("gravity = [{}, {}, {}]\n", g[0], g[1], g[2]) +
      "[[part]]\nname = \"p\"\nposition = [3, -1, 2]\norientation = {axis = [1, 2, 2], angle = "
      "0.7}\n" +
      fmt::format(fmt::runtime(kThing), "part."));
  ASSERT_EQ(alone.q.size(), placed.q.size());
  for (std::size_t i = 0; i < alone.q.size(); i += 7) {  // position and quaternion
    const Vec3 at(alone.q[i], alone.q[i + 1], alone.q[i + 2]),
        moved(placed.q[i], placed.q[i + 1], placed.q[i + 2]);
    EXPECT_LT((p + R * at - moved).norm(), 1e-10);  // the solver's tolerance over 1000 steps
  }
}

TEST(Parts, MayStandOnABodyThatIsTheirGround) {
  const LoadedScene s = loaded(
      std::string("[[body]]\nname = \"car\"\nposition = [5, 0, 0]\n") + kBall +
      "[[part]]\nname = \"crane\"\nground = \"car\"\nposition = [5, 0, 1]\n[[part.body]]\nname = "
      "\"boom\"\n" +
      kBall +
      "[[part.joint]]\nname = \"foot\"\ntype = \"revolute\"\nb = \"boom\"\nframe_a = {position = "
      "[0, 1, 0]}\nframe_b = {position = [0, 1, 0]}\n"
      "[[part.joint]]\nname = \"top\"\ntype = \"free\"\na = \"boom\"\nb = \"ground\"\nat = [0, 0, "
      "0]\n");
  const model::Joint& foot = s.built.model->joints[0];
  EXPECT_EQ(foot.object_A, 1);
  EXPECT_LT((foot.X_OA.p - Vec3(0, 1, 1)).norm(), 1e-15);
  EXPECT_EQ(s.built.model->joints[1].object_B, 1);
}

TEST(Parts, LikeAnotherTakeItsElementsAndParameters) {
  const LoadedScene s = loaded(
      "[[part]]\nname = \"a\"\nparameters = {m = \"2 kg\", r = \"1 m\"}\n[[part.body]]\nname = "
      "\"x\"\nmass = \"m\"\nsphere = \"r\"\n"
      "[[part]]\nname = \"b\"\nlike = \"a\"\nparameters = {m = \"3 kg\"}\n"
      "[[part]]\nname = \"c\"\nlike = \"b\"\nparameters = {r = \"2 m\"}\n");
  EXPECT_EQ(param(s, "body.a.x.mass"), 2);
  EXPECT_EQ(param(s, "body.b.x.mass"), 3);
  EXPECT_EQ(param(s, "body.c.x.mass"), 3);
}

TEST(Repeat, CountsAndGoesOverLists) {
  const LoadedScene s = loaded(
      "[parameters]\nn = 3\nL = \"2 m\"\n[[repeat]]\ncount = \"n\"\n[[repeat.body]]\nname = "
      "\"link{i}\"\nmass = \"(i + 1)*1 kg\"\nsphere = 1\nposition = [\"i*L\", 0, 0]\n"
      "[[repeat]]\nindex = \"k\"\nfirst = 1\ncount = \"n - 1\"\n[[repeat.joint]]\nname = "
      "\"pin{k}\"\ntype = \"spherical\"\na = \"link{k - 1}\"\nb = \"link{k}\"\nat = [\"k*L\", 0, "
      "0]\n"
      "[[repeat]]\nover = {side = [\"left\", \"right\"], y = [\"1 m\", \"-L\"]}\n"
      "[[repeat.repeat]]\ncount = 2\nindex = \"j\"\n[[repeat.repeat.body]]\nname = "
      "\"{side}_{j}\"\nmass = 1\nsphere = 1\nposition = [\"j*1 m\", \"y\", 0]\n");
  EXPECT_EQ(bodies(s), (std::vector<std::string>{"ground", "link0", "link1", "link2", "left_0",
                                                 "left_1", "right_0", "right_1"}));
  EXPECT_EQ(param(s, "body.link2.mass"), 3);
  EXPECT_EQ(s.built.state.q[7 * 2], 4);
  EXPECT_EQ(s.built.state.q[7 * 6 + 1], -2);
  EXPECT_EQ(s.built.state.q[7 * 6], 1);
  EXPECT_EQ(s.built.model->joints[1].object_A, 2);
}

TEST(Repeat, GoesAroundCircles) {
  const auto place = [](const LoadedScene& s, std::size_t i) {
    return Vec3(s.built.state.q[7 * i], s.built.state.q[7 * i + 1], s.built.state.q[7 * i + 2]);
  };
  const std::string body =
      "[[repeat.body]]\nname = \"b{i}\"\nmass = 1\nsphere = 1\nposition = [2, 0, 0]\n";
  const LoadedScene once =
      loaded("[[repeat]]\ncount = 4\ncircle = {axis = [0, 0, 1], center = [1, 0, 0]}\n" + body);
  EXPECT_LT((place(once, 1) - Vec3(1, 1, 0)).norm(), 1e-15);
  EXPECT_LT((place(once, 2) - Vec3(0, 0, 0)).norm(), 1e-15);
  const LoadedScene steps =
      loaded("[[repeat]]\ncount = 4\ncircle = {axis = [0, 0, 1], step = \"90 deg\"}\n" + body);
  EXPECT_LT((place(steps, 3) - Vec3(0, -2, 0)).norm(), 1e-15);
}

TEST(Defaults, AreTakenWhereNothingElseIsSaid) {
  const LoadedScene s = loaded(
      "[parameters]\nm = \"7 kg\"\n[defaults.body]\ndensity = \"1000 kg/m^3\"\nsphere = 1\n"
      "[defaults.law]\ndamping = \"3 N s/m\"\n[defaults.law.spring]\nstiffness = \"10 N/m\"\n"
      "[defaults.joint]\ntype = \"prismatic\"\nat = [0, 0, 0]\n"
      "[[body]]\nname = \"a\"\n[[body]]\nname = \"b\"\nmass = \"m\"\ninertia = [1, 1, 1]\n"
      "[[joint]]\nname = \"j\"\nb = \"a\"\n[[joint]]\nname = \"k\"\nb = \"b\"\n"
      "[[law]]\nname = \"u\"\ntype = \"spring\"\njoint = \"j\"\n[[law]]\nname = \"v\"\ntype = "
      "\"spring\"\njoint = \"k\"\nstiffness = \"20 N/m\"\n"
      "[[part]]\nname = \"p\"\n[part.defaults.body]\nmass = \"1 kg\"\n[[part.body]]\nname = "
      "\"c\"\n");
  EXPECT_NEAR(param(s, "body.a.mass"), 4188.79, 0.01);
  EXPECT_EQ(param(s, "body.b.mass"), 7);
  EXPECT_EQ(param(s, "body.p.c.mass"), 1);  // the nearer one
  EXPECT_EQ(param(s, "law.u.stiffness"), 10);
  EXPECT_EQ(param(s, "law.v.stiffness"), 20);
  EXPECT_EQ(param(s, "law.v.damping"), 3);
}

TEST(Defaults, GiveWayWithWhatGoesWithThem) {
  const std::string text =
      "[defaults.joint]\ntype = \"revolute\"\nat = [0, 0, 0]\naxis = [0, 1, 0]\n"
      "[[body]]\nname = \"a\"\nmass = 1\nsphere = 1\n[[joint]]\nname = \"j\"\nb = \"a\"\n";
  EXPECT_EQ(problems_of(text), "");
  EXPECT_EQ(problems_of(text + "frame_a = {position = [0, 0, 0]}\n"), "");
  EXPECT_NE(problems_of(text + "frame_a = {position = [0, 0, 0]}\naxis = [0, 0, 1]\n")
                .find("'axis' goes with at"),
            std::string::npos);  // its own one does not give way
}

/// A weight on a spring whose force is a table, in a part.
const std::string kTabled =
    "[[part]]\nname = \"A\"\ndata = [{name = \"q\", x = [0, 1], y = [5, 5]}]\n"
    "defaults = {body = {density = \"1000 kg/m^3\"}}\n[[part.body]]\nname = \"w\"\nbox = [1, 1, "
    "1]\n[[part.joint]]\nname = \"j\"\ntype = \"prismatic\"\nb = \"w\"\nat = [0, 0, "
    "0]\n[[part.law]]\nname = \"f\"\ntype = \"spring\"\njoint = \"j\"\nfunction = \"table(x, "
    "q)\"\n";

double force_of(const LoadedScene& s, const std::string& law) {
  for (const auto& l : s.built.model->laws)
    if (l.name == law) return (*l.law.function)(0.5, 0, 0).f;
  return NAN;
}

TEST(Parts, LikeOthersHaveDataAndDefaultsOfTheirOwnBeforeThose) {
  const LoadedScene s = loaded(
      kTabled +
      "[[part]]\nname = \"B\"\nlike = \"A\"\ndata = [{name = \"q\", x = [0, 1], y = [10, 10]}]\n"
      "defaults = {body = {density = \"2000 kg/m^3\"}}\n"
      "[[part]]\nname = \"C\"\nlike = \"B\"\n"
      "[[part]]\nname = \"D\"\nlike = \"B\"\ndata = [{name = \"q\", x = [0, 1], y = [20, 20]}]\n"
      "defaults = {body = {density = \"3000 kg/m^3\"}}\n");
  const std::pair<const char*, double> list[] = {{"A", 1}, {"B", 2}, {"C", 2}, {"D", 3}};
  for (const auto& [part, density] : list)
    EXPECT_NEAR(param(s, fmt::format("body.{}.w.mass", part)), 1000 * density, 1e-9) << part;
  EXPECT_EQ(force_of(s, "A.f"), 5);
  EXPECT_EQ(force_of(s, "B.f"), 10);
  EXPECT_EQ(force_of(s, "C.f"), 10);
  EXPECT_EQ(force_of(s, "D.f"), 20);
}

TEST(Parts, LikeOthersAreToldWhatIsWrongWithTheirDataAndDefaults) {
  const std::string text = kTabled + "[[part]]\nname = \"B\"\nlike = \"A\"\n";
  const std::pair<std::string, const char*> list[] = {
      {"data = [{name = \"qq\", x = [0, 1], y = [1, 1]}]\n",
       "part.B.data.qq.name: the part has no data 'qq'; did you mean 'q'?"},
      {"data = [{name = \"q\", x = [0, 1], z = [1, 1]}]\n", "unknown key 'z'"},
      {"defaults = {law = {spring = {colour = 3}}}\n",
       "part.B.defaults.law.spring.colour: unknown key 'colour' of law"},
      {"defaults = {lawn = {}}\n", "there are no elements 'lawn'"},
  };
  for (const auto& [lines, says] : list) {
    const std::string said = problems_of(text + lines);
    EXPECT_NE(said.find(says), std::string::npos) << said << lines;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), lines.find("z =") < 99 ? 2 : 1) << said;
  }
}

TEST(Parts, LikeOthersStandOnTheSameGroundUnlessTheySayAnother) {
  const LoadedScene s = loaded(
      std::string("[[body]]\nname = \"cart\"\n") + kBall + "[[body]]\nname = \"boat\"\n" + kBall +
      "[[part]]\nname = \"A\"\nground = \"cart\"\n[[part.body]]\nname = \"w\"\n" + kBall +
      "[[part.joint]]\nname = \"f\"\ntype = \"fixed\"\nb = \"w\"\nat = [0, 0, 0]\n"
      "[[part]]\nname = \"B\"\nlike = \"A\"\n[[part]]\nname = \"C\"\nlike = \"A\"\nground = "
      "\"boat\"\n[[part]]\nname = \"D\"\nlike = \"C\"\n");
  const auto base = [&](std::size_t joint) {
    return s.built.model->objects
        .at(static_cast<std::size_t>(s.built.model->joints.at(joint).object_A))
        .name;
  };
  EXPECT_EQ(base(0), "cart");
  EXPECT_EQ(base(1), "cart");
  EXPECT_EQ(base(2), "boat");
  EXPECT_EQ(base(3), "boat");
}

TEST(Parts, LikeOthersHaveWhatIsSetOfTheirParameters) {
  const std::string text =
      "[[part]]\nname = \"first\"\nlike = \"left\"\n[[part]]\nname = \"left\"\nparameters = {m = "
      "\"1 kg\"}\n[[part.body]]\nname = \"w\"\nmass = \"m\"\nsphere = 1\n[[part]]\nname = "
      "\"right\"\nlike = \"left\"\nparameters = {m = \"5 kg\"}\n";
  const auto masses = [&](const std::string& path) {
    const LoadedScene s = loaded(text, {{path, "7 kg"}});
    return std::vector{param(s, "body.first.w.mass"), param(s, "body.left.w.mass"),
                       param(s, "body.right.w.mass")};
  };
  EXPECT_EQ(masses("part.left.parameters.m"), (std::vector<double>{7, 7, 5}));
  EXPECT_EQ(masses("part.right.parameters.m"), (std::vector<double>{1, 1, 7}));
  EXPECT_EQ(masses("body.left.w.mass"), (std::vector<double>{1, 7, 5}));  // just this one
  EXPECT_EQ(problems_of(text, {{"part.left.parameters.m", "7 kgg"}}).find("--set part.left"), 0u);
}

TEST(Parts, ParametersThatNameThemselvesMeanThoseAround) {
  const std::string text =
      "[parameters]\nL = \"1 m\"\nm = \"2 kg\"\n[[part]]\nname = \"p\"\nparameters = {L = "
      "\"2*L\", k = \"L\"}\n[[part.body]]\nname = \"w\"\nmass = \"m\"\nsphere = \"k\"\n"
      "[[part.part]]\nname = \"q\"\nparameters = {m = \"m*3\", L = {value = \"L + 1 m\", to = "
      "\"2*L\"}}\n[[part.part.body]]\nname = \"w\"\nmass = \"m*L/1 m\"\nsphere = 1\n";
  const LoadedScene s = loaded(text);
  EXPECT_DOUBLE_EQ(param(s, "body.p.w.Ixx"), 0.4 * 2 * 4);  // a ball of 2 m
  EXPECT_DOUBLE_EQ(param(s, "body.p.q.w.mass"), 6 * 3);
  EXPECT_NE(problems_of("[parameters]\na = \"1 m\"\n[[part]]\nname = \"p\"\nparameters = {a = "
                        "\"b\", b = \"a\"}\n[[part.body]]\nname = \"w\"\nmass = 1\nsphere = 1\n")
                .find("'a' depends on itself: a -> b -> a"),
            std::string::npos);
}

class PartFiles : public testing::Test {
 protected:
  PartFiles()
      : folder_(fs::temp_directory_path() / fmt::format("trammel_part_files_{}", ::getpid())) {
    fs::create_directories(folder_ / "sub");
  }
  ~PartFiles() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << "format = 1\n" << text;
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  LoadedScene load(const std::string& name, std::vector<Override> overrides = {}) const {
    auto result = load_scene(path(name), overrides);
    if (auto* problems = std::get_if<SceneProblems>(&result))
      throw std::runtime_error(all_of(*problems));
    return std::move(std::get<LoadedScene>(result));
  }
  std::string problems(const std::string& name) const {
    auto result = load_scene(path(name));
    auto* problems = std::get_if<SceneProblems>(&result);
    return problems ? all_of(*problems) : "";
  }
  fs::path folder_;
};

const std::string kWheel =
    "[parameters]\nr = {value = \"30 cm\", from = \"20 cm\", to = \"50 cm\"}\nload = \"r*10 "
    "kg/m\"\n[[body]]\nname = \"rim\"\nmass = \"load\"\nsphere = \"r\"\n[[part]]\nname = "
    "\"nut\"\nfile = \"sub/nut.toml\"\n";
const std::string kNut = "[[body]]\nname = \"hex\"\nmass = 1\nsphere = 1\n";

TEST_F(PartFiles, AreReadBesideTheSceneWithTheirOwnParameters) {
  write("main.toml",
        "[parameters]\nr = \"40 cm\"\n[[part]]\nname = \"a\"\nfile = "
        "\"wheel.toml\"\n[[part]]\nname = "
        "\"b\"\nfile = \"wheel.toml\"\nparameters = {r = \"r\"}\n");
  write("wheel.toml", kWheel);
  write("sub/nut.toml", kNut);
  const LoadedScene s =
      load("main.toml", {{"part.a.parameters.r", "25 cm"}, {"body.b.nut.hex.mass", "8 kg"}});
  EXPECT_EQ(bodies(s),
            (std::vector<std::string>{"ground", "a.rim", "a.nut.hex", "b.rim", "b.nut.hex"}));
  EXPECT_DOUBLE_EQ(param(s, "body.a.rim.mass"), 2.5);
  EXPECT_DOUBLE_EQ(param(s, "body.b.rim.mass"), 4);
  EXPECT_DOUBLE_EQ(param(s, "body.b.nut.hex.mass"), 8);
  EXPECT_DOUBLE_EQ(param(s, "body.a.nut.hex.mass"), 1);
}

TEST_F(PartFiles, HaveTheDefaultsOfThePartBeforeTheirOwn) {
  write("main.toml",
        "[[part]]\nname = \"a\"\nfile = \"block.toml\"\ndefaults = {body = {density = \"2000 "
        "kg/m^3\"}}\n[[part]]\nname = \"b\"\nfile = \"block.toml\"\n");
  write("block.toml",
        "[defaults.body]\ndensity = \"1000 kg/m^3\"\n[[body]]\nname = \"w\"\nbox = [1, 1, 1]\n");
  const LoadedScene s = load("main.toml");
  EXPECT_NEAR(param(s, "body.a.w.mass"), 2000, 1e-9);
  EXPECT_NEAR(param(s, "body.b.w.mass"), 1000, 1e-9);
}

TEST_F(PartFiles, AreKeptInTheTextOfTheScene) {
  write("main.toml", "[[part]]\nname = \"a\"\nfile = \"wheel.toml\"\n");
  write("wheel.toml", kWheel);
  write("sub/nut.toml", kNut);
  const std::string text = load("main.toml").scene.text;
  fs::remove(folder_ / "wheel.toml");
  fs::remove(folder_ / "sub/nut.toml");
  for (const std::string& file :
       {path("main.toml"), std::string("scene.toml"), std::string("/x")}) {
    auto again = load_scene_text(text, file);
    ASSERT_TRUE(std::get_if<LoadedScene>(&again)) << all_of(std::get<SceneProblems>(again)) << text;
    EXPECT_EQ(bodies(std::get<LoadedScene>(again)).size(), 3u);
    EXPECT_EQ(std::get<LoadedScene>(again).scene.text, text);
  }
}

TEST_F(PartFiles, ProblemsSayHowTheyWereReached) {
  write("main.toml", "[[part]]\nname = \"a\"\nfile = \"wheel.toml\"\n");
  write("wheel.toml", kWheel);
  write("sub/nut.toml", "[[body]]\nname = \"hex\"\nmass = \"1 m\"\nsphere = 1\n");
  EXPECT_EQ(problems("main.toml"),
            fmt::format("{}:4:8: body.a.nut.hex.mass: '1 m' is a length, a mass [kg] is needed "
                        "(part a.nut of {}:9:1, part a of {}:2:1)\n",
                        path("sub/nut.toml"), path("wheel.toml"), path("main.toml")));
}

TEST_F(PartFiles, DoNotContainThemselvesAndAreThere) {
  write("main.toml",
        "[[part]]\nname = \"a\"\nfile = \"b.toml\"\n[[part]]\nname = \"n\"\nfile = \"none.toml\"\n"
        "[[part]]\nname = \"f\"\nfile = \"form.toml\"\n");
  write("b.toml",
        "[[part]]\nname = \"x\"\nfile = \"c.toml\"\n[[part]]\nname = \"y\"\nfile = "
        "\"main.toml\"\n");
  write("c.toml", "bod = 1\n[[part]]\nname = \"x\"\nfile = \"b.toml\"\n");
  std::ofstream(folder_ / "form.toml") << "formt = 1\n";
  const std::string said = problems("main.toml");
  for (const char* part : {"b.toml' is a part of itself", "main.toml' is a part of itself",
                           "c.toml -> ", "none.toml' cannot be opened: No such file",
                           "'format' is missing", "unknown key 'bod'; did you mean 'body'?"})
    EXPECT_NE(said.find(part), std::string::npos) << part << "\n" << said;
}

struct Wrong {
  std::string text, says;
};

TEST(Parts, MistakesAreToldWithTheirPlace) {
  const std::string part = "[[part]]\nname = \"p\"\n", body = "[[part.body]]\nname = \"b\"\n";
  const std::string good = part + body + kBall;
  const std::vector<Wrong> list{
      {"[[part]]\n" + body + kBall, "2:1: part[0]: 'name' is missing"},
      {part, "part.p: the part has nothing in it: give 'file', 'like' or elements"},
      {part + "like = \"q\"\n", "there is no part 'q' beside it"},
      {good + "[[part]]\nname = \"r\"\nlike = \"pp\"\n",
       "there is no part 'pp' beside it; did you mean 'p'?"},
      {part + "like = \"p\"\n", "'p' is like itself"},
      {part + "like = \"q\"\n[[part]]\nname = \"q\"\nlike = \"p\"\n",
       "7:8: part.q.like: 'p' is like itself"},
      {part + "like = \"q\"\nfile = \"x\"\n", "'file' and 'like' exclude each other"},
      {good + "[[part]]\nname = \"q\"\nlike = \"p\"\nparameters = {x = 1}\n",
       "11:19: part.q.parameters.x: the part has no parameter 'x': it has none"},
      {"[[part]]\nname = \"p\"\nparameters = {len = \"1 m\"}\n" + body +
           "mass = 1\nsphere = \"len\"\n[[part]]\nname = \"q\"\nlike = \"p\"\nparameters = {lan = "
           "\"2 "
           "m\"}\n",
       "the part has no parameter 'lan'; did you mean 'len'?"},
      {"[[part]]\nname = \"p\"\nparameters = {len = \"1 m\"}\n" + body +
           "mass = 1\nsphere = \"len\"\n[[part]]\nname = \"q\"\nlike = \"p\"\nparameters = {len = "
           "\"2 "
           "kg\"}\n",
       "'len' is 2 kg, a length is needed"},
      {good + "[[part]]\nname = \"p\"\n" + body + kBall,
       "part[1]: the name 'p' is taken by another part"},
      {good + "[[body]]\nname = \"p\"\n" + kBall, "the name 'p' is taken by a body"},
      {part + "file = \"/nonexistent.toml\"\n",
       "4:8: part.p.file: '/nonexistent.toml' cannot be opened"},
      {part + "like = \"p\"\n[[part.body]]\nname = \"b\"\n",
       "a part with 'like' has no elements of its own"},
      {part + "position = [1, 2]\n" + body + kBall, "part.p.position: found 2 values"},
      {part + "fil = \"x\"\n" + body + kBall, "unknown key 'fil'; did you mean 'file'?"},
      {part + "[part.body]\nname = \"b\"\n", "write [[body]], with two brackets"},
      {"[part]\nname = \"b\"\n", "write [[part]], with two brackets"},
      {"[[part]]\nname = \"a.b\"\n" + body + kBall,
       "'a.b': a name is made of letters, digits, _ and -"},
      {good + "[[joint]]\nname = \"j\"\ntype = \"fixed\"\nb = \"p.c\"\nat = [0, 0, 0]\n",
       "there is no body 'p.c'; did you mean 'p.b'?"},
      {part + "ground = \"q\"\n" + body + kBall +
           "[[part.joint]]\nname = \"j\"\ntype = \"fixed\"\nb = \"b\"\nat = [0, 0, 0]\n",
       "there is no body 'q'"},
      {part + "position = [1, 0, 0]\n" + body + kBall + "on_track = {track = \"t\"}\n",
       "is on a track, which says where it is"},
  };
  for (const Wrong& w : list) {
    const std::string said = problems_of(w.text);
    EXPECT_NE(said.find(w.says), std::string::npos) << w.says << "\n" << said << w.text;
  }
}

TEST(Repeat, MistakesAreToldWithTheirPlace) {
  const std::string body = "[[repeat.body]]\nname = \"b{i}\"\nmass = 1\nsphere = 1\n";
  const std::vector<Wrong> list{
      {"[[repeat]]\n" + body, "2:1: repeat[0]: one of count, over is needed"},
      {"[[repeat]]\ncount = 2.5\n" + body, "3:9: repeat[0].count: 2.5 is no number of times"},
      {"[[repeat]]\ncount = -1\n" + body, "repeat[0].count"},
      {"[[repeat]]\ncount = \"1 m\"\n" + body, "'1 m' is a length, a plain number is needed"},
      {"[[repeat]]\ncount = 1e9\n" + body, "1000000000 is no number of times: 0 to 1000000"},
      {"[[repeat]]\ncount = 2\nover = {a = [1]}\n" + body, "'count' and 'over' exclude each other"},
      {"[[repeat]]\nover = {a = [1], b = [1, 2]}\n" + body,
       "'b' has 2 items, the list before it 1"},
      {"[[repeat]]\nover = {a = [true]}\n" + body, "repeat[0].over.a[0]: found true"},
      {"[[repeat]]\ncount = 2\n", "nothing is repeated: write [[repeat.body]]"},
      {"[[repeat]]\ncount = 2\n[[repeat.body]]\nname = \"b\"\nmass = 1\nsphere = 1\n",
       "'b' is taken"},
      {"[[repeat]]\ncount = 2\n[[repeat.body]]\nname = \"b{k}\"\nmass = 1\nsphere = 1\n",
       "5:9: repeat[0].body[0].name: unknown name 'k'; known: i,"},
      {"[[repeat]]\ncount = 2\n[[repeat.body]]\nname = \"b{i/2}\"\nmass = 1\nsphere = 1\n",
       "{i/2} is 0.5: in a name stands a whole number"},
      {"[[repeat]]\ncount = 3\n[[repeat.body]]\nname = \"b{i}\"\nmass = \"i*1 m\"\nsphere = 1\n",
       "6:9: body.b0.mass: the result is a length [m], a mass [kg] is needed (and 2 more like it)"},
      {"[[repeat]]\ncount = 2\ncircle = {axis = [0, 0, 1]}\nposition = [1, 0, 0]\n" + body,
       "'position' and 'circle' exclude each other"},
      {"[[repeat]]\ncount = 2\ncircle = {step = \"1 m\", axis = [0, 0, 1]}\n" + body,
       "'1 m' is a length, an angle"},
      {"[[repeat]]\ncount = 1000\n[[repeat.repeat]]\ncount = 2000\n[[repeat.repeat.probe]]\nname = "
       "\"p\"\nbody = \"b\"\n",
       "there are more than 1000000 elements"},
      {"[[repeat]]\ncount = 2\nindex = \"t\"\n" + body, "'t' stands for the time in formulas"},
      {"[[repeat]]\ncount = 2\n" + body +
           "[[joint]]\nname = \"j\"\ntype = \"fixed\"\nb = \"b2\"\nat = [0, 0, 0]\n",
       "there is no body 'b2'; did you mean 'b0'?"},
  };
  for (const Wrong& w : list) {
    const std::string said = problems_of(w.text);
    EXPECT_NE(said.find(w.says), std::string::npos) << w.says << "\n" << said << w.text;
  }
}

TEST(Defaults, MistakesAreToldWithTheirPlace) {
  const std::string body = "[[body]]\nname = \"b\"\nsphere = 1\n";
  const std::vector<Wrong> list{
      {"[defaults]\nbody = 1\n" + body,
       "3:8: defaults.body: found the number 1, a table is needed"},
      {"[defaults.bodi]\nmass = 1\n" + body, "there are no elements 'bodi'; did you mean 'body'?"},
      {"[defaults.body]\nmas = 1\n" + body, "unknown key 'mas' of body; did you mean 'mass'?"},
      {"[defaults.body]\nname = \"x\"\n" + body, "a name is no default"},
      {"[defaults.law.spring]\nvelocity = 1\n" + body, "unknown key 'velocity' of law"},
      {"[defaults.law.sprong]\nstiffness = 1\n" + body,
       "unknown key 'sprong' of law; did you mean 'spring'?"},
      {"[defaults.body]\nmass = \"1 m\"\n" + body,
       "3:8: body.b.mass: '1 m' is a length, a mass [kg] is needed"},
      {"defaults = 1\n" + body, "write [defaults.body]"},
  };
  for (const Wrong& w : list) {
    const std::string said = problems_of(w.text);
    EXPECT_NE(said.find(w.says), std::string::npos) << w.says << "\n" << said << w.text;
  }
}

TEST(Parts, OverridesNameElementsByTheirPaths) {
  const std::string text =
      "[[part]]\nname = \"p\"\nparameters = {m = {value = 1, from = 1, to = "
      "3}}\n[[part.body]]\nname = \"b\"\nmass = \"m*1 kg\"\nsphere = 1\n"
      "[[repeat]]\ncount = 3\n[[repeat.body]]\nname = \"l{i}\"\nmass = 1\nsphere = 1\n";
  const LoadedScene s = loaded(text, {{"part.p.parameters.m", "2"}, {"body.l1.mass", "5"}});
  EXPECT_EQ(param(s, "body.p.b.mass"), 2);
  EXPECT_EQ(param(s, "body.l0.mass"), 1);
  EXPECT_EQ(param(s, "body.l1.mass"), 5);
  EXPECT_EQ(bodies(loaded(text, {{"repeat[0].count", "5"}})).size(), 7u);
  const Wrong list[] = {
      {"body.p.c.mass", "there is no element 'p.c'; did you mean 'p.b'?"},
      {"body.l3.mass", "there is no element 'l3'; did you mean 'l0'?"},
      {"part.q.parameters.m", "there is no element 'q.parameters'"},
      {"repeat[1].count", "there is no element [1]: there are 1, from 0"},
      {"part.p.parameters.m", "'m' is 7, more than 3"},
      {"part.p.parameters.n", "x"},
  };
  for (const Wrong& w : list) {
    const std::string said = problems_of(text, {{w.text, "7"}});
    if (w.says == "x") continue;  // a new name for a number does no harm
    EXPECT_NE(said.find(w.says), std::string::npos) << w.says << "\n" << said;
    EXPECT_EQ(said.find("--set " + w.text), 0u) << said;
  }
}

TEST(Parts, AreNotEndlesslyDeep) {
  std::string text, head = "part";
  for (int i = 0; i < 15; ++i) {
    text += "[[" + head + "]]\nname = \"p\"\n";
    head += ".part";
  }
  EXPECT_NE(problems_of(text).find("nothing in it"), std::string::npos);
}

}  // namespace
}  // namespace trammel::io::scene_parts_test

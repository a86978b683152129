// The gallery's scenes against answers worked out apart from them.
#include "cli/gallery_test.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <regex>

#include "cli/scene_input.h"
#include "io/scene_files.h"
#include "io/scene_keys.h"

namespace trammel::cli::gallery_test {
namespace {

namespace fs = std::filesystem;

using gallery::Gallery;
using gallery::kPi;
using gallery::path;

/// The lean of an upright between two arms (lower and upper ball `high` apart) whose wheel's centre
/// is `up` above where it was; seen from the front, arms level at first.
double lean(double lower, double upper, double high, double up) {
  using Vec2 = Eigen::Vector2d;
  const Vec2 O(-lower + upper, high), hub(-0.12, high / 2);
  const auto upright = [&](double theta, Vec2& P) {  // its angle
    P = lower * Vec2(-std::cos(theta), std::sin(theta));
    const Vec2 to = O - P;
    const double d = to.norm(), x = (high * high - upper * upper + d * d) / (2 * d);
    const double y = std::sqrt(high * high - x * x);
    const Vec2 e = to / d, Q = P + x * e + y * Vec2(-e.y(), e.x());
    return std::atan2(Q.y() - P.y(), Q.x() - P.x()) - kPi / 2;
  };
  double lo = -0.3, hi = 0.3, a = 0;
  for (int i = 0; i < 100; ++i) {
    const double middle = (lo + hi) / 2;
    Vec2 P;
    a = upright(middle, P);
    const double z = P.y() + (Eigen::Rotation2Dd(a) * hub).y() - high / 2;
    (z < up ? lo : hi) = middle;
  }
  return a;
}

TEST_F(Gallery, DoubleWishboneLeansAsItsFourBar) {
  open("double_wishbone");
  until(1);
  EXPECT_NEAR(at("lean.camber"), lean(0.4, 0.28, 0.25, 0.06), 1e-10);  // the solver's tolerance
  until(3);
  EXPECT_NEAR(at("lean.camber"), lean(0.4, 0.28, 0.25, -0.06), 1e-10);
}

TEST_F(Gallery, StewartPlatformRisesAsItsLegsGrow) {
  open("stewart_platform");
  until(1);
  const double R = 1, r = 0.6, turn = 40 * kPi / 180;
  const double flat = R * R + r * r - 2 * R * r * std::cos(turn);  // square of a leg's plan
  const double leg = std::sqrt(flat + 1.2 * 1.2) + 0.12;
  EXPECT_LT((place("platform") - Vec3(0, 0, std::sqrt(leg * leg - flat))).norm(), 1e-11);
  open("stewart_platform", {{"parameters.swing", "1"}});
  until(1);
  EXPECT_GT(place("platform").head<2>().norm(), 0.01);
}

TEST_F(Gallery, EngineKeepsItsEnergyAndItsStroke) {
  open("engine");
  const double r = 0.045, l = 0.14, ratio = 9, A = kPi * 0.09 * 0.09 / 4, p = 1e5, n = 1.4;
  const double gap = 2 * r / (ratio - 1), c = gap + 2 * r;
  const auto energy = [&] { return sim::Present(*run_).of("/ledger/energy", "energy").at(1); };
  const double before = energy();
  for (const double t : {0.01, 0.02, 0.035}) {
    until(t);
    const double x = at("bore.travel"), angle = at("bearing.angle");
    EXPECT_NEAR(x,
                r * std::cos(angle) + std::sqrt(l * l - std::pow(r * std::sin(angle), 2)) - r - l,
                1e-11);
    const double gas = std::pow(c, n) * (std::pow(gap - x, 1 - n) - std::pow(gap, 1 - n)) / (n - 1);
    EXPECT_NEAR(energy() - before, -A * p * (gas - x), 5e-3);  // of 757 J: truncation
  }
}

TEST_F(Gallery, ChainCarriesWhatHangsBelow) {
  open("chain");
  until(0.05);  // before it is pushed
  for (const int k : {0, 250, 500, 900})
    EXPECT_NEAR(sim::Present(*run_).reaction(fmt::format("pin{}", k)).force.norm(),
                (1000 - k) * 0.005 * 9.81, 1e-6);
  until(0.2);
  EXPECT_GT(place("link999").x(), 0.01);
  EXPECT_LT(std::abs(place("link300").x()), 1e-6);  // the wave has not come so far
}

TEST_F(Gallery, PlanetaryGearTurnsByWillis) {
  open("planetary_gear");
  until(1);
  const double carrier = rate("output.angle");
  EXPECT_NEAR(rate("input.angle") + carrier, (1 + 60. / 24) * carrier, 1e-9);
  until(2);
  // what the motor does at its bound the brake takes: 2 N m by 2.5 w = 0.4 N m s/rad by w^2
  EXPECT_NEAR(rate("input.angle"), 2.5 * 2 * 2.5 / 0.4, 1e-3);
}

TEST_F(Gallery, TrainPullsEachWagonByTheSameForce) {
  open("train");
  until(20);  // ten after the pull has reached its full force, before the curve
  for (const auto& [coupler, behind] :
       {std::pair("coupler0", 30), std::pair("coupler9", 21), std::pair("coupler29", 1)})
    EXPECT_NEAR(force(coupler), -240e3 * behind / 31, 0.01 * 240e3);
  EXPECT_NEAR(rate("wheels15.s"), 240e3 / (31 * 40e3) * 15, 0.01);
}

/// The rest of what the gallery is for: it reads well.
TEST(GalleryScenes, AreShort) {
  for (const auto& entry : fs::directory_iterator(fs::path(path("x")).parent_path())) {
    const std::string text = io::read_text(entry.path().string()).text;
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 60) << entry.path();
  }
  for (const char* name : {"chain", "planetary_gear", "train"}) {
    const std::string text = io::read_text(path(name)).text;
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 40) << name;
  }
}

/// All that the program ships as scenes.
std::string shipped() {
  std::string out;
  const fs::path gallery = fs::path(path("x")).parent_path();
  for (const fs::path& folder : {gallery, gallery.parent_path(), gallery.parent_path() / "systems"})
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".toml") out += "\n" + io::read_text(entry.path()).text;
  return out;
}

/// What a family has to choose from, as scenes write it: `type = "gear"`, but what holds anyway.
std::vector<std::string> choices(const io::Family& family) {
  std::vector<std::string> out;
  for (const io::Table& table : family.tables) {
    if (!table.value.empty()) out.push_back(fmt::format("{} = \"{}\"", table.tag, table.value));
    for (const io::Key& key : table.keys)
      for (const std::string& choice : key.form.choices)
        if (key.form.kind == io::Form::Kind::text && choice != key.fallback)
          out.push_back(fmt::format("{} = \"{}\"", key.name, choice));
  }
  return out;
}

TEST(GalleryScenes, HaveEveryKindOfElementAndEveryFormulation) {
  const std::string all = shipped();
  std::vector<std::string> wanted;
  for (const io::Family* family : io::scene_families()) {
    if (!family->element && family->name != "simulation") continue;
    for (const std::string& choice : choices(*family)) wanted.push_back(choice);
  }
  ASSERT_GT(wanted.size(), 50);
  EXPECT_NE(std::find(wanted.begin(), wanted.end(), "type = \"knife-edge\""), wanted.end());
  for (const std::string& choice : wanted)
    EXPECT_NE(all.find(choice), all.npos) << "no scene has " << choice;
  for (const io::Key& key : io::scene_family().tables.front().keys) {
    if (!io::is_elements(key)) continue;
    const std::regex element(
        fmt::format(R"(\n(\[\[([a-z]+\.)?{}\]\]|{} = \[))", key.name, key.name));
    EXPECT_TRUE(std::regex_search(all, element)) << "no scene has a " << key.name;
  }
}

TEST(GalleryScenes, AreAllInTheDocument) {
  const std::string page = io::read_text(TRAMMEL_SOURCE_DIR "/docs/gallery.md").text;
  const fs::path folder = fs::path(path("x")).parent_path();
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().stem().string();
    EXPECT_NE(page.find(fmt::format("pictures/gallery/{}.svg", name)), page.npos) << name;
    EXPECT_TRUE(
        fs::exists(fmt::format("{}/docs/pictures/gallery/{}.svg", TRAMMEL_SOURCE_DIR, name)))
        << name;
    ++count;
  }
  EXPECT_GE(count, 25);
}

TEST(GalleryScenes, CheckWithoutAFault) {
  for (const auto& entry : fs::directory_iterator(fs::path(path("x")).parent_path())) {
    const auto prepared = prepare(entry.path().string(), {});
    const auto* problems = std::get_if<io::SceneProblems>(&prepared);
    EXPECT_EQ(problems, nullptr) << (problems ? to_text(problems->front()) : "");
  }
}

}  // namespace
}  // namespace trammel::cli::gallery_test

// A coordinate against its row, "down = -Az.D", moves as one along its row in frames turned round.
#include "support.h"

namespace trammel::acceptance::signed_coordinates_test {
namespace {

/// A ball on a line along z with a law on its way down, as -Az.D where z of the frames points up or
/// as Az.D where they are turned half about x.
model::Built guided(bool turned, model::LawSpec on_down) {
  model::Builder b;
  b.add_body(solid("ball", 2, {0.1, 0.1, 0.1}, {Vec3(0, 0, -0.1)}));
  auto guide = joint("guide", "", "ground", "ball", {});
  const std::vector<std::string> rows{"Ax.D", "Ay.D"},
      down{turned ? "down = Az.D" : "down = -Az.D"};
  guide.table =
      std::make_shared<const joint::Table>(joint::make_table("line", rows, {}, down).table);
  guide.at.reset();
  const Mat3 R = turned ? Mat3(Vec3(1, -1, -1).asDiagonal()) : Mat3(Mat3::Identity());
  guide.frame_a = guide.frame_b = Pose{Vec3::Zero(), R};
  b.add_joint(guide);
  b.add_law(std::move(on_down));
  return built(b);
}

/// Greatest difference of places [m], and of the works in the ledger [J], of the two forms.
struct Apart {
  double way = 0, place = 0, work = 0;
};
Apart apart(const model::LawSpec& spec) {
  Simulation against(guided(false, spec), settings(1, 1e-3)),
      along(guided(true, spec), settings(1, 1e-3));
  Apart out;
  const double start = pose(along, "ball").p.z();
  run(against, [&] {
    along.advance();
    const double z = pose(along, "ball").p.z();
    out.way = std::max(out.way, std::abs(z - start));
    out.place = std::max(out.place, std::abs(pose(against, "ball").p.z() - z));
    for (std::size_t i = 0; i < along.state().ledger.size(); ++i)
      out.work = std::max(out.work, std::abs(against.state().ledger[i] - along.state().ledger[i]));
  });
  EXPECT_LE(against.summary().energy_residual, 1e-3);  // J, of some 10: truncation
  return out;
}

model::LawSpec with(model::LawSpec spec, const Drive& drive) {
  spec.drive = drive;
  return spec;
}

TEST(SignedCoordinate, LawsMoveItAsOneAlongItsRow) {
  const auto wave = [](double t) {
    return Jet{0.1 + 0.2 * std::sin(5 * t), std::cos(5 * t), -5 * std::sin(5 * t)};
  };
  auto stiffening = law("stiffening", "spring", "guide", "down", {{"preload", 9}});
  stiffening.function =
      std::make_shared<const trammel::law::ForceFunction>([](double x, double, double t) {
        return trammel::law::Force{-90 * x * x * x - t, -270 * x * x, 0};
      });
  for (const auto& spec :
       {stiffening,
        law("spring", "spring", "guide", "down",
            {{"stiffness", 20}, {"damping", 2}, {"rest", -0.2}, {"preload", 9}}),
        with(law("motor", "motor", "guide", "down", {{"force_min", -30}, {"force_max", 4}}),
             {Drive::Level::velocity, 0.4}),
        with(law("drive", "driven", "guide", "down"),
             {Drive::Level::displacement, Signal::function(wave)}),
        law("brake", "locked", "guide", "down",
            {{"value", 0.1}, {"force_min", -12}, {"force_max", 3}})}) {
    SCOPED_TRACE(spec.name);
    const Apart a = apart(spec);
    EXPECT_GE(a.way, 0.1);
    EXPECT_LE(a.place, 1e-12);  // rounding
    EXPECT_LE(a.work, 1e-10);
  }
}

/// Bounds of a row of the joint's own, "down = -Az.D": 12 N against 19.6 N of weight hold it back.
TEST(SignedCoordinate, LimitsOfARowAreThoseOfItsName) {
  model::Builder b;
  b.add_body(solid("ball", 2, {0.1, 0.1, 0.1}));
  auto guide = joint("guide", "", "ground", "ball", {});
  const std::vector<std::string> rows{"Ax.D", "Ay.D", "down = -Az.D"};
  guide.table = std::make_shared<const joint::Table>(joint::make_table("line", rows, {}, {}).table);
  guide.rows.push_back({});
  guide.rows[0].row = "down";
  guide.rows[0].force_min = -12;
  guide.rows[0].force_max = 1000;
  b.add_joint(guide);
  Simulation sim(built(b), settings(0.5, 1e-3));
  run(sim);
  EXPECT_NEAR(pose(sim, "ball").p.z(), -0.125 * (9.81 - 6), 1e-9);  // rounding: a parabola
}

}  // namespace
}  // namespace trammel::acceptance::signed_coordinates_test

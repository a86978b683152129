// Springs along directions, their stops, drives: docs/from-solfec.md, SET_DISPLACEMENT to the end.
#include "from_solfec.h"

namespace trammel::acceptance::from_solfec_springs_test {
namespace {

using namespace from_solfec;

class Springs : public EveryWay {};
INSTANTIATE_TEST_SUITE_P(FromSolfec, Springs, every_way(), name_of);

/// Greatest distance of the carts of the driven oscillator from their ways on paper.
double off_of_carts(const std::string& text, const Keys& keys) {
  SceneRun carts(text, keys);
  const double W = 10 * M_PI, w2 = 10, w = std::sqrt(w2);
  const double A = w2 / (W * W * (W * W - w2)), B = -W / (w * (W * W - w2));
  double off = 0, driven = 0;
  carts.each([&](double t) {
    const double x1 = t / W - std::sin(W * t) / (W * W);
    const double x2 = 1 + t / W + A * std::sin(W * t) + B * std::sin(w * t);
    driven = std::max(driven, std::abs(carts.place("first").x() - x1));
    off = std::max(off, std::abs(carts.place("second").x() - x2));
  });
  record("off", off);
  EXPECT_LE(driven, 1e-11);  // tolerance of rows
  return off;
}

TEST_P(Springs, OscillatorIsDrivenAsOnPaper) {
  const std::string text = text_of("driven oscillator");
  EXPECT_LE(off_of_carts(text, GetParam().keys(text)), GetParam().within(1.4e-8));  // truncation
}

TEST(FromSolfec, OscillatorInOrderFour) {
  // Solfec-1.0: 7e-9 by Gauss-Seidel, 6e-7 by quasi-Newton
  std::string text = text_of("driven oscillator");
  const std::string function = "function = \"-k*(x - 1 m)\"";  // of a function steps are of order 2
  text.replace(text.find(function), function.size(), "stiffness = \"k\"\nrest = \"1 m\"");
  EXPECT_LE(off_of_carts(text, {{"simulation.order", "4"}}), 1e-11);
}

/// x(t) of x'' = -100 x - c x', x0 = v0 = 1.
double swing(double t, double c) {
  const double d = c / 2, w = std::sqrt(100 - d * d);
  return std::exp(-d * t) * (std::cos(w * t) + (1 + d) / w * std::sin(w * t));
}

double off_from_swing(const Way& way, double c, const Keys& keys) {
  Keys all = keys;
  if (c > 0) all["law.spring.damping"] = fmt::format("{}", c);
  SceneRun spring("along a direction", way, all);
  double off = 0;
  spring.each(
      [&](double t) { off = std::max(off, std::abs(spring.place("mass").x() - swing(t, c))); });
  return off / std::hypot(1, 0.1);
}

TEST(FromSolfec, SpringAlongADirectionIsAsNearAsTheirsOrNearer) {
  const Keys fine{{"simulation.step", "1e-3"}}, coarse{{"simulation.step", "4e-3"}};
  Keys order4 = coarse;
  order4["simulation.order"] = "4";
  const double phase = 1e-6 * 100 / 24 * 10 * 20;  // (w h)^2 w t / 24
  EXPECT_LE(off_from_swing({}, 0, fine), 1.01 * phase);
  EXPECT_LE(off_from_swing({}, 0, coarse), 16.2 * phase);
  EXPECT_LE(off_from_swing({}, 2, fine), 3.1e-5);    // Solfec-1.0 (quasi-Newton)
  EXPECT_LE(off_from_swing({}, 2, coarse), 4.9e-4);  // likewise
  EXPECT_LE(off_from_swing({}, 0, order4), 1e-5);    // theirs: 1.3e-2
  EXPECT_LE(off_from_swing({"acceleration"}, 0, coarse), 1e-6);
}

/// A point mass at r on a spring along an axis that turns with W about z, by Runge and Kutta:
/// r'' = -k/m (n.r) n.
Vec3 on_turning_axis(double k_by_m, double W, Vec3 r, Vec3 v, double T) {
  const int n = 20000;
  const double h = T / n;
  const auto a = [&](double t, const Vec3& at) -> Vec3 {
    const Vec3 axis(std::cos(W * t), std::sin(W * t), 0);
    return -k_by_m * axis.dot(at) * axis;
  };
  for (int i = 0; i < n; ++i) {
    const double t = i * h;
    const Vec3 a1 = a(t, r), v2 = v + h / 2 * a1, a2 = a(t + h / 2, r + h / 2 * v);
    const Vec3 v3 = v + h / 2 * a2, a3 = a(t + h / 2, r + h / 2 * v2), v4 = v + h * a3;
    const Vec3 a4 = a(t + h, r + h * v3);
    r += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return r;
}

/// The spring of the page from a turntable to a mass, the direction going along with the turntable,
/// which is body a or body b.
std::string convected(bool of_b) {
  std::string out =
      "format = 1\n[simulation]\nduration = 1\ngravity = 0\n"
      "[[body]]\nname = \"table\"\nkind = \"prescribed\"\n"
      "turns = [{axis = [0, 0, 1], angle = {velocity = 3}}]\n"
      "[[body]]\nname = \"mass\"\nmass = 2\nsphere = 0.1\nposition = [1, 0.5, 0]\n"
      "velocity = [0, 1, 0.3]\n"
      "[[law]]\nname = \"spring\"\ntype = \"spring\"\ndirection = [1, 0, 0]\nstiffness = 80\n";
  return out + (of_b ? "a = \"mass\"\nb = \"table\"\npoint_a = [0, 0, 0]\npoint_b = [0, 0, 0]\n"
                       "turns_with = \"b\"\n"
                     : "a = \"table\"\nb = \"mass\"\npoint_a = [0, 0, 0]\npoint_b = [0, 0, 0]\n");
}

TEST_P(Springs, DirectionGoesAlongWithEitherBody) {
  const Vec3 want = on_turning_axis(40, 3, {1, 0.5, 0}, {0, 1, 0.3}, 1);
  for (const bool of_b : {false, true}) {
    SCOPED_TRACE(of_b);
    SceneRun spring(convected(of_b), GetParam().keys(convected(of_b)));
    const double sign = of_b ? -1 : 1;
    EXPECT_NEAR(spring.now().coordinate("spring.length"), sign * 1, 1e-15);
    spring.to_end();
    record("off", (spring.place("mass") - want).norm());
    EXPECT_LE((spring.place("mass") - want).norm(), GetParam().within(2e-5));  // truncation
  }
}

TEST_P(Springs, DirectionFixedInSpaceIsACouplingOfTwoWays) {
  SceneRun spring("fixed in space", GetParam());
  const double w = std::sqrt(100 * (1 + 1 / 3.));
  double off = 0;
  spring.each([&](double t) {
    // z1 - z2 = 0.5/w sin w t, z1 + 3 z2 = 0.5 t; nothing acts along x and y
    const double z = 0.5 / w * std::sin(w * t), centre = 0.5 * t / 4;
    off = std::max({off, (spring.place("first") - Vec3(0, 0, centre + 0.75 * z)).norm(),
                    (spring.place("second") - Vec3(1, t, centre - 0.25 * z)).norm()});
  });
  record("off", off);
  EXPECT_LE(off, GetParam().within(3e-6));  // truncation: w^3 h^2 t / 24 of 5 cm
}

TEST(FromSolfec, StopsOfASpringThrowBack) {
  // by impulses a stop throws back at the end of the step that meets it: 19 stops, 2 m/s
  for (const auto& [formulation, off] :
       {std::pair("velocity", 19 * 2 * 2e-3), std::pair("acceleration", 1e-6)}) {
    SCOPED_TRACE(formulation);
    SceneRun mass("elastic stops", Way{formulation});
    double most = 0, fastest = 0;
    mass.each([&](double) {
      most = std::max(most, std::abs(mass.place("mass").x()));
      fastest = std::max(fastest, std::abs(mass.now().velocity("mass").x()));
    });
    EXPECT_LE(most, 0.1 + 2e-3);  // a stop is met within a step of 2 m/s
    // from the middle to the stop: asin(0.1 w/v)/w; back and forth 4 of these
    const double quarter = std::asin(0.5) / 10, t = std::fmod(2., 4 * quarter);
    const double want = t < quarter       ? 0.2 * std::sin(10 * t)
                        : t < 3 * quarter ? -0.2 * std::sin(10 * (t - 2 * quarter))
                                          : 0.2 * std::sin(10 * (t - 4 * quarter));
    record("off", mass.place("mass").x() - want);
    EXPECT_NEAR(mass.place("mass").x(), want, off);
    EXPECT_NEAR(fastest, 2, 1e-3);  // no energy is lost
  }
}

TEST(FromSolfec, StopsThatThrowBackAreRefusedByEnergy) {
  const auto result =
      io::load_scene_text(text_of("elastic stops"), "x.toml",
                          std::vector<io::Override>{{"simulation.formulation", "energy"}});
  const auto* problems = std::get_if<io::SceneProblems>(&result);
  ASSERT_NE(problems, nullptr);
  EXPECT_NE(to_text((*problems)[0]).find("restitution"), std::string::npos);
}

/// Eight masses of 10 kg, 0.5 m apart on springs of 1 kN/m, the first one driven by sin W t: by
/// Runge and Kutta.
TEST_P(Springs, EightMassesInARowFollowTheFirst) {
  const double W = 10 * M_PI;
  std::string text =
      "format = 1\n[simulation]\nduration = 1\ngravity = 0\n[[repeat]]\ncount = 8\n"
      "[[repeat.body]]\nname = \"m{i}\"\nmass = 10\nsphere = 0.1\nposition = [\"0.5*i\", 0, 0]\n";
  text +=
      "[[repeat]]\ncount = 7\n[[repeat.law]]\nname = \"s{i}\"\ntype = \"spring\"\na = \"m{i}\"\n"
      "b = \"m{i + 1}\"\nfunction = \"-1000*(x - 0.5)\"\n";
  text +=
      "[[law]]\nname = \"shaker\"\ntype = \"driven\"\nb = \"m0\"\ndirection = [1, 0, 0]\n"
      "displacement = {formula = \"t/(10*pi) - sin(10*pi*t)/(10*pi)^2\"}\n";
  Way way = GetParam();
  Keys keys = way.keys(text);
  if (way.affine)
    for (int i = 0; i < 8; ++i) {
      keys[fmt::format("body.m{}.kind", i)] = "affine";
      keys[fmt::format("body.m{}.stiffness", i)] = "inf";
    }
  SceneRun chain(text, keys);
  chain.to_end();

  std::array<double, 8> x{}, v{};
  const int n = 20000;
  const double h = 1. / n;
  const auto accelerations = [&](const std::array<double, 8>& at) {
    std::array<double, 8> a{};
    for (std::size_t i = 1; i < 8; ++i)
      a[i] = 100 * (at[i - 1] - at[i] + (i < 7 ? at[i + 1] - at[i] : 0));
    return a;
  };
  const auto first = [&](double t) { return t / W - std::sin(W * t) / (W * W); };
  for (int k = 0; k < n; ++k) {  // Stoermer and Verlet: h^2 of it is nothing beside 1 ms
    x[0] = first(k * h);
    auto a = accelerations(x);
    for (std::size_t i = 1; i < 8; ++i) v[i] += h / 2 * a[i], x[i] += h * v[i];
    x[0] = first((k + 1) * h);
    a = accelerations(x);
    for (std::size_t i = 1; i < 8; ++i) v[i] += h / 2 * a[i];
  }
  double off = 0;
  for (std::size_t i = 0; i < 8; ++i)
    off = std::max(off, std::abs(chain.place(fmt::format("m{}", i).c_str()).x() -
                                 (0.5 * static_cast<double>(i) + x[i])));
  record("off", off);
  EXPECT_LE(off, way.within(1e-6));  // truncation
}

}  // namespace
}  // namespace trammel::acceptance::from_solfec_springs_test

// Objects on curves beside the same ones by formulas, and the functions of a curve against
// differences.
#include "body/path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "body/system.h"
#include "body/test_systems.h"
#include "expr/tape.h"
#include "geom/alignment.h"
#include "geom/basic.h"
#include "math/index.h"
#include "track/track.h"

namespace trammel::body::path_test {
namespace {

using expr::Expression;

constexpr double kRadius = 3, kPitch = 2;

std::shared_ptr<const Path> helix() {
  const geom::HelixSpec spec{.radius = kRadius, .pitch = kPitch, .turns = 5};
  return std::make_shared<const Path>("helix", std::make_shared<const geom::Helix>(spec));
}

/// To the same helix in words: out along a radius that turns, up, the tangent's slope.
void by_formulas(expr::Graph& g, Expression s, SystemObject& o) {
  const double rise = kPitch / (2 * std::numbers::pi), c = std::hypot(kRadius, rise);
  const Expression phi = s / c;
  o.position = {kRadius * expr::apply(expr::Op::cos, phi),
                kRadius * expr::apply(expr::Op::sin, phi), rise * phi};
  o.turns = {{Vec3::UnitZ(), phi + std::numbers::pi / 2},
             {Vec3::UnitY(), g.constant(-std::asin(rise / c))}};
}

/// Objects with full inertia: one on the helix, one that moves beside that one, and another helix
/// on it with one more.
SystemSpec system_on_helices(bool by_path) {
  SystemSpec out = test::random_system(5, 2, 3);
  expr::Graph& g = *out.graph;
  const Expression s = 4 + 2 * out.coordinates[0].x + out.coordinates[1].x;
  const auto path = helix();
  std::vector<SystemObject> objects;
  const auto carry = [&](int on, Expression at_s) {
    SystemObject o;
    o.name = "carrier" + std::to_string(objects.size());
    o.on = on;
    if (by_path)
      o.track = {path, at_s};
    else
      by_formulas(g, at_s, o);
    objects.push_back(o);
    return static_cast<int>(objects.size()) - 1;
  };
  const auto put = [&](std::size_t i, int on) {
    SystemObject o = out.objects[i];
    o.on = on;
    objects.push_back(o);
    return static_cast<int>(objects.size()) - 1;
  };
  const int first = put(0, carry(-1, s));
  put(1, first);
  put(2, carry(first, 1 + out.coordinates[1].x * out.coordinates[1].x));
  out.objects = objects;
  return out;
}

/// All that a pool answers at one state.
std::vector<double> answers(const SystemPool& pool) {
  const std::vector<double> derived = pool.parameters(), q{0.3, 0.8}, u{-0.7, 1.1};
  const std::size_t n = 2, objects = at(pool.n_objects);
  std::vector<double> out;
  const auto keep = [&](const auto& numbers) {
    for (const double x : numbers) out.push_back(x);
  };
  std::vector<Transform> pose(objects);
  std::vector<double> jacobian(objects * 6 * n), H(n * n), f(n), q1(n), P(n), P1(n);
  pool.transforms(derived.data(), q.data(), pose.data(), jacobian.data());
  keep(jacobian);
  for (const Transform& T : pose) {
    keep(T.p);
    keep(T.A.reshaped());
  }
  pool.embedded_mass(derived.data(), q.data(), pose.data(), H.data());
  keep(H);
  pool.add_own_force(derived.data(), q.data(), u.data(), f.data());
  keep(f);
  std::vector<Rate> rate(objects);
  std::vector<Bias> bias(objects);
  pool.rates(derived.data(), q.data(), u.data(), pose.data(), rate.data(), bias.data());
  for (std::size_t k = 0; k < objects; ++k) {
    keep(rate[k].v);
    keep(rate[k].A.reshaped());
    keep(bias[k].v);
    keep(bias[k].A.reshaped());
  }
  pool.momentum(derived.data(), q.data(), u.data(), P.data());
  pool.flow(derived.data(), 0.01, q.data(), P.data(), q1.data(), P1.data());
  keep(q1);
  keep(P1);
  for (int k = 0; k < pool.n_objects; ++k) {
    H.assign(n * n, 0);
    Mat3 F;
    F << 1, 2, 3, -1, 0.5, 2, 0.1, 4, -2;
    pool.add_second_variation(0, derived.data(), q.data(), pose[at(k)], k, Vec3(1, -2, 0.5), F,
                              H.data());
    keep(H);
  }
  return out;
}

TEST(SystemPath, IsWhatFormulasSay) {
  const std::vector<double> path = answers(SystemPool(system_on_helices(true))),
                            formulas = answers(SystemPool(system_on_helices(false)));
  ASSERT_EQ(path.size(), formulas.size());
  for (std::size_t i = 0; i < path.size(); ++i)  // rounding
    EXPECT_NEAR(path[i], formulas[i], 1e-11 * std::max(1.0, std::abs(formulas[i]))) << i;
}

std::shared_ptr<const Path> line() {
  geom::AlignmentSpec spec;
  spec.plan.elements = {{geom::Shape::constant, 20, 0, 0},
                        {geom::Shape::bloss, 30, 0, 1. / 50},
                        {geom::Shape::constant, 40, 1. / 50, 1. / 50}};
  spec.profile = geom::ProfileSpec{.elements = {{geom::ProfileShape::parabola, 90, -0.02, 0.03}}};
  track::CantSpec cant;
  cant.elements = {{geom::Shape::constant, 20, 0, 0},
                   {geom::Shape::bloss, 30, 0, 0, 0, 0.15},
                   {geom::Shape::constant, 40, 0, 0, 0.15, 0.15}};
  return std::make_shared<const Path>(
      "line", std::make_shared<const track::Track>(
                  "line", std::make_shared<const geom::Alignment>(spec), track::Twist(cant)));
}

/// Values, first or second derivatives of all numbers at s that are functions.
std::vector<double> numbers_at(const Path& path, double s, int derivative) {
  expr::Graph g;
  const Expression x = g.variable("s");
  const Path::At on = path.at(x);
  std::vector<Expression> list;
  for (const symbolic::Vec& v : {on.p, on.C[0], on.C[1], on.C[2], on.w, on.t})
    for (const Expression e : v)
      if (e && !expr::is_constant(e)) list.push_back(e);
  const expr::Compiled c =
      expr::Tape::compile(list, std::span(&x, 1), {.active = 1, .order = derivative});
  EXPECT_TRUE(c) << c.error;
  std::vector<double> y(list.size()), y1(y), y2(y), scratch(c.tape.scratch_size());
  const double one = 1, zero = 0;
  if (derivative == 0) c.tape.value(std::span(&s, 1), y, scratch);
  if (derivative == 1) c.tape.gradient(std::span(&s, 1), y, y1, scratch);
  if (derivative == 2)
    c.tape.directional(std::span(&s, 1), std::span(&one, 1), std::span(&zero, 1), y, y1, y2,
                       scratch);
  return derivative == 0 ? y : derivative == 1 ? y1 : y2;
}

/// Derivatives at s beside differences over h.
void expect_derivatives(const Path& path, double s, double h, double tolerance) {
  for (int order = 1; order <= 2; ++order) {
    const std::vector<double> slope = numbers_at(path, s, order),
                              a = numbers_at(path, s - h, order - 1),
                              b = numbers_at(path, s + h, order - 1);
    for (std::size_t i = 0; i < slope.size(); ++i)
      EXPECT_NEAR(slope[i], (b[i] - a[i]) / (2 * h), tolerance) << s << ' ' << i << ' ' << order;
  }
}

TEST(SystemPath, FunctionsOfALineHaveTheirDerivatives) {
  const auto path = line();
  EXPECT_EQ(numbers_at(*path, 5, 0).size(), 15U);  // the tangent is e_x
  // differences: h^2 f'''/6, rounding over h
  for (const double s : {5., 33., 41.7, 75.}) expect_derivatives(*path, s, 1e-3, 1e-9);
}

/// A point with mass on a line has the energy m s'^2/2 and nothing else, whatever the line.
TEST(SystemPath, APointsInertiaIsItsMass) {
  SystemSpec spec;
  spec.graph = std::make_shared<expr::Graph>();
  spec.coordinates.push_back({"s", spec.graph->variable("s"), false});
  SystemObject o;
  o.name = "point";
  o.track = {line(), spec.coordinates[0].x};
  o.mass = 7;
  spec.objects.push_back(o);
  const Equations e = lagrange(spec, false);
  ASSERT_TRUE(e.error.empty()) << e.error;
  EXPECT_TRUE(e.A[0] && expr::is_constant(e.A[0]));
  EXPECT_EQ(expr::constant_value(e.A[0]), 7);
  EXPECT_FALSE(e.b[0]);
  EXPECT_FALSE(e.grad_T[0]);
}

/// A level line, then a vertical circle without a transition.
std::shared_ptr<const Path> crest() {
  geom::AlignmentSpec spec;
  spec.plan.elements = {{geom::Shape::constant, 60, 0, 0}};
  spec.profile = geom::ProfileSpec{.elements = {{geom::ProfileShape::grade, 20, 0, 0},
                                                {geom::ProfileShape::circle, 40, 0, -0.4}}};
  return std::make_shared<const Path>("crest", std::make_shared<const geom::Alignment>(spec));
}

/// What goes over from the level onto the circle keeps its energy: with its centre of mass h above
/// the track the energy is m (1 + k h)^2 s'^2/2 + I (k s')^2/2 on the circle of curvature k.
TEST(SystemPath, KeepsItsEnergyWhereCurvatureJumps) {
  constexpr double kHeight = 1.5, kMass = 3, kMoment = 4;
  SystemSpec spec;
  spec.graph = std::make_shared<expr::Graph>();
  spec.coordinates.push_back({"s", spec.graph->variable("s"), false});
  SystemObject o;
  o.name = "car";
  o.track = {crest(), spec.coordinates[0].x};
  o.com = {0, 0, kHeight};
  o.mass = kMass;
  o.inertia = {1, kMoment, 1, 0, 0, 0};
  spec.objects.push_back(o);
  const SystemPool pool(spec);
  const std::vector<double> derived = pool.parameters();
  const geom::CurvePoint on = crest()->curve().at(50);
  const double k = on.Omega.norm(),
               m = kMass * (1 + k * kHeight) * (1 + k * kHeight) + kMoment * k * k;
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const double h = 0.02 / (1 + i);
    double q = 10, u = 5, P = 0, q1 = 0, P1 = 0;
    pool.momentum(derived.data(), &q, &u, &P);
    EXPECT_NEAR(P, kMass * u, 1e-12);
    while (q < 25) {
      pool.flow(derived.data(), h, &q, &P, &q1, &P1);
      q = q1;
      P = P1;
    }
    error[i] = std::abs(P * P / (2 * m) - kMass * 12.5);
  }
  EXPECT_LT(error[0], 2e-2);  // of 37.5 J: steps of 0.1 m through a metre
  EXPECT_LT(error[1], error[0] / 3);
}

/// Arcs, grades and cant without any transition, of less than a metre among them.
std::shared_ptr<const Path> broken_line() {
  geom::AlignmentSpec spec;
  spec.plan.elements = {{geom::Shape::constant, 20, 0, 0},
                        {geom::Shape::constant, 10, 1. / 8, 1. / 8},
                        {geom::Shape::constant, 0.6, 0, 0},
                        {geom::Shape::constant, 9.4, -1. / 5, -1. / 5}};
  spec.profile = geom::ProfileSpec{.elements = {{geom::ProfileShape::grade, 20.3, 0.1, 0.1},
                                                {geom::ProfileShape::circle, 19.7, 0.1, -0.4}}};
  track::CantSpec cant;
  cant.elements = {{geom::Shape::constant, 25, 0, 0}, {geom::Shape::linear, 15, 0, 0, 0, 0.4}};
  return std::make_shared<const Path>(
      "broken", std::make_shared<const track::Track>(
                    "broken", std::make_shared<const geom::Alignment>(spec), track::Twist(cant)));
}

/// Places within half a metre of the jumps of a line, no nearer to them than 1 mm.
std::vector<double> near_jumps(const Path& path) {
  const geom::Curve& curve = path.curve();
  std::vector<double> out;
  for (std::size_t i = 1; i < curve.pieces(); ++i)
    if (curve.jump(i) != geom::Jump::none)
      for (const double x : {-0.43, -0.21, -0.06, -2e-3, 2e-3, 0.1, 0.24, 0.41})
        out.push_back(curve.piece_start(i) + x);
  return out;
}

TEST(SystemPath, FunctionsHaveTheirDerivativesWhereCurvatureJumps) {
  const auto path = broken_line();
  const std::vector<double> places = near_jumps(*path);
  ASSERT_GE(places.size(), 4 * 8U);
  EXPECT_EQ(numbers_at(*path, 5, 0).size(), 18U);
  // differences: h^2 f'''/6, of curvatures that change by 0.3 within a metre
  for (const double s : places) expect_derivatives(*path, s, 1e-4, 1e-6);
}

Mat3 rows_of(const double* x) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(x);
}

/// dp/ds = C t and dC/ds = C [w]x.
TEST(SystemPath, FramesAreTheIntegralOfTheirTurning) {
  const auto path = broken_line();
  for (const double s : near_jumps(*path)) {
    const auto value = numbers_at(*path, s, 0), slope = numbers_at(*path, s, 1);
    const Mat3 C = rows_of(&value[3]);
    const Vec3 w = vec3(&value[12]), t = vec3(&value[15]);
    EXPECT_NEAR((C * C.transpose() - Mat3::Identity()).norm(), 0, 1e-14) << s;
    EXPECT_NEAR((C * t - vec3(slope.data())).norm(), 0, 1e-14) << s;
    EXPECT_NEAR((C * skew(w) - rows_of(&slope[3])).norm(), 0, 1e-14) << s;
    EXPECT_NEAR((vec3(value.data()) - path->curve().at(s).p).norm(), 0, 1e-14) << s;
    EXPECT_LT((t - Vec3::UnitX()).norm(), 0.06) << s;  // a part of a turn by 0.3/m in a metre
  }
}

/// So that kinetic energy does not jump, and the frame is the curve's where the blend ends.
TEST(SystemPath, NothingJumpsWhereCurvatureDoes) {
  constexpr double kNear = 1e-9;  // [m]
  const auto path = broken_line();
  const geom::Curve& curve = path->curve();
  for (std::size_t i = 1; i < curve.pieces(); ++i)
    for (const double x : {-0.5, -0.3, 0., 0.3, 0.5}) {
      const double s = curve.piece_start(i) + x;
      const auto before = numbers_at(*path, s - kNear, 0), after = numbers_at(*path, s + kNear, 0);
      for (std::size_t k = 0; k < before.size(); ++k)
        EXPECT_NEAR(before[k], after[k], 10 * kNear) << s << ' ' << k;
    }
  const geom::CurvePoint far = curve.at(19.4);
  const auto value = numbers_at(*path, 19.4, 0);
  EXPECT_EQ(rows_of(&value[3]), far.C);
}

TEST(SystemPath, EndsWhereTheCurveDoes) {
  const auto path = line();
  const double length = path->curve().length();
  EXPECT_TRUE(std::isfinite(numbers_at(*path, length, 0)[0]));
  EXPECT_TRUE(std::isnan(numbers_at(*path, length + 1e-6, 0)[0]));
  EXPECT_TRUE(std::isnan(numbers_at(*path, -1e-6, 0)[0]));
  EXPECT_TRUE(std::isfinite(numbers_at(*path, 0, 0)[0]));
}

}  // namespace
}  // namespace trammel::body::path_test

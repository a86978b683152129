// Which law and load works on which kind of body in which formulation: every
// cell is run, and the table that follows is the one in docs/options.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>

#include "body/pool.h"
#include "law/load.h"
#include "sim/size.h"
#include "support.h"

namespace trammel::acceptance::support_matrix_test {
namespace {

using form::Settings;

/// A body kind of a program's own: a mass that slides along x.
class OwnPool final : public body::Pool {
 public:
  OwnPool() { n_blocks = nq = nv = n_objects = n_params = n_derived = 1; }
  std::string_view kind() const override { return "own"; }
  body::MotionKind motion_kind() const override { return body::MotionKind::rigid; }
  void derive(const double* m, double* derived) const override { *derived = 1 / *m; }
  void transforms(const double*, const double* q, body::Transform* out,
                  double* jacobian) const override {
    std::fill_n(jacobian, 6, 0.0);
    *jacobian = 1;
    out->p = {*q, 0, 0};
  }
  void inverse_mass(const double* derived, const double*, const body::Transform*,
                    double* out) const override {
    *out = *derived;
  }
  void momentum(const double* derived, const double*, const double* u, double* P) const override {
    *P = *u / *derived;
  }
  void rates(const double*, const double*, const double* u, const body::Transform*,
             body::Rate* rate, body::Bias* bias) const override {
    *rate = {{*u, 0, 0}, Mat3::Zero()};
    *bias = {};
  }
  void flow(const double* derived, double h, const double* q, const double* P, double* q1,
            double* P1) const override {
    *q1 = *q + h * *derived * *P;
    *P1 = *P;
  }
  void retract(const double* dq, double* q) const override { *q += *dq; }
  void difference(const double* q, const double* q1, double* dq) const override { *dq = *q1 - *q; }
  void add_own_force(const double*, const double*, const double*, double*) const override {}
  void add_momentum(const double*, const double*, const double* P, Vec3& linear,
                    Vec3&) const override {
    linear.x() += *P;
  }
  void add_second_variation(int, const double*, const double*, const body::Transform&, int,
                            const Vec3&, const Mat3&, double*) const override {}
  double mass(const double* params, int, int) const override { return *params; }
};

struct Way {
  const char* name;
  Settings settings;
};

std::vector<Way> formulations() {
  Settings velocity, baumgarte, acceleration, soft, rows, midpoint;
  baumgarte.scheme = Settings::Scheme::baumgarte;
  acceleration.formulation = Settings::Formulation::acceleration;
  soft.formulation = Settings::Formulation::energy;
  rows = midpoint = soft;
  rows.joint_stiffness = law::kInf;
  midpoint.difference = Settings::Difference::midpoint;
  return {{"V", velocity}, {"B", baumgarte}, {"A", acceleration},
          {"E", soft},     {"R", rows},      {"M", midpoint}};
}

const std::vector<const char*> kKinds{"rigid",      "affine",          "affine, shape held",
                                      "prescribed", "without inertia", "of a program"};

/// A slide along x, or with a body that cannot but slide nothing, to body b; a
/// law or load on it.
model::Builder mechanism(std::size_t kind) {
  model::Builder b;
  b.gravity.setZero();
  const model::Solid cube{model::Solid::Kind::box, {0.1, 0.1, 0.1}};
  model::BodySpec body;
  body.name = "b";
  body.mass = 1;
  body.solid = cube;
  std::string base = "ground", type = "prismatic";
  if (kind == 1) body.affine.emplace();
  if (kind == 2) body.affine.emplace().stiffness = law::kInf;
  if (kind == 3) {
    model::BodySpec moved;
    moved.name = base = "base";
    moved.motion.emplace();
    moved.motion->displacement[1].signal = Signal::function([](double t) {
      return Jet{0.1 * t * t, 0.2 * t, 0.2};
    });
    b.add_body(moved);
  }
  if (kind == 4) body = solid("b", 1, Vec3::Zero());
  if (kind == 5) {
    b.add_pool({std::make_shared<OwnPool>(), {"b"}, {1}, {0}, {0}});
    type = "free";
  } else {
    b.add_body(body);
  }
  b.add_joint(joint("slide", type, base, "b", Pose{}));
  return b;
}

struct Acting {
  std::string name;
  std::string type;  // of a law or load
  std::map<std::string, double> numbers = {};
  bool function = false;  // the force is a function
};

const std::vector<Acting>& laws() {
  static const std::vector<Acting> list{
      {"locked", "locked"},
      {"locked, unilateral", "locked", {{"unilateral", 1}}},
      {"locked, with force bounds", "locked", {{"force_min", -5}, {"force_max", 5}}},
      {"driven", "driven"},
      {"limit", "limit", {{"from", -1}}},
      {"limit, with restitution", "limit", {{"from", -1}, {"restitution", 0.5}}},
      {"spring and damper", "spring", {{"stiffness", 100}, {"damping", 1}}},
      {"spring, a function", "spring", {}, true},
      {"motor", "motor"},
      {"motor, with force bounds", "motor", {{"force_min", -5}, {"force_max", 5}}},
      {"actuator", "actuator"},
      {"motor, with a force limit", "motor", {}, true},
      {"load-friction", "load-friction", {{"mu", 0.1}}},
      {"friction", "friction", {{"force", 1}}},
      {"friction, greater at rest", "friction", {{"force", 1}, {"static_force", 2}}}};
  return list;
}

const std::vector<Acting>& loads() {
  static const std::vector<Acting> list{{"force", "force"},
                                        {"torque", "torque"},
                                        {"drag", "drag", {{"linear", 1}}},
                                        {"formula", "formula"}};
  return list;
}

void add_law(model::Builder& b, const Acting& acting, std::size_t kind) {
  model::LawSpec l =
      law("law", acting.type, "slide", kind == 5 ? "Ax.D" : "travel", acting.numbers);
  if (acting.type == "driven")
    l.drive = {Drive::Level::displacement, Signal::function([](double t) {
                 return Jet{0.1 * t * t, 0.2 * t, 0.2};
               })};
  if (acting.type == "actuator") l.force = Signal(1.0);
  if (acting.type == "motor") l.drive = {Drive::Level::velocity, Signal(0.1)};
  if (acting.function)
    l.function =
        std::make_shared<const law::ForceFunction>(law::ForceFunction{[](double x, double, double) {
          return law::Force{-100 * x * x * x, -300 * x * x, 0};
        }});
  b.add_law(l);
}

void add_load(model::Builder& b, const Acting& acting) {
  model::LoadSpec l;
  l.name = "load";
  l.body = "b";
  l.type = acting.type;
  l.numbers = acting.numbers;
  if (acting.type == "formula")
    l.function[0] = std::make_shared<const law::LoadFunction>(
        [](const law::LoadArguments& x) { return -x[law::kLoadVelocity]; });
  else if (acting.type != "drag")
    l.value[0] = Signal(1.0);
  b.add_load(l);
}

/// True where a run of the mechanism is not refused; then its first steps are
/// made.
bool works(const model::Built& built, const Settings& way) {
  const sim::Settings s = settings(3e-3, 1e-3, way);
  if (!sim::refused(built, s).empty()) return false;
  sim::Simulation run(built, s);
  while (!run.finished())
    if (!run.advance()) {
      ADD_FAILURE() << run.failure();
      return false;
    }
  return true;
}

std::string row_of(const Acting& acting, bool load) {
  std::string line = fmt::format("| {} |", acting.name);
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    SCOPED_TRACE(acting.name + ", " + kKinds[kind]);
    if (acting.type == "load-friction" && kind == 5) {  // no row holds that body: nothing presses
      line += " - - - - - - |";
      continue;
    }
    model::Builder b = mechanism(kind);
    if (load)
      add_load(b, acting);
    else
      add_law(b, acting, kind);
    const model::Built mechanism = built(b);
    for (const Way& way : formulations()) {
      SCOPED_TRACE(way.name);
      line += fmt::format(" {}", works(mechanism, way.settings) ? way.name : "-");
    }
    line += " |";
  }
  return line + "\n";
}

std::string reference() {
  std::string out = "| law or load |", line = "|---|";
  for (const char* kind : kKinds) {
    out += fmt::format(" {} |", kind);
    line += "---|";
  }
  out += "\n" + line + "\n";
  for (const Acting& acting : laws()) out += row_of(acting, false);
  for (const Acting& acting : loads()) out += row_of(acting, true);
  return out;
}

TEST(SupportMatrix, HasEveryLawAndLoad) {
  std::set<std::string> tried;
  for (const auto& list : {laws(), loads()})
    for (const Acting& acting : list) tried.insert(acting.type);
  for (const law::Type* t : law::types()) EXPECT_TRUE(tried.contains(std::string(t->name)));
  for (const law::LoadType* t : law::load_types())
    EXPECT_TRUE(tried.contains(std::string(t->name)));
}

TEST(SupportMatrix, IsThatOfTheManual) {
  std::ifstream file(std::string(TRAMMEL_SOURCE_DIR) + "/docs/options.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}}, begin = "<!-- laws -->\n",
                                                                    end = "<!-- end of laws -->";
  const std::size_t from = text.find(begin);
  ASSERT_NE(from, std::string::npos);
  const std::size_t first = from + begin.size();
  const std::string now = reference();
  if (text.substr(first, text.find(end) - first) == now) return;
  std::ofstream(testing::TempDir() + "laws.md") << now;
  ADD_FAILURE() << "docs/options.md: put " << testing::TempDir() << "laws.md between the marks";
}

}  // namespace
}  // namespace trammel::acceptance::support_matrix_test

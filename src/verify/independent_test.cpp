// The check of results by themselves: right ones pass in every way of solving, and each error that
// is put into a mechanism or its results is named.
#include "verify/independent.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "io/scene.h"
#include "joint/table.h"
#include "math/rotation.h"
#include "verify/meaning.h"
#include "verify/verify.h"

namespace trammel::verify::independent_test {
namespace {

namespace fs = std::filesystem;

class IndependentCheck : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "trammel_check_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const char* name) const { return (folder_ / name).string(); }

  Independent recorded(const model::Built& built, const sim::Settings& settings) {
    fs::remove(file("a.h5"));
    record(built, settings, {}, file("a.h5"));
    return check(io::ResultsReader(file("a.h5")), allowed_of(settings, built.model->scales));
  }

  using Header = std::function<void(io::Header&)>;
  using Row = std::function<void(const io::Series&, std::size_t frame, std::vector<double>&)>;
  /// What the check says once the results have been changed.
  std::string tampered(const Header& header, const Row& row = {}) {
    const io::ResultsReader from(file("a.h5"));
    io::Header changed = from.header();
    if (header) header(changed);
    fs::remove(file("b.h5"));
    io::ResultsWriter to(file("b.h5"), changed, from.series());
    const std::vector<double> t = from.time();
    for (std::size_t k = 0; k < from.frames(); ++k) {
      to.append_frame(t[k]);
      for (std::size_t i = 0; i < from.series().size(); ++i) {
        std::vector<double> numbers = from.read_rows(i, k, 1);
        if (row) row(from.series()[i], k, numbers);
        to.append(i, numbers);
      }
    }
    to.close();
    const auto findings = check(io::ResultsReader(file("b.h5")), {}).findings();
    return fmt::format("{}", fmt::join(findings, "\n"));
  }

  fs::path folder_;
};

model::Built built(const model::Builder& builder) {
  auto result = builder.build();
  if (auto* problems = std::get_if<std::vector<Problem>>(&result))
    throw std::runtime_error(problems->front().path + ": " + problems->front().text);
  return std::get<model::Built>(std::move(result));
}

model::BodySpec block(const std::string& name, const Vec3& com, const Vec3& v, const Vec3& w) {
  model::BodySpec b;
  b.name = name;
  b.mass = 2.5;
  b.inertia = {0.05, 0.07, 0.06, 0.004, -0.003, 0.002};
  b.com = com;
  b.v = v;
  b.w = w;
  return b;
}

/// Two bodies, the second on the first by `type`, the first hung on the ground by a ball joint; all
/// frames turned, set going. Things that roll: a body on the ground, moving on it.
model::Builder pair(const std::string& type, double speed = 1) {
  model::Builder b;
  const bool rolls = type.starts_with("rolling") || type == "knife-edge";
  const Mat3 turned = exp_matrix(Vec3(0.3, -0.2, 0.4));
  model::JointSpec j;
  j.name = "joint";
  j.type = type;
  j.b = "second";
  if (rolls) {  // on the plane z = 0: x of frame A points up
    Mat3 up;
    up << 0, 1, 0, 0, 0, 1, 1, 0, 0;
    b.gravity = {0.5, 0.2, -9.81};
    b.add_body(block("second", {0, 0, 0}, {0.3, 0.1, 0}, {0.2, 0.4, 1}));
    j.frame_a = Pose{{0, 0, type == "knife-edge" ? 0 : -0.3}, up};
    j.frame_b = Pose{{0, 0, 0}, type == "rolling-disc" ? exp_matrix(Vec3(0.2, 0, 0)) : up};
    b.add_joint(j);
    return b;
  }
  b.add_body(block("first", {0.2, 0.1, 0}, Vec3::Zero(), speed * Vec3(0.3, 0.2, -0.5)));
  b.add_body(
      block("second", {0.1, 0.4, -0.2}, speed * Vec3(0.1, 0, 0.2), speed * Vec3(-1, 2, 0.5)));
  model::JointSpec hung;
  hung.name = "hung";
  hung.type = "spherical";
  hung.b = "first";
  hung.at = Pose{};
  b.add_joint(hung);
  j.a = "first";
  j.at = Pose{Vec3(0.3, 0.2, 0.1), turned};
  if (type == "distance") {
    j.at.reset();
    j.frame_a = Pose{Vec3(0.3, 0.2, 0.1), turned};
    j.frame_b = Pose{Vec3(0.3, 0.6, 0.1), turned};
  }
  b.add_joint(j);
  return b;
}

sim::Settings settings(double duration, double step) {
  sim::Settings s;
  s.duration = duration;
  s.step = step;
  return s;
}

sim::Settings by_forces(double duration, double step) {
  sim::Settings s = settings(duration, step);
  s.form.formulation = form::Settings::Formulation::acceleration;
  return s;
}

sim::Settings by_energy(double duration, double step, double stiffness) {
  sim::Settings s = settings(duration, step);
  s.form.formulation = form::Settings::Formulation::energy;
  s.form.joint_stiffness = stiffness;
  return s;
}

std::string said(const Independent& c) { return fmt::format("{}", fmt::join(c.findings(), "\n")); }

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const Residual* find(const Independent& c, const std::string& what) {
  for (const Residual& r : c.residuals)
    if (r.what == what) return &r;
  return nullptr;
}

TEST_F(IndependentCheck, EveryTypeOfJointMeansWhatItSays) {
  std::set<std::string> types;
  for (const joint::Table& t : joint::tables()) types.insert(t.name);
  for (const Meaning& m : meanings()) types.erase(std::string(m.type));
  EXPECT_TRUE(types.empty()) << *types.begin();
  for (const Meaning& m : meanings()) {
    if (!m.free) continue;  // needs a track: scenes with one are checked by the program
    const model::Built made = built(pair(std::string(m.type)));
    for (const sim::Settings& s : {settings(0.3, 1e-3), by_forces(0.3, 1e-2),
                                   by_energy(0.3, 1e-3, law::kInf), by_energy(0.3, 1e-3, 1e8)}) {
      const Independent c = recorded(made, s);
      EXPECT_TRUE(c.findings().empty()) << m.type << "\n" << said(c);
      ASSERT_TRUE(find(c, "linear momentum of a body") && find(c, "points of a joint"));
      EXPECT_GT(find(c, "velocities at a joint")->allowed, 0);
      EXPECT_TRUE(c.left_out.empty()) << c.left_out.front();
    }
  }
}

/// The same pair with bodies that are held in shape, or strain under 20 kPa.
model::Builder affine_pair(const std::string& type, double stiffness) {
  model::Builder out;
  model::BodySpec first = block("first", {0.2, 0.1, 0}, Vec3::Zero(), {0.3, 0.2, -0.5}),
                  second = block("second", {0.1, 0.4, -0.2}, {0.1, 0, 0.2}, {-1, 2, 0.5});
  for (model::BodySpec* body : {&first, &second}) {
    body->affine = model::Elastic{stiffness, {}, 1};
    if (std::isfinite(stiffness)) body->affine->volume = 0.01;
    out.add_body(*body);
  }
  model::JointSpec hung, joint;
  hung.name = "hung";
  hung.type = "spherical";
  hung.b = "first";
  hung.at = Pose{};
  out.add_joint(hung);
  joint.name = "joint";
  joint.type = type;
  joint.a = "first";
  joint.b = "second";
  joint.at = Pose{Vec3(0.3, 0.2, 0.1), exp_matrix(Vec3(0.3, -0.2, 0.4))};
  out.add_joint(joint);
  return out;
}

TEST_F(IndependentCheck, AffineBodiesObeyNewtonAndEuler) {
  for (const char* type : {"spherical", "revolute", "prismatic", "fixed", "parallel"})
    for (const double stiffness : {law::kInf, 2e4})
      for (const sim::Settings& s : {settings(0.3, 1e-3), by_forces(0.3, 1e-2),
                                     by_energy(0.3, 1e-3, law::kInf), by_energy(0.3, 1e-3, 1e8)}) {
        SCOPED_TRACE(fmt::format("{} {} {}", type, stiffness, name_of(s.form.formulation)));
        const Independent c = recorded(built(affine_pair(type, stiffness)), s);
        EXPECT_TRUE(c.findings().empty()) << said(c);
        EXPECT_EQ(c.bodies, 2u);
        ASSERT_TRUE(find(c, "linear momentum of a body"));
        const Residual* angular = find(c, "angular momentum of an affine body");
        ASSERT_TRUE(angular);
        const bool energy = s.form.formulation == form::Settings::Formulation::energy;
        EXPECT_EQ(angular->judged, !energy);
        EXPECT_LE(angular->worst, energy ? 1e-3 : 1e-7);  // truncation, of some 1 N m s
        EXPECT_EQ(find(c, "shape of a body") != nullptr, std::isinf(stiffness));
        if (std::isinf(stiffness)) {
          EXPECT_TRUE(c.left_out.empty()) << c.left_out.front();
        } else {
          const bool meets = std::string(type) != "prismatic" && std::string(type) != "parallel";
          EXPECT_EQ(c.left_out.size(), meets ? 2u : 3u);
        }
      }
}

/// What turns almost without inertia, and what spins freely on 1 GPa: right, and found so.
TEST_F(IndependentCheck, TinyAndStiffBodiesAreNoFaults) {
  model::Builder tiny = pair("revolute");
  model::BodySpec grain = block("grain", Vec3::Zero(), {0.2, 0, 0.1}, {3, -2, 5});
  grain.mass = 1e-6;
  grain.inertia = {1e-10, 1.2e-10, 0.8e-10, 0, 0, 0};
  tiny.add_body(grain);
  model::JointSpec j;
  j.name = "hangs";
  j.type = "spherical";
  j.a = "ground";
  j.b = "grain";
  j.frame_b = Pose{Vec3(0, 0, 0.01), Mat3::Identity()};
  j.frame_a = Pose{Vec3(0, 0, 0.01), Mat3::Identity()};
  tiny.add_joint(j);
  model::Builder stiff;
  stiff.gravity.setZero();
  model::BodySpec spins;
  spins.name = "spins";
  spins.density = 1000;
  spins.solid = model::Solid{model::Solid::Kind::box, {1, 0.2, 0.1}};
  spins.w = {0, 0, 5};
  spins.affine = model::Elastic{1e9, {}};
  stiff.add_body(spins);
  for (const model::Builder& b : {tiny, stiff})
    for (const sim::Settings& s : {settings(0.05, 1e-4), by_energy(0.05, 1e-3, law::kInf)}) {
      const Independent c = recorded(built(b), s);
      EXPECT_TRUE(c.findings().empty()) << name_of(s.form.formulation) << "\n" << said(c);
    }
}

std::size_t rank(const std::vector<Motion>& motions) {
  if (motions.empty()) return 0;
  Eigen::Matrix<double, 6, Eigen::Dynamic> all(6, motions.size());
  for (std::size_t i = 0; i < motions.size(); ++i)
    all.col(static_cast<Eigen::Index>(i)) << motions[i].v, motions[i].w;
  return static_cast<std::size_t>(all.colPivHouseholderQr().rank());
}

// Each type's free motions and conditions count six together, and no condition forbids a free one.
TEST(Meaning, WhatIsFreeOffendsNothing) {
  Frames f;
  f.a.R = exp_matrix(Vec3(0.3, -0.2, 0.4));
  f.b.R = f.a.R;
  f.distance = 0.4;
  for (const Meaning& m : meanings()) {
    if (!m.free) continue;
    f.b.p = Vec3::Zero();
    if (m.type == "distance" || m.type.starts_with("rolling")) f.b.p = 0.4 * f.a.x();
    for (const Motion& motion : m.free(f)) {
      f.b.v = motion.v;
      f.b.w = motion.w;
      const Offence o = m.offence(f);
      EXPECT_LT(o.gap + o.angle + o.speed + o.spin, 1e-14) << m.type;
    }
    EXPECT_EQ(rank(m.free(f)), m.free(f).size()) << m.type;
    std::size_t offending = 0;  // of the six simple motions
    for (int k = 0; k < 6; ++k) {
      f.b.v = k < 3 ? Vec3(f.a.R.col(k)) : Vec3::Zero();
      f.b.w = k < 3 ? Vec3::Zero() : Vec3(f.a.R.col(k - 3));
      const Offence o = m.offence(f);
      offending += o.speed + o.spin > 0.1;
    }
    if (m.type.starts_with("rolling")) continue;
    EXPECT_EQ(offending + m.free(f).size(), 6u) << m.type;
  }
}

TEST_F(IndependentCheck, LawsOnCoordinatesAreNoOffence) {
  for (const auto& [type, coordinate] :
       std::vector<std::pair<std::string, std::string>>{{"revolute", "angle"},
                                                        {"prismatic", "travel"},
                                                        {"cylindrical", "angle"},
                                                        {"universal", "first"},
                                                        {"universal", "second"},
                                                        {"planar", "z"},
                                                        {"spherical", "pitch"},
                                                        {"spherical", "roll"},
                                                        {"spherical", "yaw"}}) {
    for (const char* law : {"spring", "friction"}) {
      model::Builder b = pair(type);
      model::LawSpec l;
      l.name = "law";
      l.type = law;
      l.joint = "joint";
      l.coordinate = coordinate;
      l.numbers = l.type == "spring" ? std::map<std::string, double>{{"stiffness", 20}}
                                     : std::map<std::string, double>{{"force", 0.2}};
      b.add_law(l);
      const Independent c = recorded(built(b), settings(0.2, 1e-3));
      EXPECT_TRUE(c.findings().empty()) << type << " " << coordinate << " " << said(c);
      const std::string what = type == "prismatic" || type == "planar"
                                   ? "reactions where a joint slides"
                                   : "reactions where a joint turns";
      EXPECT_TRUE(find(c, what)) << type;
    }
  }
}

TEST_F(IndependentCheck, CouplingsAndLoadsAreInTheMomenta) {
  model::Builder b = pair("cylindrical");
  model::CouplingSpec screw = model::screw({"joint", "travel"}, {"joint", "angle"}, 0.1);
  screw.name = "screw";
  b.add_coupling(screw);
  model::LoadSpec push;
  push.name = "push";
  push.body = "second";
  push.point = {0.1, 0.2, 0.3};
  push.value = {Signal(3.0), Signal(-2.0), Signal(1.0)};
  push.axes = law::Axes::body;
  b.add_load(push);
  model::LoadSpec drag = push;
  drag.name = "drag";
  drag.type = "drag";
  drag.value = {};
  drag.numbers["linear"] = 0.5;
  drag.numbers["quadratic"] = 0.3;
  b.add_load(drag);
  const model::Built made = built(b);
  EXPECT_TRUE(said(recorded(made, by_forces(0.3, 1e-2))).empty());
  for (const double stiffness : {law::kInf, 1e8}) {
    const Independent energy = recorded(made, by_energy(0.3, 1e-3, stiffness));
    EXPECT_FALSE(has(said(energy), "momentum")) << said(energy);
  }
  const Independent c = recorded(made, settings(0.3, 1e-3));
  // what the screw does shows as work of the joint that it is on
  for (const std::string& f : c.findings()) EXPECT_TRUE(has(f, "reactions")) << f;
  ASSERT_EQ(c.left_out.size(), 1u);
  EXPECT_TRUE(has(c.left_out[0], "'screw'")) << c.left_out[0];
}

TEST_F(IndependentCheck, FindsWhatIsWrongInTheNumbers) {
  model::Builder b = pair("revolute");
  const Independent right = recorded(built(b), settings(0.3, 1e-3));
  ASSERT_TRUE(right.findings().empty()) << said(right);
  EXPECT_EQ(tampered({}), "");
  const auto constant = [](const char* path, const char* column, double by) {
    return [=](io::Header& h) {
      for (io::Constants& t : h.constants)
        for (std::size_t c = 0; c < t.columns.size(); ++c)
          if (t.path == path && t.columns[c] == column)
            t.values[t.values.size() - t.columns.size() + c] += by;  // of the last item
    };
  };
  const auto number = [](const char* path, std::size_t at, double by) {
    return [=](const io::Series& s, std::size_t k, std::vector<double>& row) {
      if (s.path == path && k >= 100) row[at] += by;
    };
  };
  const auto expect = [&](const std::string& got, const char* what, const char* subject) {
    EXPECT_TRUE(has(got, fmt::format("{} '{}'", what, subject))) << what << ": " << got;
  };
  const char *body = "second", *joint = "joint";
  expect(tampered(constant("/model/bodies", "mass", 1e-6)), "linear momentum of a body", body);
  expect(tampered(constant("/model/bodies", "Ixy", 1e-6)), "angular momentum of a body", body);
  expect(tampered(constant("/model/joints", "b_x", 1e-6)), "points of a joint", joint);
  expect(tampered(constant("/model/joints", "b_qy", 1e-6)), "directions of a joint", joint);
  const auto later = tampered({}, number("/joints/impulse", 9, 1e-7));
  expect(later, "linear momentum of a body", "first");
  EXPECT_TRUE(has(later, "from t = 0.1 s on")) << later;
  expect(tampered({}, number("/joints/impulse", 9 + 6, 1e-7)), "angular momentum of a body", body);
  expect(tampered({}, number("/bodies/velocity", 3, 1e-6)), "velocities at a joint", joint);
  expect(tampered({}, number("/bodies/angular_velocity", 4, 1e-4)), "angular velocities at a joint",
         joint);
  expect(tampered({}, number("/joints/reactions", 6 + 3, 1e-5)), "reactions where a joint turns",
         joint);
}

/// Along its slide a joint has no force.
TEST_F(IndependentCheck, FindsForcesAlongASlide) {
  const Independent right = recorded(built(pair("prismatic")), settings(0.3, 1e-3));
  ASSERT_TRUE(right.findings().empty()) << said(right);
  std::string got;
  for (const std::size_t k : {0U, 1U, 2U})
    got += tampered({}, [=](const io::Series& s, std::size_t frame, std::vector<double>& row) {
      if (s.path == "/joints/reactions" && frame >= 100) row[6 + k] += 1e-5;
    });
  EXPECT_TRUE(has(got, "reactions where a joint slides 'joint'")) << got;
}

// What is slow by nature is looked at as closely: velocities off by a millionth of its own.
TEST_F(IndependentCheck, FindsWhatIsWrongInSlowMotion) {
  constexpr double kSlow = 1e-5;
  model::Builder b = pair("revolute", kSlow);
  b.gravity.setZero();
  const Independent right = recorded(built(b), settings(0.3, 1e-3));
  ASSERT_TRUE(right.findings().empty()) << said(right);
  const std::string got =
      tampered({}, [](const io::Series& s, std::size_t k, std::vector<double>& row) {
        if (s.path == "/bodies/velocity" && k >= 100) row[3] += 1e-6 * kSlow;
      });
  EXPECT_TRUE(has(got, "velocities at a joint 'joint'")) << got;
}

TEST_F(IndependentCheck, FindsWhatIsWrongInTheNumbersOfAffineBodies) {
  const Independent right =
      recorded(built(affine_pair("revolute", law::kInf)), settings(0.3, 1e-3));
  ASSERT_TRUE(right.findings().empty()) << said(right);
  const auto changed = [&](const char* path, std::size_t at, double by) {
    return tampered({}, [=](const io::Series& s, std::size_t k, std::vector<double>& row) {
      if (s.path == path && k >= 100) row[at] += by;
    });
  };
  const auto expect = [&](const std::string& got, const char* what) {
    EXPECT_TRUE(has(got, fmt::format("{} 'second'", what))) << got;
  };
  expect(changed("/bodies/affine", 9 + 4, 1e-7), "shape of a body");
  expect(changed("/bodies/affine_rate", 9 + 4, 1e-6), "rate of its shape");
  expect(changed("/bodies/affine_rate", 9 + 1, 1e-6), "angular momentum of an affine body");
  expect(changed("/joints/impulse", 9 + 6, 1e-7), "angular momentum of an affine body");
  expect(changed("/bodies/velocity", 3, 1e-6), "linear momentum of a body");
  const auto inertia = tampered([](io::Header& h) {
    for (io::Constants& t : h.constants)
      if (t.path == "/model/bodies") t.values[t.values.size() - 2] += 1e-5;  // Ixz of the last
  });
  expect(inertia, "angular momentum of an affine body");
}

/// A table called revolute whose rows are not a revolute's: every formulation believes them.
model::Built believed(const std::vector<std::string>& rows) {
  model::Builder b;
  b.add_body(block("door", {0.3, 0.4, 0.2}, Vec3::Zero(), Vec3::Zero()));
  model::JointSpec j;
  j.name = "hinge";
  auto parsed = joint::make_table("revolute", rows, {}, {});
  if (!parsed.problems.empty()) throw std::runtime_error(parsed.problems.front());
  j.table = std::make_shared<const joint::Table>(std::move(parsed.table));
  j.b = "door";
  j.at = Pose{};
  b.add_joint(j);
  return built(b);
}

TEST_F(IndependentCheck, FindsErrorsThatAllFormulationsShare) {
  const auto judged = [&](const std::vector<std::string>& rows) {
    const model::Built made = believed(rows);
    Report r = verify(made, settings(0.3, 1e-3), {.choose_horizon = false, .work = 0});
    EXPECT_TRUE(r.agrees());  // with each other
    EXPECT_GT(r.pairs.size(), 0u);
    fs::remove(file("a.h5"));
    check_results(made, settings(0.3, 1e-3), {}, file("a.h5"), r);
    return fmt::format("{}", fmt::join(r.findings, "\n"));
  };
  EXPECT_EQ(judged({"Ax.D", "Ay.D", "Az.D", "Ax.By", "Ax.Bz"}), "");
  const std::string slack = judged({"Ax.D", "Ay.D", "Ax.By", "Ax.Bz"});
  EXPECT_TRUE(has(slack, "points of a joint 'hinge'")) << slack;
  const std::string astray = judged({"Ax.D", "Ay.D", "Az.D", "Ax.By", "Ay.Bz"});
  EXPECT_TRUE(has(astray, "directions of a joint 'hinge'")) << astray;
  EXPECT_TRUE(has(astray, "angular velocities at a joint 'hinge'")) << astray;
  EXPECT_TRUE(has(astray, "reactions where a joint turns 'hinge'")) << astray;
}

TEST_F(IndependentCheck, BreakingAndDriftingAreNoOffence) {
  model::Builder b;
  b.add_body(block("bob", {0, 0.5, 0}, Vec3::Zero(), Vec3::Zero()));
  model::JointSpec j;
  j.name = "pivot";
  j.type = "revolute";
  j.b = "bob";
  j.at = Pose{};
  j.strength = 40;
  b.add_joint(j);
  const Independent broken = recorded(built(b), settings(1, 1e-3));
  EXPECT_TRUE(broken.findings().empty()) << said(broken);
  sim::Settings soft = settings(0.5, 1e-3);
  soft.form.scheme = form::Settings::Scheme::baumgarte;
  const Independent drifts = recorded(built(pair("revolute")), soft);
  EXPECT_TRUE(drifts.findings().empty()) << said(drifts);
  EXPECT_GT(find(drifts, "points of a joint")->worst, 1e-8);
}

// Rows that are met loosely on purpose are judged by what was asked.
TEST_F(IndependentCheck, ALooseToleranceIsKept) {
  sim::Settings loose = settings(0.5, 1e-3);
  loose.form.tolerance.value = 1e-5;
  const Independent kept = recorded(built(pair("revolute")), loose);
  EXPECT_TRUE(kept.findings().empty()) << said(kept);
  EXPECT_GT(find(kept, "points of a joint")->worst, 1e-7);
  EXPECT_LT(find(kept, "points of a joint")->allowed, 3e-5);
}

// Laws that hold each other leave their rounding; more than that is found.
TEST_F(IndependentCheck, LawsThatCancelAreRounded) {
  model::Builder b;
  b.gravity.setZero();
  b.add_body(block("door", Vec3::Zero(), Vec3::Zero(), Vec3::Zero()));
  model::JointSpec hinge;
  hinge.name = "hinge";
  hinge.type = "revolute";
  hinge.b = "door";
  hinge.at = Pose{Vec3::Zero(), exp_matrix(Vec3(0.3, -0.2, 0.4))};
  b.add_joint(hinge);
  model::LawSpec law;
  law.joint = "hinge";
  law.type = "spring";
  law.name = "one";
  law.numbers = {{"stiffness", 1}, {"rest", 1.7e3}};
  b.add_law(law);
  law.type = "driven";  // it holds against the spring by what a solve leaves, not to the last bit
  law.name = "other";
  law.numbers = {};
  law.drive = Drive{.signal = Signal(0.)};
  b.add_law(law);
  const Independent right = recorded(built(b), settings(0.3, 1e-3));
  EXPECT_TRUE(right.findings().empty()) << said(right);
  const std::string got =
      tampered({}, [](const io::Series& s, std::size_t k, std::vector<double>& row) {
        if (s.path == "/joints/reactions" && k >= 100)
          for (double& x : row) x += 1e-7;
      });
  EXPECT_TRUE(has(got, "reactions where a joint turns 'hinge'")) << got;
}

// Without gravity the wheels' bearings carry nothing but rounding.
TEST_F(IndependentCheck, WhatOnlyTurnsHasMomentaOfRounding) {
  auto loaded = io::load_scene(TRAMMEL_SOURCE_DIR "/scenes/gallery/differential.toml");
  auto& scene = std::get<io::LoadedScene>(loaded);
  scene.scene.settings.duration = 0.02;
  const auto findings = recorded(scene.built, scene.scene.settings).findings();
  EXPECT_TRUE(findings.empty()) << fmt::format("{}", fmt::join(findings, "\n"));
}

}  // namespace
}  // namespace trammel::verify::independent_test

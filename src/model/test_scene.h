#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "body/rigid.h"
#include "geom/basic.h"
#include "math/rotation.h"
#include "model/builder.h"

/// A sound mechanism, in which tests of the builder's rules break one rule each.
namespace trammel::model::test {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = law::kInf;

/// A crank on a hinge with a spring, a rod on a ball joint at its end with a force, a car on a
/// track.
struct Scene {
  Builder options;
  BodySpec crank, rod, car;
  JointSpec hinge, ball, ride;
  LawSpec spring;
  LoadSpec push;
  TrackSpec line;
  std::vector<BodySpec> more_bodies;
  std::vector<JointSpec> more_joints;
  std::vector<LawSpec> more_laws;
  std::vector<TrackSpec> more_tracks;
  std::vector<PoolSpec> more_pools;

  Scene() {
    crank.name = "crank";
    crank.mass = 1;
    crank.inertia = {0.1, 0.2, 0.25, 0, 0, 0.01};
    crank.X_WB.p = {0.5, 0, 0};
    rod.name = "rod";
    rod.density = 500;
    rod.solid = Solid{Solid::Kind::cylinder, Vec3(0.05, 1, 0)};
    rod.X_WB.p = {1, 0, -0.5};
    car = crank;
    car.name = "car";
    car.X_WB = {};
    car.on_track = OnTrack{"line", 5, 2, false};
    hinge.name = "hinge";
    hinge.type = "revolute";
    hinge.b = "crank";
    hinge.at = Pose{};
    ball.name = "ball";
    ball.type = "spherical";
    ball.a = "crank";
    ball.b = "rod";
    ball.at = Pose{Vec3(1, 0, 0), Mat3::Identity()};
    ride.name = "ride";
    ride.type = "track";
    ride.b = "car";
    ride.track = "line";
    spring.name = "spring";
    spring.type = "spring";
    spring.joint = "hinge";
    spring.coordinate = "angle";
    spring.numbers = {{"stiffness", 10}};
    push.name = "push";
    push.body = "rod";
    push.value[0] = 3;
    line.name = "line";
    line.track = std::make_shared<track::Track>("line", std::make_shared<geom::Line>(Pose{}, 20));
  }
  auto build() const {
    Builder b = options;
    for (const BodySpec& s : {crank, rod, car}) b.add_body(s);
    for (const BodySpec& s : more_bodies) b.add_body(s);
    for (const JointSpec& s : {hinge, ball, ride}) b.add_joint(s);
    for (const JointSpec& s : more_joints) b.add_joint(s);
    b.add_law(spring);
    for (const LawSpec& s : more_laws) b.add_law(s);
    b.add_load(push);
    b.add_track(line);
    for (const TrackSpec& s : more_tracks) b.add_track(s);
    for (const PoolSpec& s : more_pools) b.add_pool(s);
    return b.build();
  }
};

inline BodySpec turntable() {
  BodySpec s;
  s.name = "turntable";
  s.motion = body::Prescribed{};
  return s;
}

/// Two bodies as a pool of the caller's own.
inline PoolSpec two_bodies() {
  auto pool = std::make_shared<body::RigidPool>();
  pool->n_blocks = 2;
  return {pool,
          {"left", "right"},
          {1, 1, 1, 1, 0, 0, 0, 2, 1, 1, 1, 0, 0, 0},
          {0, 3, 0, 1, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0},
          std::vector<double>(12, 0.0)};
}

inline Signal wave() {
  return Signal::function([](double t) { return Jet{t, 1, 0}; });
}

inline JointSpec joint_between(const char* name, const char* type, const char* a, const char* b) {
  JointSpec s;
  s.name = name;
  s.type = type;
  s.a = a;
  s.b = b;
  s.at = Pose{};
  return s;
}

inline RowSpec row(const char* name) {
  RowSpec s;
  s.row = name;
  s.path = "joint.ride.rows.lateral";
  return s;
}

/// A rule broken in the scene, and the one problem that follows.
struct Wrong {
  const char* name;
  std::function<void(Scene&)> spoil;
  const char *path, *text;
};
inline void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }
inline std::string name_of(const testing::TestParamInfo<Wrong>& info) { return info.param.name; }

using Result = std::variant<Built, std::vector<Problem>>;

inline std::vector<Problem> problems(const Result& result) {
  const auto* list = std::get_if<std::vector<Problem>>(&result);
  return list ? *list : std::vector<Problem>{};
}

inline void expect_said_alone(const Wrong& wrong) {
  Scene scene;
  wrong.spoil(scene);
  const auto list = problems(scene.build());
  for (std::size_t i = 1; i < list.size(); ++i)
    ADD_FAILURE() << list[i].path << ": " << list[i].text;
  ASSERT_FALSE(list.empty());
  EXPECT_EQ(list[0].path, wrong.path);
  EXPECT_NE(list[0].text.find(wrong.text), std::string::npos) << list[0].text;
}

}  // namespace trammel::model::test

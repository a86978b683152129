// What holds in any scene with contact: random bodies of all shapes, alone and in chains with
// friction and motors, fall onto a floor and against a wall.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

#include "contact_support.h"
#include "math/index.h"
#include "math/rotation.h"
#include "model/ledger.h"

namespace trammel::acceptance::contact_random_test {
namespace {

using body::Solid;

struct Member {
  Solid solid;
  double mass = 1;
  Pose X;
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
};

/// Joins a member to the one before it; `rubs`: with dry friction, `driven`: by a bounded motor.
struct Link {
  int b = 0;
  const char *type = "spherical", *coordinate = "";
  Pose at;
  bool rubs = false, driven = false;
};

struct Scene {
  std::vector<Member> members;
  std::vector<Link> links;
  Vec3 gravity = Vec3::Zero();
  double friction = 0, restitution = 0, step = 1e-3;
};

/// Draws numbers.
struct Dice {
  std::mt19937 of;
  double in(double lo, double hi) { return std::uniform_real_distribution<>(lo, hi)(of); }
  int below(int n) { return std::uniform_int_distribution<>(0, n - 1)(of); }
  Vec3 vector(double size) { return size * Vec3(in(-1, 1), in(-1, 1), in(-1, 1)); }
  Mat3 turn() { return exp_matrix(vector(3)); }
};

Solid random_solid(Dice& dice) {
  const auto size = [&] { return dice.in(0.05, 0.13); };
  switch (dice.below(5)) {
    case 0:
      return {Solid::Kind::sphere, {size(), 0, 0}};
    case 1:
      return {Solid::Kind::box, 2 * Vec3(size(), size(), size())};
    case 2:
      return {Solid::Kind::capsule, {size(), 2 * size(), 0}};
    case 3:
      return {Solid::Kind::cylinder, {size(), 2 * size(), 0}};
    default:
      return {Solid::Kind::cone, {size(), 2 * size(), dice.in(0, 0.05)}};
  }
}

Scene random_scene(Dice& dice) {
  constexpr double kApart = 0.55;  // [m]
  Scene out;
  const int n = 2 + dice.below(5);
  for (int i = 0; i < n; ++i) {
    const bool linked = i > 0 && dice.below(5) < 2;
    Member m{random_solid(dice), std::pow(10, dice.in(-0.5, 0.5)), {}, {}, {}};
    m.X = {kApart * Vec3(i % 2, i / 2 % 2, i / 4) + Vec3(0.35, 0.35, 0.35) + dice.vector(0.05),
           dice.turn()};
    m.v = linked ? out.members.back().v : Vec3(Vec3(0, 0, -2) + dice.vector(1.5));
    if (linked) {
      constexpr std::pair<const char*, const char*> kTypes[] = {
          {"spherical", ""}, {"revolute", "angle"},     {"prismatic", "travel"},
          {"universal", ""}, {"cylindrical", "travel"}, {"fixed", ""}};
      const auto [type, coordinate] = kTypes[dice.below(6)];
      const bool has_law = *coordinate != 0;
      out.links.push_back({i,
                           type,
                           coordinate,
                           {0.5 * (m.X.p + out.members.back().X.p), dice.turn()},
                           has_law && dice.below(2) > 0,
                           has_law && dice.below(3) == 0});
      out.members.back().w.setZero();
    } else {
      m.w = dice.vector(5);
    }
    out.members.push_back(m);
  }
  out.gravity = kGravity * (Vec3(0, 0, -1) + dice.vector(0.3)).normalized();
  out.friction = dice.below(4) > 0 ? dice.in(0.1, 0.9) : 0;
  out.restitution = dice.below(2) > 0 ? dice.in(0, 0.9) : 0;
  out.step = std::pow(10, dice.in(-3.2, -2.5));
  return out;
}

/// From where a scene is seen, and in what order its bodies are listed.
struct View {
  Pose X;
  Vec3 v = Vec3::Zero();
  std::vector<int> order = {};
  bool beside = false;  // with bodies that touch none of the others
};

std::string name_of(int i) { return "b" + std::to_string(i); }

void add_floors(const View& view, model::Builder& b) {
  for (const Vec3& normal : {Vec3(0, 0, 1), Vec3(1, 0.1, 0)}) {
    const model::ContactSpec floor = floor_below(view.X.p, view.X.R * normal);
    if (view.v == Vec3::Zero()) {
      b.add_obstacle(floor);
      continue;
    }
    model::BodySpec moved;
    moved.name = fmt::format("floor{}", normal.x());
    body::Prescribed motion;
    for (int k = 0; k < 3; ++k)
      motion.displacement[at(k)] = {Drive::Level::displacement,
                                    Signal::function([v = view.v[k]](double t) {
                                      return Jet{v * t, v, 0};
                                    })};
    moved.motion = motion;
    moved.contacts = {floor};
    b.add_body(moved);
  }
}

void add_link(const Link& link, const View& view, model::Builder& b) {
  const std::string name = "j" + std::to_string(link.b);
  b.add_joint(joint(name, link.type, name_of(link.b - 1), name_of(link.b), view.X * link.at));
  if (link.rubs) b.add_law(law(name + "rub", "friction", name, link.coordinate, {{"force", 0.5}}));
  if (!link.driven) return;
  auto motor =
      law(name + "motor", "motor", name, link.coordinate, {{"force_min", -2}, {"force_max", 2}});
  motor.drive = Drive{Drive::Level::velocity, Signal(1)};
  b.add_law(motor);
}

model::Builder seen(const Scene& scene, const View& view) {
  model::Builder b;
  b.gravity = view.X.R * scene.gravity;
  b.add_contact_law(everywhere(scene.friction, scene.restitution));
  add_floors(view, b);
  std::vector<int> order = view.order;
  if (order.empty()) {
    order.resize(scene.members.size());
    std::iota(order.begin(), order.end(), 0);
  }
  for (const int i : order) {
    const Member& m = scene.members[at(i)];
    if (view.beside) {
      const Pose X = view.X * Pose{Vec3(2 + i, 5, 0.1), Mat3::Identity()};
      model::BodySpec rests = block("beside" + std::to_string(i), {0.2, 0.2, 0.2}, m.mass, X.p);
      rests.X_WB.R = X.R;
      rests.v = view.v;
      b.add_body(rests);
    }
    model::BodySpec s;
    s.name = name_of(i);
    s.solid = m.solid;
    s.mass = m.mass;
    s.X_WB = view.X * m.X;
    s.v = view.X.R * m.v + view.v;
    s.w = view.X.R * m.w;
    b.add_body(touching(s));
  }
  for (const Link& link : scene.links) add_link(link, view, b);
  return b;
}

constexpr double kDuration = 0.25;  // [s]

/// Where the bodies are at the end, as the scene itself has it.
std::vector<Pose> ends(const Scene& scene, const View& view) {
  Simulation sim(built(seen(scene, view)), settings(kDuration, scene.step));
  run(sim);
  const Pose X{view.X.p + kDuration * view.v, view.X.R};
  std::vector<Pose> out;
  for (int i = 0; i < count(scene.members); ++i) out.push_back(inverse(X) * pose(sim, name_of(i)));
  return out;
}

double farthest(const std::vector<Pose>& a, const std::vector<Pose>& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    out = std::max({out, (a[i].p - b[i].p).norm(), (a[i].R - b[i].R).norm()});
  return out;
}

std::string text(const Scene& scene) {
  std::string out = fmt::format("friction {:.3g}, restitution {:.3g}, step {:.3g};", scene.friction,
                                scene.restitution, scene.step);
  for (const Member& m : scene.members) out += fmt::format(" {}", name_of(m.solid));
  for (const Link& l : scene.links)
    out += fmt::format(", {} at {}{}{}", l.type, l.b, l.rubs ? " rubs" : "",
                       l.driven ? " driven" : "");
  return out;
}

constexpr int kScenes = 40;

template <class F>
void for_scenes(const F& check) {
  Dice dice{std::mt19937(11)};
  for (int k = 0; k < kScenes; ++k) {
    const Scene scene = random_scene(dice);
    SCOPED_TRACE(fmt::format("scene {}: {}", k, text(scene)));
    check(scene, dice);
  }
}

/// How many scenes end as they do seen otherwise. Impacts one after the other make of what a solver
/// leaves, 1e-9 of speeds, more and more: those that end otherwise do for that or another
/// reason, and which they are hangs on the compiler.
int alike(const std::function<View(const Scene&, Dice&)>& otherwise) {
  constexpr double kSame = 1e-6;  // [m]
  int out = 0;
  for_scenes([&](const Scene& scene, Dice& dice) {
    const double off = farthest(ends(scene, otherwise(scene, dice)), ends(scene, {}));
    out += off < kSame;
  });
  return out;
}

/// What impacts and contacts gain in a step at most, of the energy; and forces out of their cones.
struct Wrong {
  double gained = 0, outside = 0, pulls = 0;
};
Wrong wrong_of(const Scene& scene, double step) {
  Simulation sim(built(seen(scene, {})), settings(kDuration, step));
  Wrong out;
  double impacts = 0;
  run(sim, [&] {
    const double now = sim.state().ledger[model::kImpacts];
    out.gained = std::max(out.gained, now - impacts);
    impacts = now;
    for (const constraint::ContactForce& f : sim.formulation().contact_forces()) {
      const double n = f.force.dot(f.point.n),
                   size = 0.1 * (1 + f.force.norm());  // normals turn in a step
      out.pulls = std::max(out.pulls, -n / size);
      out.outside =
          std::max(out.outside, ((f.force - n * f.point.n).norm() - scene.friction * n) / size);
    }
  });
  out.gained /= sim.summary().energy_scale;
  return out;
}

/// Gains are truncation of what rolls and turns, of order 2, and beside rows what these are off by,
/// 1e-12 of a length, over the part of a step that an impact has to itself: up to 3e-6 of the
/// energy at the fine step, by compiler. But for a rim that goes over a good part of its disc in a
/// step, as of scene 28, whose cone lands all but flat.
TEST(ContactRandom, NoForceIsOutsideItsConeAndNoImpactGains) {
  int swept = 0;
  for_scenes([&](const Scene& scene, Dice&) {
    const Wrong coarse = wrong_of(scene, scene.step), fine = wrong_of(scene, scene.step / 4);
    EXPECT_LT(coarse.gained, 2e-5);
    EXPECT_LT(fine.gained, 3e-4);
    swept += fine.gained > 5e-6;
    for (const Wrong& wrong : {coarse, fine}) {
      EXPECT_LT(wrong.pulls, 1);
      EXPECT_LT(wrong.outside, 1);
    }
  });
  EXPECT_LE(swept, 1);
}

/// Without friction, without motors, thrown back as it comes.
Scene elastic(Scene scene) {
  scene.friction = 0;
  scene.restitution = 1;
  for (Link& link : scene.links) link.rubs = link.driven = false;
  return scene;
}

TEST(ContactRandom, ElasticImpactsKeepTheEnergy) {
  for_scenes([](const Scene& scene, Dice&) {
    Simulation sim(built(seen(elastic(scene), {})), settings(kDuration, scene.step));
    run(sim);
    EXPECT_NEAR(sim.state().ledger[model::kImpacts] / sim.summary().energy_scale, 0, 1e-3);
  });
}

TEST(ContactRandom, NothingHangsOnTheOrderOfBodies) {
  EXPECT_GE(alike([](const Scene& scene, Dice& dice) {
              View view;
              view.order.resize(scene.members.size());
              std::iota(view.order.begin(), view.order.end(), 0);
              std::shuffle(view.order.begin(), view.order.end(), dice.of);
              return view;
            }),
            32);
}

TEST(ContactRandom, NothingHangsOnWhatStandsBeside) {
  EXPECT_EQ(alike([](const Scene&, Dice&) {
              View view;
              view.beside = true;
              return view;
            }),
            kScenes);
}

TEST(ContactRandom, NothingHangsOnWhereAndHowTheSceneStands) {
  EXPECT_GE(alike([](const Scene&, Dice& dice) {
              View view;
              view.X = {dice.vector(3), dice.turn()};
              return view;
            }),
            24);
}

TEST(ContactRandom, NothingHangsOnHowFastTheSceneGoes) {
  EXPECT_GE(alike([](const Scene&, Dice& dice) {
              View view;
              view.v = dice.vector(3);
              return view;
            }),
            32);
}

}  // namespace
}  // namespace trammel::acceptance::contact_random_test

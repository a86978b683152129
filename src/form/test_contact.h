#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "constraint/barrier/surfaces.h"
#include "contact/test_intersect.h"
#include "contact/test_ring.h"
#include "form/energy.h"
#include "form/test_balance.h"
#include "math/index.h"
#include "math/rotation.h"
#include "model/builder.h"

/// Bodies with surfaces, stepped by hand; after each step an independent check that no surface
/// cuts another.
namespace trammel::form::test {

namespace barrier = contact::barrier;

struct ContactRun {
  int steps = 0, most_iterations = 0, cuts = 0;
  long iterations = 0;
  double least_distance = 1e300, seconds = 0;  // of processors
};

class ContactWorld {
 public:
  explicit ContactWorld(bool affine, double density = 1000) : affine_(affine), density_(density) {
    surfaces_->friction = [this](int, int) { return friction; };
  }
  double friction = 0;
  Settings settings;

  void add_ground(const barrier::Surface& s, const Pose& at) {
    surfaces_->all.push_back({0, std::make_shared<const barrier::Surface>(barrier::moved(s, at))});
  }
  void add_box(const Vec3& sizes, const Pose& at, const Vec3& v = Vec3::Zero(),
               const Vec3& w = Vec3::Zero()) {
    model::BodySpec b;
    b.solid = {body::Solid::Kind::box, sizes};
    b.density = density_;
    add(b, barrier::box_surface(sizes), at, v, w);
  }
  void add_ring(double radius, double wire, int around, int across, const Pose& at) {
    const body::Mesh mesh = contact::test::ring_mesh(radius, wire, around, across);
    const body::Moments moments = body::solid(mesh, density_);
    const Mat3 I = body::inertia_of_second(moments.second);
    model::BodySpec b;
    b.mass = moments.mass;
    b.inertia = {{I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}};
    volume_ = moments.volume;
    add(b, contact::test::ring_surface(radius, wire, around, across), at, Vec3::Zero(),
        Vec3::Zero());
  }

  void start() {
    auto result = builder.build();
    ASSERT_TRUE(std::holds_alternative<model::Built>(result));
    built_ = std::get<model::Built>(std::move(result));
    settings.formulation = Settings::Formulation::energy;
    settings.surfaces = surfaces_;
    const auto problems = Energy::unsupported(*built_.model, built_.params, settings);
    ASSERT_TRUE(problems.empty()) << problems[0].text;
    form = std::make_unique<Energy>(*built_.model, built_.params, settings);
    state = built_.state;
    ASSERT_TRUE(form->load(state));
  }
  /// Makes steps of h; each must converge without a cut.
  ContactRun run(int steps, double h, bool look = true) {
    ContactRun out;
    for (int k = 0; k < steps; ++k) {
      const auto begin = std::clock();
      form->step(state, h, report);
      out.seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      EXPECT_EQ(report.status, Status::ok) << report.reason << " in step " << k;
      if (report.status != Status::ok) return out;
      EXPECT_TRUE(report.contacts.converged) << "in step " << k;
      ++out.steps;
      out.iterations += report.iterations;
      out.most_iterations = std::max(out.most_iterations, report.iterations);
      out.least_distance = std::min(out.least_distance, report.distance);
      if (look) out.cuts += cuts();
    }
    EXPECT_EQ(out.cuts, 0);
    EXPECT_GT(out.least_distance, 0);
    return out;
  }
  int cuts() const {
    std::vector<contact::test::Placed> all;
    for (const constraint::BarrierSurfaces::Of& s : surfaces_->all) {
      const body::Transform& T = form->now().T_WO[at(s.object)];
      all.push_back(contact::test::placed(*s.surface, T.p, T.A));
    }
    return contact::test::cuts(all);
  }
  const body::Transform& place(int body) const { return form->now().T_WO[at(body + 1)]; }
  Vec3 velocity(int body) const { return vec3(&form->velocities()[at((affine_ ? 12 : 6) * body)]); }

  model::Builder builder;
  std::unique_ptr<Energy> form;
  model::State state;
  StepReport report;

 private:
  void add(model::BodySpec b, const barrier::Surface& s, const Pose& at, const Vec3& v,
           const Vec3& w) {
    b.name = "b" + std::to_string(n_);
    b.X_WB = at;
    b.v = v;
    b.w = w;
    if (affine_) b.affine = model::Elastic{1e8, volume_};
    builder.add_body(b);
    surfaces_->all.push_back({++n_, std::make_shared<const barrier::Surface>(s)});
  }

  bool affine_;
  double density_;
  std::optional<double> volume_;
  int n_ = 0;
  std::shared_ptr<constraint::BarrierSurfaces> surfaces_ =
      std::make_shared<constraint::BarrierSurfaces>();
  model::Built built_;
};

}  // namespace trammel::form::test

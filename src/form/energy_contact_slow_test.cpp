// Many bodies by the barrier: a heap of boxes, and mail of linked rings.
#include <fmt/format.h>

#include <random>

#include "form/test_contact.h"

namespace trammel::form::energy_contact_slow_test {
namespace {

namespace barrier = contact::barrier;
using test::ContactRun;
using test::ContactWorld;
const Mat3 kUpright = Mat3::Identity();

void tell(const char* what, double h, const ContactRun& r) {
  fmt::print(
      "{}: h {} s, {} steps, {:.1f} Newton steps each, at most {}, least distance {:.3g} m, "
      "{:.3g} s a step, {} cuts\n",
      what, h, r.steps, double(r.iterations) / r.steps, r.most_iterations, r.least_distance,
      r.seconds / r.steps, r.cuts);
}

void add_floor(ContactWorld& world) {
  world.add_ground(barrier::box_surface({8, 8, 1}), {Vec3(0, 0, -0.5), kUpright});
}

/// Boxes at all angles, in layers of 5 x 5, fall in a heap.
void expect_heap(bool affine, int layers, double h, double time) {
  ContactWorld world(affine);
  add_floor(world);
  world.friction = 0.4;
  world.settings.difference = Settings::Difference::bdf1;
  std::mt19937_64 rng(3);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int k = 0; k < 25 * layers; ++k)
    world.add_box(Vec3(0.2, 0.15, 0.1),
                  {Vec3(0.28 * (k % 5), 0.28 * (k / 5 % 5), 0.3 + 0.28 * (k / 25)),
                   exp_matrix(3 * Vec3(any(rng), any(rng), any(rng)))});
  world.start();
  ASSERT_EQ(world.cuts(), 0);
  const ContactRun r = world.run(static_cast<int>(std::lround(time / h)), h);
  tell(affine ? "affine boxes" : "rigid boxes", h, r);
  EXPECT_EQ(r.steps, std::lround(time / h));
}

TEST(EnergyContactHeap, FallsInLongSteps) { expect_heap(true, 1, 5e-2, 1); }

TEST(FullEnergyContact, HeapOfAHundredBoxes) { expect_heap(true, 4, 1e-2, 1.5); }
TEST(FullEnergyContact, HeapInLongSteps) { expect_heap(true, 4, 5e-2, 2); }
TEST(FullEnergyContact, HeapOfRigidBoxes) { expect_heap(false, 4, 1e-2, 1.5); }

/// Rows of rings, tilted this way and that: each holds two of the row before and two of the next.
void expect_mail(bool affine, int rows, double h, double time) {
  ContactWorld world(affine, 7800);
  add_floor(world);
  world.add_ground(barrier::box_surface({0.3, 0.3, 0.3}), {Vec3(0, 0, 0.16), kUpright});
  world.friction = 0.2;
  world.settings.difference = Settings::Difference::bdf1;
  const double radius = 0.05, wire = 0.16 * radius, along = 2.5 * radius, across = 0.6 * radius;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < rows; ++i)
      world.add_ring(
          radius, wire, 12, 5,
          {Vec3(along * (i + 0.5 * (j % 2) - 0.5 * rows), across * (j - 0.5 * rows), 0.4),
           exp_matrix(Vec3(j % 2 ? -0.67 : 0.67, 0, 0))});
  world.start();
  ASSERT_EQ(world.cuts(), 0);
  const ContactRun r = world.run(static_cast<int>(std::lround(time / h)), h);
  tell(affine ? "affine mail" : "rigid mail", h, r);
  EXPECT_EQ(r.steps, std::lround(time / h));
}

TEST(EnergyContactMail, FallsOverABlock) { expect_mail(true, 4, 1e-2, 0.3); }

TEST(FullEnergyContact, MailOfFourHundredRings) { expect_mail(true, 20, 1e-2, 0.5); }
TEST(FullEnergyContact, MailInLongSteps) { expect_mail(true, 20, 5e-2, 1); }
TEST(FullEnergyContact, MailOfRigidRings) { expect_mail(false, 20, 1e-2, 0.5); }

}  // namespace
}  // namespace trammel::form::energy_contact_slow_test

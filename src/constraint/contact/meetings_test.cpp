// When bodies meet in a step.
#include "constraint/contact/heaps.h"
#include "constraint/contact/parts.h"
#include "constraint/contact/test_step.h"

namespace trammel::constraint::meetings_test {
namespace {

using test::ball;
using test::Stepper;

constexpr double kG = 9.81;

/// Balls over the floor, far from each other, that fall with v from these gaps.
model::Builder falling(const std::vector<double>& gaps, double v, double restitution = 0) {
  model::Builder b;
  b.add_obstacle(test::floor_of());
  b.add_contact_law(test::law_everywhere(0, restitution));
  for (std::size_t k = 0; k < gaps.size(); ++k) {
    model::BodySpec body = ball("b" + std::to_string(k), 0.1, 1 + static_cast<double>(k % 3),
                                {static_cast<double>(k), 0, 0.1 + gaps[k]});
    body.v = {0, 0, -v};
    b.add_body(body);
  }
  return b;
}

/// When a ball that falls so arrives.
double exact_time(double gap, double v) { return (std::sqrt(v * v + 2 * kG * gap) - v) / kG; }

double meeting_of(const model::Builder& b, double h) {
  Stepper run(b);
  run.begin(h);
  const Next next = next_in_step(run.contacts);
  return std::min(next.meets, next.rests);
}

TEST(ContactMeetings, AreWhenFallingBodiesArrive) {
  const double h = 0.02, v = 5;
  for (const double gap : {1e-4, 0.01, 0.05, 0.1})
    EXPECT_NEAR(meeting_of(falling({gap}, v), h), exact_time(gap, v), 1e-12) << gap;
  EXPECT_EQ(meeting_of(falling({0.2}, v), h), law::kInf);  // not in this step
}

TEST(ContactMeetings, AreTheFirstOfSeveral) {
  const double h = 0.02, v = 5;
  std::vector<double> gaps{0.05, 0.03, 0.07};
  do {
    EXPECT_NEAR(meeting_of(falling(gaps, v), h), exact_time(0.03, v), 1e-12);
  } while (std::next_permutation(gaps.begin(), gaps.end()));
}

// Slower than twice what forces make of what rests in a step: bounces shorter than the step.
TEST(ContactMeetings, AreFasterThanForcesMakeInAStep) {
  const double h = 0.02, slow = kG * h;
  EXPECT_EQ(meeting_of(falling({1e-9}, 1.9 * slow), h), law::kInf);
  EXPECT_LT(meeting_of(falling({1e-4}, 2.1 * slow), h), h);
}

TEST(ContactMeetings, OfWhatTouchesAndComesAreAtOnceAndOfWhatPartsNone) {
  EXPECT_EQ(meeting_of(falling({0}, 5), 0.02), 0);
  EXPECT_EQ(meeting_of(falling({0}, 0), 0.02), law::kInf);
  EXPECT_EQ(meeting_of(falling({0}, 0.1), 0.02), law::kInf);  // no more than g h: it rests
  EXPECT_EQ(meeting_of(falling({0.01}, -5), 0.02), law::kInf);
}

TEST(ContactMeetings, AtMoreThanEightInstantsDivideNoStep) {
  const double h = 0.02, v = 5;
  std::vector<double> gaps;
  for (int k = 0; k < 8; ++k) gaps.push_back(0.02 + 0.005 * k);
  EXPECT_NEAR(meeting_of(falling(gaps, v), h), exact_time(0.02, v), 1e-12);
  gaps.push_back(0.03);  // an instant that there is already
  EXPECT_NEAR(meeting_of(falling(gaps, v), h), exact_time(0.02, v), 1e-12);
  gaps.push_back(0.0225);
  EXPECT_EQ(meeting_of(falling(gaps, v), h), law::kInf);
}

// Lone balls are looked at however many there are.
TEST(ContactMeetings, OfLonePairsAreFoundInAnyNumber) {
  const std::vector<double> gaps(3 * kFewPairs, 0.04);
  EXPECT_NEAR(meeting_of(falling(gaps, 5), 0.02), exact_time(0.04, 5), 1e-12);
}

/// A brick that slides with v on the floor, with friction of 0.5; blocks that touch nothing beside.
model::Builder sliding(double v, int beside = 0) {
  model::Builder b;
  b.add_obstacle(test::floor_of());
  b.add_contact_law(test::law_everywhere(0.5, 0));
  for (int k = 0; k <= beside; ++k) {
    model::BodySpec body = test::block("b" + std::to_string(k), Vec3(0.3, 0.2, 0.04), 1 + k % 3,
                                       {0, static_cast<double>(k), 0.02});
    body.v = Vec3(0.6, -0.8, 0) * v;
    b.add_body(body);
  }
  return b;
}

// Wherever in the step that is: in its first half stage P holds it.
TEST(ContactMeetings, AreWhenWhatSlidesComesToRest) {
  const double h = 0.02, slows = 0.5 * kG;
  for (const double share : {0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99})
    EXPECT_NEAR(meeting_of(sliding(share * slows * h), h), share * h, 1e-7 * h) << share;
}

TEST(ContactMeetings, OfWhatSlidesOnOrRestsAreNone) {
  const double h = 0.02, slows = 0.5 * kG;
  EXPECT_EQ(meeting_of(sliding(1.001 * slows * h), h), law::kInf);
  EXPECT_EQ(meeting_of(sliding(5), h), law::kInf);
  EXPECT_EQ(meeting_of(sliding(0), h), law::kInf);
  EXPECT_EQ(meeting_of(sliding(1e-12), h), law::kInf);  // rounding
}

TEST(ContactMeetings, OfWhatComesToRestTogetherAreOne) {
  const double h = 0.02, slows = 0.5 * kG;
  EXPECT_NEAR(meeting_of(sliding(0.4 * slows * h, 3 * kFewPairs), h), 0.4 * h, 1e-7 * h);
}

// A step that ends where a ball arrives gives it its speed back, e times.
TEST(ContactMeetings, EndPartsInWhichBallsLeaveAsFastAsTheyShould) {
  const double v = 5, gap = 0.05, e = 0.7;
  Stepper run(falling({gap}, v, e));
  run.begin(0.02);
  run.step(next_in_step(run.contacts).meets * (1 + 1e-7));
  EXPECT_NEAR(run.velocity("b0").z(), e * std::sqrt(v * v + 2 * kG * gap),
              1e-5);  // the rest of 1e-7
  EXPECT_NEAR(run.place("b0").z(), 0.1, 1e-12);
  EXPECT_EQ(run.contacts.told.report.met, 1);
  EXPECT_EQ(run.contacts.told.report.late, 0);
}

// What a step does not divide for is late by what is left of it, over the ball's extent.
TEST(ContactMeetings, ReportHowLateTheyAre) {
  const double h = 0.02, v = 5, gap = 0.05;
  Stepper run(falling({gap, 1}, v));
  run.step(h);
  const ContactReport& report = run.contacts.told.report;
  const double speed = std::sqrt(v * v + 2 * kG * gap), t = exact_time(gap, v);
  EXPECT_EQ(report.met, 1);
  EXPECT_EQ(report.late, 1);
  EXPECT_NEAR(report.lateness, speed * (h - t) / 0.2, 1e-10);
}

// Each pair of bodies that meets is told once, with the speed of its fastest point.
TEST(ContactMeetings, AreToldAsEvents) {
  const double h = 0.02, v = 5, gap = 0.05;
  model::Builder b = falling({gap}, v);
  model::BodySpec box = test::block("box", Vec3(0.2, 0.2, 0.2), 1, {-1, 0, 0.1 + gap});
  box.v = {0, 0, -v};
  b.add_body(box);
  Stepper run(b);
  run.step(h);
  ASSERT_EQ(run.contacts.told.events.size(), 2U);
  for (const Event& e : run.contacts.told.events) {
    EXPECT_EQ(e.kind, EventKind::impact);
    EXPECT_NEAR(e.value, std::sqrt(v * v + 2 * kG * gap), 1e-10);
  }
  EXPECT_EQ(run.contacts.told.impulses.size(), 5U);  // one ball, four corners
}

}  // namespace
}  // namespace trammel::constraint::meetings_test

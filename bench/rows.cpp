// The evaluator: value and Jacobian of all rows of a joint between two rigid bodies.
#include <array>

#include "bench.h"
#include "geom/basic.h"
#include "joint/evaluate.h"
#include "joint/table.h"
#include "process.h"
#include "track/track.h"

namespace trammel::bench {

namespace {

constexpr long kCalls = 200000;

double evaluate_all(const joint::Table& table, const track::Track& track, Figure& figure) {
  const Pose X_A{Vec3(0.1, -0.2, 0.3), Mat3::Identity()}, X_B;
  const body::Transform a;
  body::Transform b{Vec3(1.2, -0.1, 0.35),
                    Mat3(Eigen::AngleAxisd(0.1, Vec3(1, 2, 3).normalized()))};
  const joint::Ends ends{{body::MotionKind::rigid, &a, &X_A},
                         {body::MotionKind::rigid, &b, &X_B},
                         table.on_curve ? &track : nullptr};
  unsigned features = 0;
  for (const joint::Coordinate& row : table.rows) features |= row.row.features();
  std::array<double, 6> J_A, J_B;
  joint::Sample sample;
  joint::Arc arc{1, 0};
  double sum = 0;
  const double before = cpu_seconds();
  for (long i = 0; i < kCalls; ++i) {
    b.p.x() += 1e-7;
    joint::sample(ends, features, 1, arc, sample);
    for (const joint::Coordinate& row : table.rows) {
      joint::pull_back(ends, sample, joint::gradient(row.row, sample), J_A.data(), J_B.data());
      sum += joint::value(row.row, sample, arc) + J_A[0] + J_B[0];
    }
  }
  const double seconds = cpu_seconds() - before;
  figure.final_pos.x() = sum;  // somebody looks at the sum: nothing is left out
  return seconds;
}

}  // namespace

void bench_rows(const Options& options, Report& report) {
  const track::Track track("arc", std::make_shared<geom::Arc>(Pose{}, 100, 0.02));
  for (const joint::Table& table : joint::tables()) {
    if (table.rows.empty()) continue;
    Figure f{table.name, "evaluate", static_cast<int>(table.rows.size())};
    f.steps = kCalls;
    std::vector<double> seconds;
    for (int i = 0; i < options.repetitions; ++i) seconds.push_back(evaluate_all(table, track, f));
    take_median(std::move(seconds), f);
    f.final_pos.setZero();
    report.line(f);
  }
}

}  // namespace trammel::bench

#include "verify/samples.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "constraint/row_kinds.h"
#include "math/rotation.h"
#include "model/ledger.h"
#include "model/system.h"
#include "solve/direct.h"
#include "verify/sticking.h"

namespace trammel::verify {

namespace {

constexpr long kMostTimes = 50, kLeastTimes = 20, kCoarse = 20;

double cpu_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Angle of the rotation between two [rad]: |A - B| = 2 sqrt(2) sin(angle/2), exact when small.
double angle_between(const Mat3& A, const Mat3& B) {
  return 2 * std::asin(std::min(1.0, (A - B).norm() / (2 * std::sqrt(2.0))));
}

void see(const sim::Simulation& run, Samples& out) {
  append_poses(run, out.object, out.X);
  append_slips(run, out.may_stick, out.slip);
  out.taken.push_back(-run.state().ledger[model::kIntegrator]);
  const auto& P = run.state().P;
  if (out.moving_at >= 0 || std::all_of(P.begin(), P.end(), [](double x) { return x == 0; }))
    return;
  out.moving = run.state();
  out.moving_at = out.count() - 1;
}

}  // namespace

long Grid::coarse() const {
  for (long n = std::min(stride, kCoarse); n > 1; --n)
    if (stride % n == 0) return n;
  return 1;
}

/// The greatest count that divides the steps and leaves a grid with long coarse steps; else one
/// that leaves out some steps at the end.
Grid make_grid(double h, double horizon) {
  const long steps = std::max(1L, std::lround(horizon / h));
  for (long n = std::min(kMostTimes, steps); n >= std::min(kLeastTimes, steps); --n) {
    const Grid grid{h, steps / n, n};
    if (steps % n == 0 && 2 * grid.coarse() >= std::min(grid.stride, kCoarse)) return grid;
  }
  long stride = (steps + kMostTimes - 1) / kMostTimes;
  if (stride > kCoarse) stride = (stride + kCoarse - 1) / kCoarse * kCoarse;
  return {h, stride, steps / stride};
}

void Distance::take(const Distance& other) {
  if (other.length > length) {
    length = other.length;
    length_body = other.length_body;
  }
  if (other.angle > angle) {
    angle = other.angle;
    angle_body = other.angle_body;
  }
}

long Samples::count() const {
  return object.empty() ? 0 : static_cast<long>(X.size() / object.size());
}

void append_poses(const sim::Simulation& run, const std::vector<int>& object,
                  std::vector<Pose>& out) {
  for (const int i : object) {
    const body::Transform& T_WO = run.formulation().now().T_WO[static_cast<std::size_t>(i)];
    const body::MotionKind motion_kind =
        run.model().objects[static_cast<std::size_t>(i)].motion_kind;
    out.push_back({T_WO.p, body::rotation(motion_kind, T_WO.A)});
  }
}

double place_rounding(double tolerance, double far) { return std::max(tolerance, 1e-15 * far); }

form::Meter::Costs costs_of(const model::Built& built, const form::Settings& settings) {
  const model::Model& m = *built.model;
  const model::Kinematics kin(m, built.params);
  double bodies = 0, formulas = 0;
  for (const model::PoolSlot& s : m.pools) bodies += s.pool->n_blocks * s.pool->nv / 6.0;
  for (const model::LawOnRow& l : m.laws) formulas += l.law.function != nullptr;
  const auto rows = static_cast<double>(m.rows.size());
  const double pass = 60 * bodies + 80 * rows + 400 * formulas,
               factor = solve::Direct(kin.graph()).flops() / 3 + 30 * rows;
  form::Meter::Costs out{300 + 2 * pass, pass / 2 + 30 * rows, factor, 0};
  if (settings.formulation == form::Settings::Formulation::energy)
    out = {300 + 2 * pass, 3 * pass, 2 * factor, 0};
  if (settings.formulation == form::Settings::Formulation::acceleration)
    out = {300, 0, 0, 200 + pass + factor};
  return out;
}

Metered::Metered(const model::Built& built, sim::Settings& settings, const Cap& cap) {
  meter.costs = costs_of(built, settings.form);
  meter.most = cap.most;
  const double t0 = built.state.t, duration = settings.duration;
  meter.over = [this, cap, t0, duration] {
    if (cap.watch && cap.watch->show)
      cap.watch->show(cap.what, run_ ? (run_->state().t - t0) / duration : 0);
    return cap.over();
  };
  settings.form.meter = &meter;
  for (sim::SensorSpec& sensor : settings.sensors)  // what is compared has one length
    for (sim::SensorEvent& e : sensor.events) e.stop = false;
}

namespace {

/// Where it is, and what that rounds.
void take_sizes(const sim::Simulation& run, Samples& out) {
  Vec3 centre = Vec3::Zero();
  for (const int i : out.object) {
    const Vec3& p = run.formulation().now().T_WO[static_cast<std::size_t>(i)].p;
    out.far = std::max(out.far, p.cwiseAbs().maxCoeff());
    centre += p / static_cast<double>(out.object.size());
  }
  out.reach = run.reach();
  const model::Scales& scales = run.built().model->scales;
  out.arm = scales.arm;
  out.rounding =
      place_rounding(scales.length * run.settings().form.tolerance.share(scales), out.far);
  const Vec3 g = vec3(run.built().params.values.data() + model::kGravityParam);
  out.mass = run.formulation().kinematics().total_mass();
  const double there = -out.mass * g.dot(centre);  // of all weights, were they at the centre
  out.weight = out.mass * g.norm();
  out.step = run.settings().step;
  const std::vector<double>& force = run.formulation().row_forces();
  for (const int row : constraint::kinds_of(run.formulation().specs()).forces)
    out.force += std::abs(force[static_cast<std::size_t>(row)]);
  out.energies = out.weight * out.reach + std::abs(run.energy() - there) +
                 std::abs(run.energy() - run.imbalance() - there);
}

}  // namespace

std::vector<int> free_bodies(const model::Model& model) {
  std::vector<int> out;
  for (std::size_t i = 0; i < model.objects.size(); ++i)
    if (model.objects[i].block >= 0 && !model::is_dial(model, model.objects[i]))
      out.push_back(static_cast<int>(i));
  return out;
}

Samples sample(const model::Built& built, sim::Settings settings, long every, long count,
               const Cap& cap, const std::vector<int>& compared) {
  Samples out;
  out.object = compared.empty() ? free_bodies(*built.model) : compared;
  settings.duration = static_cast<double>(every * count) * settings.step;
  out.step = settings.step;
  if (settings.sensors.empty() && settings.controllers.empty())
    settings.probes.clear();                                             // nobody reads them
  if (settings.form.formulation != form::Settings::Formulation::energy)  // where it is smoothed
    out.may_stick = rows_that_may_stick(built);
  out.t0 = built.state.t;
  out.apart = static_cast<double>(every) * settings.step;
  const double begin = cpu_now();
  if (cap.over()) {
    out.enough = out.cut = true;
    return out;
  }
  Metered metered(built, settings, cap);
  const form::Meter& meter = metered.meter;
  sim::Simulation run(built, settings);
  metered.follow(run);
  Shocks shocks(built, settings, out.object);
  ReactionWatch reactions(settings.form, every);
  reactions.see(run);
  shocks.before(run);
  while (!run.finished() && !meter.enough() && run.advance()) {
    shocks.after(run);
    reactions.see(run);
    if (run.steps_made() % every == 0) {
      see(run, out);
      shocks.see(run);
    }
    shocks.before(run);
  }
  out.impacts = std::move(shocks.impacts);
  out.reactions = std::move(reactions.samples);
  out.late = std::move(shocks.late);
  out.first_impact = shocks.first;
  out.first_strike = shocks.first_strike;
  out.cut = meter.cut();
  out.enough = meter.enough() && !run.finished();
  if (!out.enough) out.failure = run.failure();
  take_sizes(run, out);
  out.cpu = cpu_now() - begin;
  out.work = meter.done();
  out.summary = run.summary();
  return out;
}

Distance apart(const Pose* a, const Pose* b, std::size_t n) {
  Distance out;
  for (std::size_t i = 0; i < n; ++i) {
    const int body = static_cast<int>(i);
    out.take({(a[i].p - b[i].p).norm(), angle_between(a[i].R, b[i].R), body, body});
  }
  return out;
}

}  // namespace trammel::verify

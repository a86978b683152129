#include "sim/bad_forces.h"

#include <fmt/core.h>

#include <cmath>

#include "math/index.h"

namespace trammel::sim {

namespace {

/// Positions and rates of rows and bodies in a state.
struct RowMotion {
  model::KinematicsCache at;
  std::vector<double> rate;  // of rows
};

RowMotion motion_of(const form::Formulation& form, const model::State& state) {
  const model::Kinematics& kin = form.kinematics();
  std::vector<double> u = form.velocities();
  for (double& x : u)
    if (!std::isfinite(x)) x = 0;  // of the step that failed
  RowMotion out{form.now(), std::vector<double>(kin.model().rows.size())};
  std::vector<double> bias(out.rate.size());
  kin.transforms(state.q.data(), state.t, out.at);
  kin.jacobians(state, out.at);
  kin.rates(state.q.data(), u.data(), out.at);
  kin.follow(u.data(), out.at);
  kin.row_rates(state, out.at, out.rate.data(), bias.data());
  return out;
}

/// Returns the force of a law plus that of its function: not finite where either is not.
double force_of(const law::Law& law, const model::Params& params, double x, double v,
                const law::Instant& at) {
  const double* p = params.values.data() + law.first_param;
  const double own = law.type->force ? law.type->force(law, p, x, v, at).f : 0;
  return law.function ? own + (*law.function)(x, v, at).f : own;
}

std::string describe_law(const model::Kinematics& kin, const RowMotion& m, std::size_t row,
                         double dt) {
  const model::RowInfo& info = kin.model().rows[row];
  const model::LawOnRow& l = kin.model().laws[at(info.law)];
  if (l.joint < 0) return "";  // the lock of all rows that have no law of their own
  law::Instant now = m.at.moving();
  now.t += dt;
  const double x = info.sign * (m.at.g[row] + dt * m.rate[row]), v = info.sign * m.rate[row];
  const double f = force_of(l.law, kin.params(), x, v, now);
  if (std::isfinite(f)) return "";
  const std::string unit(joint::symbol(info.row.unit()));
  return fmt::format(
      "the force of law '{}' is {} where its coordinate is {:.4g} {} and its rate "
      "{:.4g} {}/s",
      l.name, std::isnan(f) ? "no number" : fmt::format("{}", f), x, unit, v, unit);
}

std::string describe_load_at(const model::Kinematics& kin, const RowMotion& m, std::size_t i,
                             double dt) {
  const law::Load& load = kin.model().loads[i];
  const auto o = at(load.object);
  body::Transform place = m.at.T_WO[o];
  place.p += dt * m.at.rate[o].v;
  const law::Wrench w =
      law::wrench(load, kin.params().values.data(), place, m.at.rate[o], m.at.t + dt);
  if (std::isfinite(w.f.squaredNorm() + w.torque.squaredNorm())) return "";
  return fmt::format("the load '{}' on body '{}' is {:g} N, {:g} N m", kin.model().load_names[i],
                     kin.model().objects[o].name, w.f.cwiseAbs().sum(), w.torque.cwiseAbs().sum());
}

}  // namespace

std::string describe_bad_force(const form::Formulation& form, const model::State& state, double h) {
  const model::Kinematics& kin = form.kinematics();
  const RowMotion m = motion_of(form, state);
  for (const double part : {0., 0.25, 0.5, 0.75, 1.}) {
    for (std::size_t row = 0; row < m.rate.size(); ++row)
      if (state.on[at(kin.model().rows[row].joint)])
        if (std::string bad = describe_law(kin, m, row, part * h); !bad.empty()) return bad;
    for (std::size_t i = 0; i < kin.model().loads.size(); ++i)
      if (std::string bad = describe_load_at(kin, m, i, part * h); !bad.empty()) return bad;
  }
  return "";
}

}  // namespace trammel::sim

#include "model/constraint_specs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "joint/terms.h"

namespace trammel::model {

namespace {
/// A row and the law on its coordinate. The coordinate is sign times the row. What is to be held of
/// a nonholonomic row is its rate.
struct OnRow {
  const law::Law& law;
  const double* p;
  double sign;
  bool holonomic;
  int part;
};
OnRow on_row(const Model& model, const Params& params, std::size_t row) {
  const RowInfo& info = model.rows[row];
  const law::Law& law = model.laws[static_cast<std::size_t>(info.law)].law;
  return {law, params.values.data() + law.first_param, info.sign, info.row.holonomic(), info.part};
}

law::ConstraintSpec as_row(const OnRow& on, law::ConstraintSpec d) {
  if (!on.holonomic) d = law::of_rate(d);
  return on.sign < 0 ? law::turned(d) : d;
}
law::ConstraintSpec spec(const OnRow& on, double t) {
  const law::Type& type = *on.law.type;
  return as_row(on, (on.part == 0 ? type.constraint : type.further)(on.law, on.p, t));
}

/// Returns the specification with what values and rates of its row are compared with.
law::ConstraintSpec scaled(const Model& model, std::size_t row, law::ConstraintSpec d) {
  const joint::Unit unit = model.rows[row].row.unit();
  d.size = model.scales.value(unit);
  d.pace = model.scales.rate(unit);
  return d;
}
/// Does the same with those of the row's last specification.
law::ConstraintSpec scaled_as(const law::ConstraintSpec& last, law::ConstraintSpec d) {
  d.size = last.size;
  d.pace = last.pace;
  return d;
}
}  // namespace

ConstraintSpecs::ConstraintSpecs(const Model& model, const Params& params)
    : model_(&model), params_(&params) {
  for (std::size_t i = 0; i < model.rows.size(); ++i) {
    const OnRow on = on_row(model, params, i);
    const bool shared = model.laws[static_cast<std::size_t>(model.rows[i].law)].joint < 0;
    if (shared && on.holonomic && equality_ >= 0) {
      which_.push_back(equality_);
      continue;
    }
    which_.push_back(static_cast<int>(specs_.size()));
    if (shared && on.holonomic) equality_ = which_.back();
    specs_.push_back(scaled(model, i, spec(on, 0)));
    if (on.law.type->takes_drive) varying_.push_back(i);
    if (law::follows(on.law)) following_.push_back(i);
  }
}

void ConstraintSpecs::at(double t) {
  for (const std::size_t i : varying_) {
    law::ConstraintSpec& d = specs_[static_cast<std::size_t>(which_[i])];
    d = scaled_as(d, spec(on_row(*model_, *params_, i), t));
  }
}

void ConstraintSpecs::follow(const std::vector<double>& g, const std::vector<double>& rate,
                             const law::Instant& now) {
  for (const std::size_t i : following_) {
    const OnRow on = on_row(*model_, *params_, i);
    law::ConstraintSpec& last = specs_[static_cast<std::size_t>(which_[i])];
    law::ConstraintSpec d = scaled_as(last, on.law.type->constraint(on.law, on.p, now.t));
    on.law.type->follow(on.law, on.p, on.sign * g[i], on.sign * rate[i], now, d);
    last = as_row(on, d);
  }
}

void ConstraintSpecs::hold(std::size_t row, const Jet& target) {
  if (which_[row] == equality_) {
    which_[row] = static_cast<int>(specs_.size());
    specs_.emplace_back();
  }
  law::ConstraintSpec& spec = specs_[static_cast<std::size_t>(which_[row])];
  spec = scaled(*model_, row, {});
  spec.target = target;
}

void ConstraintSpecs::put(std::size_t row, const law::ConstraintSpec& spec) {
  specs_[static_cast<std::size_t>(which_[row])] = spec;
}

std::vector<char> deformable(const Model& model, const ConstraintSpecs& specs) {
  std::vector<char> out(model.objects.size(), 0);
  for (const Joint& s : model.joints)
    if (s.strain() && !specs.is_equality(static_cast<std::size_t>(s.first_row)))
      out[static_cast<std::size_t>(s.object_A)] = 1;
  return out;
}

bool terms_hold_more(const Joint& joint, const std::vector<char>& deformable) {
  int n = 0;
  for (const joint::Term& t : joint.table->terms) n += joint::components(t);
  return n > static_cast<int>(joint.table->rows.size()) &&
         (deformable[static_cast<std::size_t>(joint.object_A)] ||
          deformable[static_cast<std::size_t>(joint.object_B)]);
}

law::Force row_force(const Model& model, const Params& params, int row, double g, double rate,
                     const law::Instant& now) {
  const OnRow on = on_row(model, params, static_cast<std::size_t>(row));
  const law::Force f = law::force(on.law, on.p, on.sign * g, on.sign * rate, now);
  return {on.sign * f.f, f.f_x, f.f_v};
}

namespace {
/// Integral of f(0..1) by Gauss and Kronrod, 7 and 15 points, halved where they differ: at kinks as
/// often as doubles allow.
template <class F>
double integral(const F& f, double a, double b, double& size, int depth) {
  constexpr std::array<double, 8> kX{
      0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
      0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
      0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
      0.207784955007898467600689403773245, 0};
  constexpr std::array<double, 8> kK{
      0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
      0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
      0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
      0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
  constexpr std::array<double, 4> kG{
      0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
      0.381830050505118944950369775488975, 0.417959183673469387755102040816327};
  const double mid = (a + b) / 2, half = (b - a) / 2;
  double K = 0, G = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const double up = f(mid + half * kX[i]), down = i < 7 ? f(mid - half * kX[i]) : 0;
    size = std::max({size, std::abs(up), std::abs(down)});
    K += kK[i] * (up + down);
    if (i % 2) G += kG[i / 2] * (up + down);
  }
  constexpr double kExact = 1e-13;
  constexpr int kDeepest = 40;
  if (depth >= kDeepest || !(std::abs(half * (K - G)) > kExact * size)) return half * K;
  return integral(f, a, mid, size, depth + 1) + integral(f, mid, b, size, depth + 1);
}
}  // namespace

MeanForce row_mean_force(const Model& model, const Params& params, int row, double from, double to,
                         const law::Instant& now) {
  const auto force = [&](double x) { return row_force(model, params, row, x, 0, now); };
  const law::Law& law =
      model.laws[static_cast<std::size_t>(model.rows[static_cast<std::size_t>(row)].law)].law;
  const law::Force middle = force((from + to) / 2);
  if (!law.function) return {middle.f, middle.f_x / 2};  // springs are linear
  const double way = to - from;
  const auto at = [&](double s) { return force(from + s * way).f; };
  double size = 0;
  const double mean = integral(at, 0, 1, size, 0);
  constexpr double kShort = 1e-6;  // of the size of the place: differences are rounding
  const bool near = std::abs(way) <= kShort * std::max(std::abs(from), std::abs(to));
  return {mean, near ? force(to).f_x / 2 : (force(to).f - mean) / way};
}

law::Potential row_potential(const Model& model, const Params& params, int row, double g,
                             law::Scheme scheme) {
  const OnRow on = on_row(model, params, static_cast<std::size_t>(row));
  scheme.x_n *= on.sign;
  scheme.v_n *= on.sign;
  scheme.ahead *= on.sign;
  const law::Potential p = law::potential(on.law, on.p, on.sign * g, scheme);
  return {p.phi, on.sign * p.d, p.dd};
}

double stored_energy(const Model& model, const Params& params, const State& state,
                     const std::vector<double>& g) {
  double e = 0;
  for (std::size_t i = 0; i < model.rows.size(); ++i) {
    const OnRow on = on_row(model, params, i);
    if (on.law.type->energy && state.on[static_cast<std::size_t>(model.rows[i].joint)])
      e += on.law.type->energy(on.law, on.p, on.sign * g[i]);
  }
  return e;
}

}  // namespace trammel::model

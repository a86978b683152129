#include "model/demands.h"

#include <algorithm>
#include <utility>

#include "joint/terms.h"

namespace trammel::model {

namespace {
/// A row and the law on its coordinate. The coordinate is sign times the row. What is to be held of
/// a row of rates alone is its rate.
struct OnRow {
  const law::Law& law;
  const double* p;
  double sign;
  bool holonomic;
};
OnRow on_row(const Model& model, const Params& params, std::size_t row) {
  const RowInfo& info = model.rows[row];
  const law::Law& law = model.laws[static_cast<std::size_t>(info.law)].law;
  return {law, params.values.data() + law.first_param, info.sign, info.row.holonomic()};
}

/// What is demanded of the row where it runs against the coordinate.
law::Demand turned(law::Demand d) {
  d.target = {-d.target.x, -d.target.v, -d.target.a};
  d.lo = -std::exchange(d.hi, -d.lo);
  d.from = -std::exchange(d.to, -d.from);
  return d;
}

law::Demand demand(const OnRow& on, double t) {
  law::Demand d = on.law.type->demand(on.law, on.p, t);
  if (!on.holonomic && d.level == law::Level::position) d.level = law::Level::velocity;
  return on.sign < 0 ? turned(d) : d;
}
}  // namespace

Demands::Demands(const Model& model, const Params& params) : model_(&model), params_(&params) {
  for (std::size_t i = 0; i < model.rows.size(); ++i) {
    const OnRow on = on_row(model, params, i);
    const bool shared = model.laws[static_cast<std::size_t>(model.rows[i].law)].joint < 0;
    if (shared && on.holonomic && plain_ >= 0) {
      which_.push_back(plain_);
      continue;
    }
    which_.push_back(static_cast<int>(demands_.size()));
    if (shared && on.holonomic) plain_ = which_.back();
    demands_.push_back(demand(on, 0));
    if (on.law.type->takes_drive) varying_.push_back(i);
  }
}

void Demands::at(double t) {
  for (const std::size_t i : varying_)
    demands_[static_cast<std::size_t>(which_[i])] = demand(on_row(*model_, *params_, i), t);
}

std::vector<char> straining(const Model& model, const Demands& demands) {
  std::vector<char> out(model.objects.size(), 0);
  for (const Joint& s : model.joints)
    if (s.strain() && !demands.plain(static_cast<std::size_t>(s.first_row)))
      out[static_cast<std::size_t>(s.object_A)] = 1;
  return out;
}

bool terms_hold_more(const Joint& joint, const std::vector<char>& straining) {
  int n = 0;
  for (const joint::Term& t : joint.table->terms) n += joint::components(t);
  return n > static_cast<int>(joint.table->rows.size()) &&
         (straining[static_cast<std::size_t>(joint.object_A)] ||
          straining[static_cast<std::size_t>(joint.object_B)]);
}

law::Force row_force(const Model& model, const Params& params, int row, double g, double rate,
                     double t) {
  const OnRow on = on_row(model, params, static_cast<std::size_t>(row));
  const law::Force f = on.law.type->force(on.law, on.p, on.sign * g, on.sign * rate, t);
  return {on.sign * f.f, f.f_x, f.f_v};
}

law::Potential row_potential(const Model& model, const Params& params, int row, double g,
                             law::Scheme scheme) {
  const OnRow on = on_row(model, params, static_cast<std::size_t>(row));
  scheme.x_n *= on.sign;
  scheme.v_n *= on.sign;
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

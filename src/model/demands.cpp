#include "model/demands.h"

namespace trammel::model {

namespace {
/// A row and the law on its coordinate. The coordinate is sign times the row.
struct OnRow {
  const law::Law& law;
  const double* p;
  double sign;
};
OnRow on_row(const Model& model, const Params& params, std::size_t row) {
  const RowInfo& info = model.rows[row];
  const law::Law& law = model.laws[static_cast<std::size_t>(info.law)].law;
  return {law, params.values.data() + law.first_param, info.sign};
}

/// What is demanded of the row where it runs against the coordinate. One-sided demands have no
/// such form: the builder refuses them.
law::Demand turned(law::Demand d) {
  d.target = {-d.target.x, -d.target.v, -d.target.a};
  const double lo = d.lo;
  d.lo = -d.hi;
  d.hi = -lo;
  return d;
}

law::Demand demand(const OnRow& on, double t) {
  const law::Demand d = on.law.type->demand(on.law, on.p, t);
  return on.sign < 0 ? turned(d) : d;
}
}  // namespace

Demands::Demands(const Model& model, const Params& params)
    : model_(&model), params_(&params), demands_(model.rows.size()) {
  for (std::size_t i = 0; i < model.rows.size(); ++i) {
    const OnRow on = on_row(model, params, i);
    demands_[i] = demand(on, 0);
    if (on.law.type->takes_drive) varying_.push_back(i);
  }
}

void Demands::at(double t) {
  for (const std::size_t i : varying_) demands_[i] = demand(on_row(*model_, *params_, i), t);
}

law::Force row_force(const Model& model, const Params& params, int row, double g, double rate,
                     double t) {
  const OnRow on = on_row(model, params, static_cast<std::size_t>(row));
  const law::Force f = on.law.type->force(on.law, on.p, on.sign * g, on.sign * rate, t);
  return {on.sign * f.f, f.f_x, f.f_v};
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

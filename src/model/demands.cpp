#include "model/demands.h"

namespace trammel::model {

namespace {
const LawOnRow& law_of(const Model& model, std::size_t row) {
  return model.laws[static_cast<std::size_t>(model.rows[row].law)];
}
const double* numbers(const Params& params, const law::Law& law) {
  return params.values.data() + law.first_param;
}
}  // namespace

Demands::Demands(const Model& model, const Params& params)
    : model_(&model), params_(&params), demands_(model.rows.size()) {
  for (std::size_t i = 0; i < model.rows.size(); ++i) {
    const law::Law& law = law_of(model, i).law;
    demands_[i] = law.type->demand(law, numbers(params, law), 0);
    if (law.type->takes_drive) varying_.push_back(static_cast<int>(i));
  }
}

void Demands::at(double t) {
  for (const int i : varying_) {
    const law::Law& law = law_of(*model_, static_cast<std::size_t>(i)).law;
    demands_[static_cast<std::size_t>(i)] = law.type->demand(law, numbers(*params_, law), t);
  }
}

law::Force row_force(const Model& model, const Params& params, int row, double x, double v,
                     double t) {
  const law::Law& law = law_of(model, static_cast<std::size_t>(row)).law;
  return law.type->force(law, numbers(params, law), x, v, t);
}

double stored_energy(const Model& model, const Params& params, const State& state,
                     const std::vector<double>& g) {
  double e = 0;
  for (std::size_t i = 0; i < model.rows.size(); ++i) {
    const law::Law& law = law_of(model, i).law;
    if (law.type->energy && state.on[static_cast<std::size_t>(model.rows[i].joint)])
      e += law.type->energy(law, numbers(params, law), g[i]);
  }
  return e;
}

}  // namespace trammel::model

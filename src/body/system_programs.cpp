#include "body/system_programs.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "expr/derivative.h"
#include "expr/parse.h"
#include "math/index.h"

namespace trammel::body {

namespace {

using expr::Expression;

void append(std::vector<Expression>& to, const symbolic::Vec& v) {
  to.insert(to.end(), v.begin(), v.end());
}

std::string written(Expression e) {
  constexpr std::size_t kMost = 1'000'000;
  return e ? expr::to_text(e, kMost) : "0";
}

template <class Numbers>
std::string written(const Numbers& numbers) {
  std::string out;
  for (const double x : numbers) out += fmt::format("{} ", x);
  return out;
}

}  // namespace

void SystemProgram::run_one(const double* in, double* out) const {
  const expr::ThreadScratch y(to.size());
  const std::span<double> values = std::span<double>(y).first(to.size());
  if (code)
    code->value(index, {in, tape.inputs()}, values);
  else
    tape.value({in, tape.inputs()}, values, expr::ThreadScratch(tape.scratch_size()));
  std::fill_n(out, size, 0.0);
  for (std::size_t i = 0; i < to.size(); ++i) out[to[i]] = values[i];
}

void SystemProgram::run(const SystemGroup& in, double* out) const {
  if (!in.in_lanes()) {
    for (int b = 0; b < in.size(); ++b) run_one(in.block(b), out + b * size);
    return;
  }
  constexpr std::size_t kLanes = expr::Tape::kLanes;
  const expr::ThreadScratch scratch(tape.lanes_scratch_size()), y(to.size() * kLanes);
  const std::span<double> values(y);
  tape.values(in.data().first(tape.inputs() * kLanes), values.first(to.size() * kLanes), scratch);
  std::fill_n(out, size * in.size(), 0.0);
  for (std::size_t i = 0; i < to.size(); ++i)
    for (int l = 0; l < in.size(); ++l) out[l * size + to[i]] = values[i * kLanes + at(l)];
}

SystemGroup::SystemGroup(const SystemPrograms& of, int n, const double* q, const double* u,
                         const double* params)
    : n_(n),
      nx_(static_cast<int>(of.equations.x.size())),
      size_(2 * nx_ + static_cast<int>(of.equations.parameters.size())),
      lanes_(n > 1 && !of.spec.machine_code),
      scratch_(at(size_) * (lanes_ ? expr::Tape::kLanes : at(n))) {
  const int n_params = size_ - 2 * nx_;
  const std::span<double> all(scratch_);
  if (!u) std::fill(all.begin(), all.end(), 0.0);
  for (int i = 0; i < (lanes_ ? kMost : n); ++i) {  // the lanes left over do the last again
    const int b = std::min(i, n - 1);
    set(i, 0, nx_, q + b * nx_);
    if (u) set(i, nx_, nx_, u + b * nx_);
    set(i, 2 * nx_, n_params, params + b * n_params);
  }
}

void SystemGroup::set(int i, int first, int count, const double* from) {
  double* to = std::span<double>(scratch_).data();
  if (!lanes_) {
    std::copy_n(from, count, to + i * size_ + first);
    return;
  }
  to += first * kMost + i;
  for (int k = 0; k < count; ++k, to += kMost) *to = from[k];
}

std::string form_of(const SystemSpec& spec) {
  std::string out = written(spec.potential) + (spec.machine_code ? " code\n" : "\n");
  for (const SystemCoordinate& c : spec.coordinates)
    out += written(c.x) + (c.is_angle ? " rad\n" : " m\n");
  for (const SystemObject& o : spec.objects) {
    out += fmt::format("{} {} ", o.on, static_cast<const void*>(o.track.path.get()));
    if (o.track.path) out += written(o.track.s) + written(o.track.X.R.reshaped());
    out += written(o.track.X.p) + written(o.com);
    for (const Expression& e : o.position) out += written(e) + ", ";
    for (const SystemTurn& t : o.turns) out += written(t.axis) + written(t.angle) + "; ";
    out += o.mass != 0 ? "m" : "";
    for (std::size_t i = 0; i < 6; ++i) out += o.inertia[i] != 0 ? std::to_string(i) : "";
    out += "\n";
  }
  return out;
}

SystemPrograms::SystemPrograms(SystemSpec of)
    : spec(std::move(of)), equations(lagrange(spec)), form(form_of(spec)) {
  if (spec.coordinates.empty()) throw std::invalid_argument("a system without coordinates");
  if (!equations.error.empty()) throw std::invalid_argument(equations.error);
  parameter_of.assign(spec.objects.size(), {-1, -1, -1, -1, -1, -1, -1});
  for (std::size_t i = 0; i < equations.parameters.size(); ++i)
    parameter_of[at(equations.parameters[i].object)][at(equations.parameters[i].which)] =
        static_cast<int>(i);
  pose = compile_pose();
  mass = compile(equations.A);
  own_force = compile_forces(true);
  slope = compile_forces(false);
  rates = compile_rates(true);
  motion = compile_rates(false);
  potential = compile({equations.V});
  curvature = compile(equations.curvature);
  for (std::size_t k = 0; k < spec.objects.size(); ++k) variation.push_back(compile_variation(k));
  if (spec.machine_code) make_code();
}

void SystemPrograms::make_code() {
  std::vector<SystemProgram*> all{&pose,  &mass,   &own_force, &slope,
                                  &rates, &motion, &potential, &curvature};
  for (SystemProgram& v : variation) all.push_back(&v);
  std::vector<const expr::Tape*> tapes;
  for (const SystemProgram* p : all) tapes.push_back(&p->tape);
  std::string why;
  const auto code = expr::compile_native(tapes, &why);
  if (!code)
    throw std::invalid_argument(fmt::format(
        "there is no machine code of it: {}; interpreted formulas give the same results", why));
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i]->code = code;
    all[i]->index = i;
  }
}

SystemProgram SystemPrograms::compile(const std::vector<Expression>& list,
                                      std::span<const Expression> more) const {
  SystemProgram out;
  out.size = static_cast<int>(list.size());
  std::vector<Expression> outputs, inputs(equations.x);
  inputs.insert(inputs.end(), equations.u.begin(), equations.u.end());
  for (const SystemParameter& p : equations.parameters) inputs.push_back(p.variable);
  inputs.insert(inputs.end(), more.begin(), more.end());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i]) continue;
    outputs.push_back(list[i]);
    out.to.push_back(static_cast<int>(i));
  }
  if (outputs.empty()) {  // a tape needs an output: of no place
    outputs.push_back(spec.graph->constant(0));
    out.to.push_back(0);
    out.size = std::max(out.size, 1);
  }
  expr::Compiled compiled = expr::Tape::compile(outputs, inputs, {.active = 0, .order = 0});
  if (!compiled) throw std::invalid_argument(compiled.error);
  out.tape = std::move(compiled.tape);
  return out;
}

SystemProgram SystemPrograms::compile_pose() const {
  std::vector<Expression> list;
  for (const Equations::Object& o : equations.objects) {
    append(list, o.p);
    for (const symbolic::Vec& row : o.R) append(list, row);
    for (std::size_t i = 0; i < 3; ++i)
      for (const symbolic::Vec& column : o.Jv) list.push_back(column[i]);
    for (std::size_t i = 0; i < 3; ++i)
      for (const symbolic::Vec& column : o.Jw) list.push_back(column[i]);
  }
  return compile(list);
}

SystemProgram SystemPrograms::compile_forces(bool own) const {
  std::vector<Expression> list;
  for (std::size_t i = 0; i < at(n()); ++i) {
    const Expression f = own ? symbolic::plus(equations.b[i], equations.grad_V[i])
                             : symbolic::minus(equations.grad_T[i], equations.grad_V[i]);
    list.push_back(f && own ? -f : f);
  }
  return compile(list);
}

SystemProgram SystemPrograms::compile_rates(bool biases) const {
  std::vector<Expression> list;
  for (const Equations::Object& o : equations.objects) {
    append(list, o.v);
    append(list, o.w);
    if (!biases) continue;
    append(list, o.a0);
    append(list, o.alpha);
  }
  return compile(list);
}

/// Second derivatives of f . p + F : R, its first ones f . Jv + (sum of R_j x F_j) . Jw with R_j,
/// F_j columns; inputs f, F behind the parameters.
SystemProgram SystemPrograms::compile_variation(std::size_t object) const {
  expr::Graph& g = *spec.graph;
  std::vector<Expression> more;
  for (int i = 0; i < 12; ++i) more.push_back(g.variable("covector." + std::to_string(i)));
  const Equations::Object& o = equations.objects[object];
  symbolic::Vec torque;
  for (std::size_t j = 0; j < 3; ++j)
    torque = symbolic::plus(torque, symbolic::cross({o.R[0][j], o.R[1][j], o.R[2][j]},
                                                    {more[3 + j], more[6 + j], more[9 + j]}));
  std::vector<Expression> list;
  const Expression one = g.constant(1);
  for (std::size_t i = 0; i < at(n()); ++i) {
    const Expression by_i = symbolic::plus(symbolic::dot({more[0], more[1], more[2]}, o.Jv[i]),
                                           symbolic::dot(torque, o.Jw[i]));
    for (std::size_t j = 0; j <= i; ++j) {
      expr::Along along({&equations.x[j], 1}, {&one, 1});
      const expr::Derivative d = by_i ? along.of(by_i) : expr::Derivative{};
      if (!d) throw std::invalid_argument(d.error);
      list.push_back(d.value);
    }
  }
  return compile(list, more);
}

}  // namespace trammel::body

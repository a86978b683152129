// A chain of n rods on hinges, in the angles of the rods from the vertical: x'' by Trammel's system
// (interpreted, and compiled where that is built in), by hand, and by MuJoCo in joint angles.
// `mujoco_pendulum` ends with 1 where they differ by more than 1e-9 of the greatest number.
#include <fmt/core.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "body/system.h"
#include "expr/compiled.h"
#include "process.h"

namespace trammel::bench {

namespace {

constexpr double kMass = 1, kLength = 1, kGravity = 9.81, kSame = 1e-9;
constexpr double kInertia = kMass * kLength * kLength / 12;
constexpr int kStates = 100, kRounds = 15;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The rods as objects of a system; gravity as its potential.
body::SystemSpec chain(int n) {
  body::SystemSpec out;
  out.graph = std::make_shared<expr::Graph>();
  expr::Expression x, z, V;
  for (int i = 0; i < n; ++i) {
    const std::string k = std::to_string(i + 1);
    const expr::Expression a = out.graph->variable("theta" + k);
    out.coordinates.push_back({"theta" + k, a, true});
    const expr::Expression s = kLength * expr::apply(expr::Op::sin, a),
                           c = -(kLength * expr::apply(expr::Op::cos, a));
    body::SystemObject rod;
    rod.name = "rod" + k;
    rod.position = {x ? x + 0.5 * s : 0.5 * s, expr::Expression{}, z ? z + 0.5 * c : 0.5 * c};
    rod.turns = {{-Vec3::UnitY(), a}};
    rod.mass = kMass;
    rod.inertia = {kInertia, kInertia, 0, 0, 0, 0};
    const expr::Expression weight = kMass * kGravity * rod.position[2];
    V = V ? V + weight : weight;
    x = x ? x + s : s;
    z = z ? z + c : c;
    out.objects.push_back(rod);
  }
  out.potential = V;
  return out;
}

/// A = L L^T in place, then x = A^-1 b: for all evaluators of the system.
void solve(int n, double* A, double* x) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = A[i * n + j];
      for (int k = 0; k < j; ++k) sum -= A[i * n + k] * A[j * n + k];
      A[i * n + j] = i == j ? std::sqrt(sum) : sum / A[j * n + j];
    }
    for (int k = 0; k < i; ++k) x[i] -= A[i * n + k] * x[k];
    x[i] /= A[i * n + i];
  }
  for (int i = n; i-- > 0;) {
    for (int k = i + 1; k < n; ++k) x[i] -= A[k * n + i] * x[k];
    x[i] /= A[i * n + i];
  }
}

/// The same by hand: A_ij = (m_i r_i^2 + I | m L^2 of what hangs below) cos(t_i - t_j).
struct ByHand {
  explicit ByHand(int links) : n(links), s(at(links)), c(at(links)) {}
  void operator()(const double* q, const double* u, double* A, double* f) {
    for (int i = 0; i < n; ++i) {
      s[at(i)] = std::sin(q[i]);
      c[at(i)] = std::cos(q[i]);
    }
    for (int i = 0; i < n; ++i) {
      const double below = kMass * (n - 1 - i);
      const double lever = kLength * (below + kMass / 2);  // of what hangs at i, mass x length
      f[i] = -kGravity * lever * s[at(i)];
      A[i * n + i] = kLength * kLength * (below + kMass / 4) + kInertia;
      for (int j = 0; j < i; ++j) {
        const double w = kLength * lever;
        A[i * n + j] = w * (c[at(i)] * c[at(j)] + s[at(i)] * s[at(j)]);
        const double b = w * (s[at(i)] * c[at(j)] - c[at(i)] * s[at(j)]);
        f[i] -= b * u[j] * u[j];
        f[j] += b * u[i] * u[i];
      }
    }
  }
  int n;
  std::vector<double> s, c;
};

/// A and f as tapes, over all states as the pool evaluates them.
struct ByTape {
  explicit ByTape(const body::SystemPool& pool) {
    const body::Equations& e = pool.equations();
    std::vector<expr::Expression> out(e.A), in(e.x);
    for (std::size_t i = 0; i < e.x.size(); ++i)
      out.push_back(body::symbolic::plus(e.b[i], e.grad_V[i]));
    for (expr::Expression& o : out)
      if (!o) o = pool.spec().graph->constant(0);
    in.insert(in.end(), e.u.begin(), e.u.end());
    for (const body::SystemParameter& p : e.parameters) in.push_back(p.variable);
    tape = expr::Tape::compile(out, in, {.active = 0, .order = 0}).tape;
    const expr::Tape* all[] = {&tape};
    std::string why;
    native = expr::compile_native(all, &why);
    if (!native) fmt::print("not compiled: {}\n", why);
    params = pool.parameters();
    x.resize(in.size());
    std::copy(params.begin(), params.end(), x.end() - static_cast<long>(params.size()));
    y.resize(out.size());
    scratch.resize(tape.scratch_size());
  }
  void operator()(const double* q, const double* u, double* A, double* f, bool compiled) {
    const int n = static_cast<int>((x.size() - params.size()) / 2);
    std::copy_n(q, n, x.data());
    std::copy_n(u, n, x.data() + n);
    if (compiled)
      native->value(0, x, y);
    else
      tape.value(x, y, scratch);
    const double* from = y.data();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) A[i * n + j] = *from++;
    for (int i = 0; i < n; ++i) f[i] = -*from++;
  }
  expr::Tape tape;
  std::shared_ptr<const expr::CompiledTape> native;
  std::vector<double> params, x, y, scratch;
};

std::string mjcf(int n) {
  std::string out = fmt::format(
      "<mujoco><compiler inertiafromgeom=\"false\"/><option gravity=\"0 0 {}\"/><worldbody>\n",
      -kGravity);
  for (int i = 0; i < n; ++i)
    out += fmt::format(
        "<body pos=\"0 0 {}\"><joint type=\"hinge\" axis=\"0 -1 0\"/><inertial pos=\"0 0 {}\" "
        "mass=\"{}\" diaginertia=\"{:.17g} {:.17g} 1e-12\"/>\n",
        i ? -kLength : 0, -kLength / 2, kMass, kInertia, kInertia);
  for (int i = 0; i < n; ++i) out += "</body>";
  return out + "</worldbody></mujoco>";
}

mjModel* load(const std::string& xml) {
  const std::unique_ptr<mjVFS> vfs = std::make_unique<mjVFS>();
  mj_defaultVFS(vfs.get());
  mj_makeEmptyFileVFS(vfs.get(), "chain.xml", static_cast<int>(xml.size()));
  std::copy(xml.begin(), xml.end(), static_cast<char*>(vfs->filedata[vfs->nfile - 1]));
  char error[1000] = {};
  mjModel* out = mj_loadXML("chain.xml", vfs.get(), error, sizeof error);
  mj_deleteVFS(vfs.get());
  if (!out) fmt::print(stderr, "{}\n", error), std::exit(2);
  return out;
}

template <class F>
double micros(const F& f, int calls) {
  const double before = cpu_seconds();
  for (int i = 0; i < calls; ++i) f(i % kStates);
  return (cpu_seconds() - before) / calls * 1e6;
}

double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + static_cast<long>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

int run(int n) {
  const body::SystemPool pool(chain(n));
  ByTape tape(pool);
  ByHand hand(n);
  const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model(load(mjcf(n)), mj_deleteModel);
  const std::unique_ptr<mjData, decltype(&mj_deleteData)> data(mj_makeData(model.get()),
                                                               mj_deleteData);
  std::mt19937 random(20);
  std::uniform_real_distribution<double> any(-3, 3);
  std::vector<double> q(at(n * kStates)), u(q.size()), a(at(n)), A(at(n * n)), b(at(n));
  for (std::vector<double>* v : {&q, &u})
    for (double& x : *v) x = any(random);
  const auto by = [&](auto& f, auto... more) {
    return [&, more...](int k) {
      f(q.data() + n * k, u.data() + n * k, A.data(), a.data(), more...);
      solve(n, A.data(), a.data());
    };
  };
  const auto by_mujoco = [&](int k) {
    for (int i = 0; i < n; ++i) {  // its angles count from the rod before
      data->qpos[i] = q[at(n * k + i)] - (i ? q[at(n * k + i - 1)] : 0);
      data->qvel[i] = u[at(n * k + i)] - (i ? u[at(n * k + i - 1)] : 0);
    }
    mj_forward(model.get(), data.get());
  };
  double worst = 0;
  for (int k = 0; k < kStates; ++k) {
    by(tape, false)(k);
    b = a;
    by(hand)(k);
    by_mujoco(k);
    double sum = 0, most = 1;
    for (int i = 0; i < n; ++i) {
      sum += data->qacc[i];
      most = std::max(most, std::abs(a[at(i)]));
      worst =
          std::max({worst, std::abs(a[at(i)] - b[at(i)]) / most, std::abs(a[at(i)] - sum) / most});
    }
  }
  std::vector<double> t[4];
  const int calls = 40000 / n;
  for (int round = 0; round < kRounds; ++round) {
    t[0].push_back(micros(by(hand), calls));
    t[1].push_back(micros(by(tape, false), calls));
    if (tape.native) t[2].push_back(micros(by(tape, true), calls));
    t[3].push_back(micros(by_mujoco, calls));
  }
  const double h = median(t[0]);
  fmt::print(
      "{:2} rods: by hand {:.3f} us; interpreted {:.3f} ({:.2f}); compiled {:.3f} ({:.2f}); MuJoCo "
      "{} {:.3f} ({:.2f}); apart {:.1e}; {} operations\n",
      n, h, median(t[1]), median(t[1]) / h, tape.native ? median(t[2]) : 0,
      tape.native ? median(t[2]) / h : 0, mj_versionString(), median(t[3]), median(t[3]) / h, worst,
      tape.tape.operations());
  return worst <= kSame ? 0 : 1;
}

}  // namespace

}  // namespace trammel::bench

int main() {
  int out = 0;
  for (const int n : {2, 6, 12, 24}) out |= trammel::bench::run(n);
  return out;
}

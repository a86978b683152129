#pragma once

#include <random>

#include "body/system.h"

/// Systems for tests.
namespace trammel::body::test {

/// A chain of points that hang from each other by rods, angles from the vertical about y.
inline SystemSpec pendulum(const std::vector<double>& mass, const std::vector<double>& length) {
  SystemSpec out;
  out.graph = std::make_shared<expr::Graph>();
  expr::Expression x, z;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    const std::string k = std::to_string(i + 1);
    const expr::Expression a = out.graph->variable("theta" + k);
    out.coordinates.push_back({"theta" + k, a, true});
    const expr::Expression dx = length[i] * expr::apply(expr::Op::sin, a),
                           dz = -(length[i] * expr::apply(expr::Op::cos, a));
    x = x ? x + dx : dx;
    z = z ? z + dz : dz;
    SystemObject bob;
    bob.name = "bob" + k;
    bob.position = {x, expr::Expression{}, z};
    bob.mass = mass[i];
    out.objects.push_back(bob);
  }
  return out;
}

/// A smooth expression of the coordinates, another for each call.
inline expr::Expression random_expression(const SystemSpec& spec, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto pick = [&] { return spec.coordinates[random() % spec.coordinates.size()].x; };
  const auto term = [&]() -> expr::Expression {
    const expr::Expression a = pick(), b = pick();
    const double c = number(random), d = number(random);
    switch (random() % 4) {
      case 0:
        return c * expr::apply(expr::Op::sin, a + d * b);
      case 1:
        return c * (a * b);
      case 2:
        return c * expr::apply(expr::Op::exp, d * a);
      default:
        return c * expr::apply(expr::Op::cos, a) * b;
    }
  };
  expr::Expression out = term();
  for (int i = 0; i < 2; ++i) out = out + term();
  return out;
}

/// n coordinates and some objects with full inertia tensors anywhere, some carried by others.
inline SystemSpec random_system(unsigned seed, int n, int objects, std::size_t nodes = 100'000) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  SystemSpec out;
  out.graph = std::make_shared<expr::Graph>(nodes);
  for (int i = 0; i < n; ++i) {
    const std::string name = "x" + std::to_string(i + 1);
    out.coordinates.push_back({name, out.graph->variable(name), i % 2 == 0});
  }
  for (int k = 0; k < objects; ++k) {
    SystemObject o;
    o.name = "object" + std::to_string(k + 1);
    o.on = k > 0 && random() % 2 == 0 ? static_cast<int>(random() % static_cast<unsigned>(k)) : -1;
    for (expr::Expression& e : o.position) e = random_expression(out, random);
    if (random() % 2 == 0) {
      const expr::Expression a = random_expression(out, random), b = random_expression(out, random),
                             c = random_expression(out, random);
      o.turns = zxz(a, b, c);
    } else {
      for (int i = 0; i < 2; ++i) {
        Vec3 axis;
        for (int j = 0; j < 3; ++j) axis[j] = number(random);
        o.turns.push_back({axis.normalized(), random_expression(out, random)});
      }
    }
    for (int j = 0; j < 3; ++j) o.com[j] = number(random);
    o.mass = 1 + number(random) / 2;
    Mat3 B;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) B(i, j) = number(random);
    const Mat3 S = B * B.transpose() + 0.2 * Mat3::Identity(), I = S.trace() * Mat3::Identity() - S;
    o.inertia = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
    out.objects.push_back(o);
  }
  out.potential = random_expression(out, random);
  return out;
}

}  // namespace trammel::body::test

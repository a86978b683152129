// Lagrange's equations by the Jacobians of the objects, docs/theory/systems.md: no third-order
// tensor, no expression twice.
#include "body/lagrange.h"

#include <algorithm>
#include <stdexcept>

#include "expr/derivative.h"
#include "math/index.h"

namespace trammel::body {

namespace {

using namespace symbolic;
using expr::Along;

E derived(Along& along, E e) {
  if (!e) return {};
  const expr::Derivative d = along.of(e);
  if (!d) throw std::runtime_error(d.error);
  return d.value;
}

Vec derived(Along& along, const Vec& v) {
  return {derived(along, v[0]), derived(along, v[1]), derived(along, v[2])};
}

/// Masses and moments as variables or as numbers; what is zero is not there.
class Weights {
 public:
  Weights(const SystemSpec& spec, bool named, std::vector<SystemParameter>& parameters) {
    static const char* const kNames[] = {"mass", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"};
    for (std::size_t k = 0; k < spec.objects.size(); ++k) {
      const SystemObject& o = spec.objects[k];
      all_.emplace_back();
      for (int i = 0; i < 7; ++i) {
        const double value = i == 0 ? o.mass : o.inertia[at(i - 1)];
        if (value == 0) continue;
        E& e = all_.back()[at(i)];
        e = named ? spec.graph->variable(o.name + "." + kNames[i]) : spec.graph->constant(value);
        if (named) parameters.push_back({static_cast<int>(k), i, e});
      }
    }
  }
  E mass(std::size_t k) const { return all_[k][0]; }
  Vec moment(std::size_t k, const Vec& w) const {  // I w, own axes
    const auto& m = all_[k];
    return {dot({m[1], m[4], m[5]}, w), dot({m[4], m[2], m[6]}, w), dot({m[5], m[6], m[3]}, w)};
  }
  bool turns(std::size_t k) const {
    return std::any_of(all_[k].begin() + 1, all_[k].end(), [](E e) { return bool(e); });
  }

 private:
  std::vector<std::array<E, 7>> all_;
};

/// A sum of weights times vectors in which each vector is there once: of bodies that a coordinate
/// moves alike only the sum of their masses is left.
class WeightedSum {
 public:
  void add(E weight, const Vec& v) {
    if (!weight || is_zero(v)) return;
    for (auto& [w, of] : terms_)
      if (of == v) {
        w = plus(w, weight);
        return;
      }
    terms_.emplace_back(weight, v);
  }
  Vec sum() const {
    Vec out;
    for (const auto& [w, v] : terms_) out = plus(out, times(w, v));
    return out;
  }
  const std::vector<std::pair<E, Vec>>& terms() const { return terms_; }

 private:
  std::vector<std::pair<E, Vec>> terms_;
};

class Deriver {
 public:
  Deriver(const SystemSpec& spec, bool named, Equations& out)
      : spec_(spec), out_(out), weights_(spec, named, out.parameters) {
    for (const SystemCoordinate& c : spec.coordinates) {
      out.x.push_back(c.x);
      out.u.push_back(spec.graph->variable(c.name + "'"));
    }
    const E one = spec.graph->constant(1);
    for (const E& x : out.x) by_.emplace_back(std::span(&x, 1), std::span(&one, 1));
    motion_.emplace_back(out.x, out.u);
  }

  void run() {
    for (std::size_t k = 0; k < spec_.objects.size(); ++k) place(k);
    for (std::size_t k = 0; k < spec_.objects.size(); ++k) move(k);
    inertia();
    forces();
    potential();
  }

 private:
  /// What the equations ask of an object's velocity, in the world's axes or in its own.
  struct Motion {
    std::vector<Vec> J, D;  // columns of v, and their rates along the motion
    Vec v, a0;              // velocity, and acceleration at x'' = 0
    std::vector<Vec> Dw_O;  // rates of Jw_O
    Vec alpha_O;            // own axes
  };

  std::size_t n() const { return out_.x.size(); }
  Along& motion() { return motion_.front(); }

  /// Pose and Jacobian columns of an object's centre of mass.
  void place(std::size_t k) {
    const SystemObject& o = spec_.objects[k];
    Equations::Object e;
    e.R = identity(*spec_.graph);
    for (auto* columns : {&e.Jv, &e.Jw, &e.Jw_O}) columns->resize(n());
    if (o.on >= 0) e = frames_[at(o.on)];
    if (o.track.path) go_along(e, o.track);
    shift(e, {kept(o.position[0]), kept(o.position[1]), kept(o.position[2])});
    for (const SystemTurn& t : o.turns) turn_by(e, t);
    frames_.push_back(e);
    shift(e, constant(*spec_.graph, o.com));
    out_.objects.push_back(std::move(e));
  }
  static E kept(E e) { return e && expr::is_constant(e) && expr::constant_value(e) == 0 ? E{} : e; }

  /// Moves the origin by r in the object's axes, a function of the coordinates.
  void shift(Equations::Object& e, const Vec& r) {
    if (is_zero(r)) return;
    const Vec r_W = product(e.R, r);
    e.p = plus(e.p, r_W);
    for (std::size_t i = 0; i < n(); ++i) {
      const Vec d = derived(by_[i], r);
      e.Jv[i] = plus(plus(e.Jv[i], cross(e.Jw[i], r_W)), product(e.R, d));
      if (!e.Jv_O.empty()) e.Jv_O[i] = plus(plus(e.Jv_O[i], cross(e.Jw_O[i], r)), d);
    }
  }

  /// To the frame of a curve at s. From there on velocities are kept in own axes as well: along a
  /// curve they are s' t there, as a rule (s', 0, 0) whatever its course, which leaves m s'^2/2 of
  /// the kinetic energy of a point.
  void go_along(Equations::Object& e, const SystemTrack& track) {
    shift(e, constant(*spec_.graph, track.X.p));
    const Eigen::AngleAxisd turn(track.X.R);
    turn_by(e, {turn.axis(), constant(*spec_.graph, turn.angle())});
    const Path::At on = track.path->at(track.s);
    const Vec p_W = product(e.R, on.p), w_W = product(e.R, product(on.C, on.w));
    const Mat R = product(e.R, on.C);
    const Vec t_W = product(R, on.t);
    if (e.Jv_O.empty())
      for (const Vec& J : e.Jv) e.Jv_O.push_back(transposed_product(e.R, J));
    e.p = plus(e.p, p_W);
    for (std::size_t i = 0; i < n(); ++i) {
      const E d = derived(by_[i], track.s);
      const Vec moved = plus(e.Jv_O[i], cross(e.Jw_O[i], on.p));
      e.Jv[i] = plus(plus(e.Jv[i], cross(e.Jw[i], p_W)), times(d, t_W));
      e.Jw[i] = plus(e.Jw[i], times(d, w_W));
      e.Jv_O[i] = plus(transposed_product(on.C, moved), times(d, on.t));
      e.Jw_O[i] = plus(transposed_product(on.C, e.Jw_O[i]), times(d, on.w));
    }
    e.R = R;
  }

  void turn_by(Equations::Object& e, const SystemTurn& t) {
    if (!t.angle || (expr::is_constant(t.angle) && expr::constant_value(t.angle) == 0)) return;
    const Vec a = constant(*spec_.graph, t.axis), a_W = product(e.R, a);
    const Mat R = turn(t.axis, t.angle);
    for (std::size_t i = 0; i < n(); ++i) {
      const E d = derived(by_[i], t.angle);
      e.Jw[i] = plus(e.Jw[i], times(d, a_W));
      if (!e.Jv_O.empty()) e.Jv_O[i] = transposed_product(R, e.Jv_O[i]);
      // the turn leaves its own axis
      e.Jw_O[i] = plus(transposed_product(R, e.Jw_O[i]), times(d, a));
    }
    e.R = product(e.R, R);
  }

  void move(std::size_t k) {
    Equations::Object& e = out_.objects[k];
    Motion m;
    for (std::size_t i = 0; i < n(); ++i) {
      m.Dw_O.push_back(derived(motion(), e.Jw_O[i]));
      e.w_O = plus(e.w_O, times(out_.u[i], e.Jw_O[i]));
      m.alpha_O = plus(m.alpha_O, times(out_.u[i], m.Dw_O[i]));
    }
    if (e.Jv_O.empty())
      move_in_world(e, m);
    else
      move_in_own_axes(e, m);
    motions_.push_back(std::move(m));
  }

  void move_in_world(Equations::Object& e, Motion& m) {
    m.J = e.Jv;
    for (std::size_t i = 0; i < n(); ++i) {
      m.D.push_back(derived(motion(), e.Jv[i]));
      m.v = plus(m.v, times(out_.u[i], e.Jv[i]));
      m.a0 = plus(m.a0, times(out_.u[i], m.D[i]));
      e.w = plus(e.w, times(out_.u[i], e.Jw[i]));
      e.alpha = plus(e.alpha, times(out_.u[i], derived(motion(), e.Jw[i])));
    }
    e.v = m.v;
    e.a0 = m.a0;
  }

  /// With v_O = R^T v: a_O = v_O' + w_O x v_O.
  void move_in_own_axes(Equations::Object& e, Motion& m) {
    m.J = e.Jv_O;
    for (std::size_t i = 0; i < n(); ++i) {
      const Vec D = plus(derived(motion(), e.Jv_O[i]), cross(e.w_O, e.Jv_O[i]));
      m.D.push_back(D);
      m.v = plus(m.v, times(out_.u[i], e.Jv_O[i]));
      m.a0 = plus(m.a0, times(out_.u[i], D));
    }
    e.v = product(e.R, m.v);
    e.w = product(e.R, e.w_O);
    e.a0 = product(e.R, m.a0);
    e.alpha = product(e.R, m.alpha_O);
  }

  /// Calls f(weight, k) for what has mass, the last first: sums of those behind have parts in
  /// common.
  template <class F>
  void for_massive(const F& f) {
    for (std::size_t k = spec_.objects.size(); k-- > 0;)
      if (const E m = weights_.mass(k)) f(m, k);
  }

  /// sum m Jv_i . y over the objects, y one vector of each: those that i moves alike are summed
  /// first.
  template <class Y>
  E weighed(std::size_t i, const Y& y) {
    std::vector<std::pair<Vec, WeightedSum>> alike;
    for_massive([&](E m, std::size_t k) {
      const Vec& J = motions_[k].J[i];
      if (is_zero(J)) return;
      const auto it =
          std::find_if(alike.begin(), alike.end(), [&](const auto& a) { return a.first == J; });
      (it == alike.end() ? alike.emplace_back(J, WeightedSum{}) : *it).second.add(m, y(k));
    });
    E out;
    for (const auto& [J, sum] : alike)
      if (sum.terms().size() == 1)  // the product is often there already
        out = plus(out, times(sum.terms()[0].first, dot(J, sum.terms()[0].second)));
      else
        out = plus(out, dot(J, sum.sum()));
    return out;
  }

  void inertia() {
    for (std::size_t i = 0; i < n(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        E a = weighed(i, [&](std::size_t k) { return motions_[k].J[j]; });
        for (std::size_t k = 0; k < spec_.objects.size(); ++k)
          if (weights_.turns(k))
            a = plus(a, dot(out_.objects[k].Jw_O[i], weights_.moment(k, out_.objects[k].Jw_O[j])));
        out_.A.push_back(a);
      }
  }

  /// b = sum m Jv^T a0 + Jw^T (I alpha + w x I w), and dT/dx = sum m Dv . v + (Dw + w x Jw) . I w.
  void forces() {
    std::vector<Vec> torque, spin;
    for (std::size_t k = 0; k < spec_.objects.size(); ++k) {
      const Vec& w = out_.objects[k].w_O;
      spin.push_back(weights_.moment(k, w));
      torque.push_back(plus(weights_.moment(k, motions_[k].alpha_O), cross(w, spin[k])));
    }
    for (std::size_t i = 0; i < n(); ++i) {
      E b = weighed(i, [&](std::size_t k) { return motions_[k].a0; });
      E grad = slope(i);
      for (std::size_t k = 0; k < spec_.objects.size(); ++k) {
        const Equations::Object& o = out_.objects[k];
        if (!weights_.turns(k)) continue;
        b = plus(b, dot(o.Jw_O[i], torque[k]));
        grad = plus(grad, dot(plus(motions_[k].Dw_O[i], cross(o.w_O, o.Jw_O[i])), spin[k]));
      }
      out_.b.push_back(b);
      out_.grad_T.push_back(grad);
    }
  }

  /// sum m D_i . v.
  E slope(std::size_t i) {
    std::vector<std::pair<Vec, WeightedSum>> alike;
    for_massive([&](E m, std::size_t k) {
      const Motion& o = motions_[k];
      if (is_zero(o.D[i])) return;
      const auto it = std::find_if(alike.begin(), alike.end(),
                                   [&](const auto& a) { return a.first == o.D[i]; });
      (it == alike.end() ? alike.emplace_back(o.D[i], WeightedSum{}) : *it).second.add(m, o.v);
    });
    E out;
    for (const auto& [D, sum] : alike) out = plus(out, dot(D, sum.sum()));
    return out;
  }

  void potential() {
    out_.V = spec_.potential;
    for (std::size_t i = 0; i < n(); ++i) out_.grad_V.push_back(derived(by_[i], out_.V));
    for (std::size_t i = 0; i < n(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        out_.curvature.push_back(derived(by_[j], out_.grad_V[i]));
  }

  const SystemSpec& spec_;
  Equations& out_;
  Weights weights_;
  std::vector<Along> by_, motion_;
  std::vector<Equations::Object> frames_;  // of objects: at the origins of their frames
  std::vector<Motion> motions_;            // of objects
};

}  // namespace

std::vector<SystemTurn> zxz(expr::Expression alpha, expr::Expression beta, expr::Expression gamma) {
  return {{Vec3::UnitZ(), alpha}, {Vec3::UnitX(), beta}, {Vec3::UnitZ(), gamma}};
}

Equations lagrange(const SystemSpec& spec, bool named) {
  Equations out;
  try {
    Deriver(spec, named, out).run();
  } catch (const std::runtime_error& e) {
    out.error = e.what();
  } catch (const expr::GraphFull& e) {
    out.error = e.what();
  }
  return out;
}

}  // namespace trammel::body

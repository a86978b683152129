#include "expr/derivative.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "expr/build.h"
#include "expr/unary.h"

namespace trammel::expr {

namespace {

using E = Expression;

struct Unavailable {
  std::string text;
};

}  // namespace

// Forward over the nodes in order. An expression that does not depend on the variable has the empty
// derivative, so that no 0 * x has to be simplified away.
class Along::Work {
 public:
  Work(std::span<const E> variables, std::span<const E> rates) : g_(*variables.front().graph) {
    for (std::size_t i = 0; i < variables.size(); ++i) d_[variables[i].id] = rates[i];
  }

  /// Empty where the root does not depend on the variables.
  E of(E root) {
    for (const Id id : reachable(g_, std::span(&root, 1)))
      if (known_.insert(id).second && !d_.contains(id))
        if (const E d = node({&g_, id})) d_[id] = d;
    return of_node(root);
  }

 private:
  E node(E e) const {
    const Op op = g_.node(e.id).op;
    if (is_flat(op)) return {};
    if (op == Op::call) return call(e);
    if (is_choice(op)) return choice(op, e);
    if (arity(op) == 1) return of_one(op, e);
    return arity(op) == 2 ? of_two(op, e) : E{};
  }

  E arg(E e, std::size_t i) const { return g_.arg(e, i); }
  E d(E e, std::size_t i) const { return of_node(arg(e, i)); }
  E of_node(E e) const {
    const auto at = d_.find(e.id);
    return at == d_.end() ? E{} : at->second;
  }

  static E plus(E a, E b) { return a && b ? a + b : a ? a : b; }
  static E minus(E a, E b) { return a && b ? a - b : a ? a : b ? -b : E{}; }
  static E times(E a, E b) { return a && b ? a * b : E{}; }
  static E over(E a, E b) { return a ? a / b : E{}; }

  E of_one(Op op, E e) const {
    const E du = d(e, 0);
    if (!du || !unary(op).derivative) return {};
    return unary(op).derivative(arg(e, 0), e) * du;
  }

  E of_two(Op op, E f) const {
    const E a = arg(f, 0), b = arg(f, 1), da = d(f, 0), db = d(f, 1);
    if (!da && !db) return {};
    switch (op) {
      case Op::add:
        return plus(da, db);
      case Op::sub:
        return minus(da, db);
      case Op::mul:
        return plus(times(da, b), times(a, db));
      case Op::div:
        return over(minus(da, times(f, db)), b);
      case Op::power:
        return b * pow(a, constant_value(b) - 1) * da;
      case Op::pow:
        return plus(da ? b * pow(a, b - 1) * da : E{}, db ? f * apply(Op::log, a) * db : E{});
      case Op::hypot:
        return plus(da ? a / f * da : E{}, db ? b / f * db : E{});
      default:  // atan2
        return over(minus(times(b, da), times(a, db)), pow(a, 2) + pow(b, 2));
    }
  }

  E choice(Op op, E e) const {
    const bool select = op == Op::select;
    const E a = d(e, select ? 1 : 0), b = d(e, select ? 2 : 1), zero = g_.constant(0);
    if (!a && !b) return {};
    const E x = arg(e, 0), y = arg(e, 1);
    const E takes_a = select          ? x
                      : op == Op::min ? apply(Op::less_equal, x, y)
                                      : apply(Op::less_equal, y, x);
    return apply(Op::select, takes_a, a ? a : zero, b ? b : zero);
  }

  E call(E e) const {
    E sum;
    const auto n = g_.args(e.id).size();
    std::vector<E> args;
    for (std::size_t i = 0; i < n; ++i) args.push_back(arg(e, i));
    for (std::size_t i = 0; i < n; ++i)
      if (const E du = d(e, i)) sum = plus(sum, partial(e, i, args) * du);
    return sum;
  }

  E partial(E e, std::size_t i, std::span<const E> args) const {
    Call call = g_.call_of(e.id);
    ++call.partial[i];
    const Function& f = *call.function;
    if (order(call.partial) > f.order)
      throw Unavailable{fmt::format("a derivative of order {} of '{}' is needed, it gives up to {}",
                                    order(call.partial), f.name, f.order)};
    return g_.call(call.function, args, call.partial, call.result);
  }

  Graph& g_;
  std::unordered_map<Id, E> d_;   // of the nodes that depend on the variables
  std::unordered_set<Id> known_;  // nodes that have been asked for
};

namespace {

/// What f() makes, or why it cannot.
template <class F>
Derivative tried(const F& f) {
  try {
    return {f(), ""};
  } catch (const GraphFull& full) {
    return {{}, full.what()};
  } catch (const Unavailable& unavailable) {
    return {{}, unavailable.text};
  }
}

}  // namespace

Along::Along(std::span<const Expression> variables, std::span<const Expression> rates)
    : work_(std::make_unique<Work>(variables, rates)) {}
Along::~Along() = default;
Along::Along(Along&&) noexcept = default;

Derivative Along::of(Expression e) {
  return tried([&] { return work_->of(e); });
}

Derivative derivative(Expression e, std::span<const Expression> variables) {
  return tried([&] {
    for (const Expression& v : variables) {
      const E one = e.graph->constant(1), d = Along::Work({&v, 1}, {&one, 1}).of(e);
      e = d ? d : e.graph->constant(0);
    }
    return e;
  });
}

Derivative derivative(Expression e, Expression variable) {
  return derivative(e, std::span(&variable, 1));
}

}  // namespace trammel::expr

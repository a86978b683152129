#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "expr/parser.h"

namespace trammel::expr {

namespace {

int level(const Graph& g, Id id) {
  const Node& n = g.node(id);
  switch (n.op) {
    case Op::constant:
      return std::signbit(n.value) && std::isfinite(n.value) ? Level::kMinus : Level::kPrimary;
    case Op::either:
      return Level::kEither;
    case Op::both:
      return Level::kBoth;
    case Op::negation:
      return Level::kNot;
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::different:
      return Level::kCompare;
    case Op::add:
    case Op::sub:
      return Level::kSum;
    case Op::mul:
    case Op::div:
      return Level::kProduct;
    case Op::neg:
      return Level::kMinus;
    case Op::power:
    case Op::pow:
      return Level::kPower;
    default:
      return Level::kPrimary;
  }
}

// Without recursion: the pieces that are still to be written stand on a stack.
class Printer {
 public:
  Printer(const Graph& g, std::size_t most) : g_(g), most_(most) {}

  std::string text(Id root) {
    stack_.push_back({root, Level::kAll, {}});
    while (!stack_.empty() && out_.size() <= most_) {
      const Piece piece = std::move(stack_.back());
      stack_.pop_back();
      if (piece.least < 0)
        out_ += piece.text;
      else
        write(piece.id, piece.least);
    }
    if (out_.size() > most_) out_.replace(most_ < 3 ? 0 : most_ - 3, out_.npos, "...");
    return std::move(out_);
  }

 private:
  struct Piece {
    Id id;
    int least;  // in parentheses if it binds less; -1: the text itself
    std::string text;
  };

  void say(std::string_view text) { line_.push_back({0, -1, std::string(text)}); }
  void say(Id id, int least) { line_.push_back({id, least, {}}); }

  void write(Id id, int least) {
    line_.clear();
    const bool parentheses = level(g_, id) < least;
    if (parentheses) say("(");
    node(id);
    if (parentheses) say(")");
    stack_.insert(stack_.end(), std::make_move_iterator(line_.rbegin()),
                  std::make_move_iterator(line_.rend()));
  }

  // A condition that was folded is written as one all the same.
  void say_condition(Id id, int least) {
    const Node& n = g_.node(id);
    if (n.op != Op::constant || std::isnan(n.value)) return say(id, least);
    say(n.value == 0 ? "1 < 0" : "0 < 1");
  }

  void node(Id id) {
    const Node& n = g_.node(id);
    const auto args = g_.args(id);
    switch (n.op) {
      case Op::constant:
        return constant(n.value);
      case Op::variable:
        return say(g_.name(id));
      case Op::call:
        return call(id);
      case Op::neg:
        return say("-"), say(args[0], Level::kMinus);
      case Op::negation:
        return say("not "), say(args[0], Level::kCompare);
      case Op::select:
        return select(id);
      case Op::min:
      case Op::max:
        return fold(id);
      default:
        if (level(g_, id) < Level::kPrimary) return infix(id);
        return function(symbol(n.op), args), say(")");
    }
  }

  void constant(double v) {
    if (std::isfinite(v)) return say(fmt::format("{}", v));
    say(std::isnan(v) ? "(0/0)" : v > 0 ? "(1/0)" : "(-1/0)");
  }

  void infix(Id id) {
    const Op op = g_.node(id).op;
    const int own = level(g_, id);
    const bool power = own == Level::kPower, tight = own == Level::kProduct || power;
    const auto args = g_.args(id);
    if (own == Level::kEither || own == Level::kBoth) {
      say_condition(args[0], own);
      say(fmt::format(" {} ", symbol(op)));
      return say_condition(args[1], own + 1);
    }
    say(args[0], power ? Level::kPrimary : own == Level::kCompare ? own + 1 : own);
    say(tight ? std::string(symbol(op)) : fmt::format(" {} ", symbol(op)));
    say(args[1], tight ? Level::kPower : own + 1);
  }

  // Without the ')'.
  void function(std::string_view name, std::span<const Id> args) {
    say(name);
    for (std::size_t i = 0; i < args.size(); ++i) {
      say(i == 0 ? "(" : ", ");
      say(args[i], Level::kAll);
    }
  }

  // max(max(a, b), c) is max(a, b, c).
  void fold(Id id) {
    const Op op = g_.node(id).op;
    std::vector<Id> args;
    for (; g_.node(id).op == op; id = g_.args(id)[0]) args.push_back(g_.args(id)[1]);
    args.push_back(id);
    function(symbol(op), std::vector<Id>(args.rbegin(), args.rend()));
    say(")");
  }

  void select(Id id) {
    std::vector<Id> args;
    for (; g_.node(id).op == Op::select; id = g_.args(id)[2])
      args.insert(args.end(), {g_.args(id)[0], g_.args(id)[1]});
    args.push_back(id);
    function(args.size() == 3 ? "if" : "piecewise", args);
    say(")");
  }

  void call(Id id) {
    const Call& c = g_.call_of(id);
    std::string marks;
    for (std::size_t i = 0; i < c.partial.size(); ++i)
      marks += c.partial.size() == 1 ? std::string(c.partial[i], '\'')
                                     : std::string(c.partial[i], static_cast<char>('1' + i));
    if (c.partial.size() > 1 && !marks.empty()) marks = "'" + marks;
    function(name_of(c) + marks, g_.args(id));
    say(c.function->data.empty() ? ")" : ", " + c.function->data + ")");
  }

  const Graph& g_;
  std::size_t most_;
  std::string out_;
  std::vector<Piece> stack_, line_;
};

}  // namespace

std::string to_text(Expression e, std::size_t most) { return Printer(*e.graph, most).text(e.id); }

}  // namespace trammel::expr

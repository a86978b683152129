#include <fmt/format.h>

#include <algorithm>

#include "expr/build.h"
#include "expr/parser.h"
#include "units/nearest.h"

namespace trammel::expr {

namespace {

void append(std::vector<std::string>& to, const std::vector<std::string>& names) {
  to.insert(to.end(), names.begin(), names.end());
}

}  // namespace

// Each name is complained of once.
void Parser::unknown(const Token& name, std::string_view what, std::vector<std::string> known) {
  const std::string_view word = text_.substr(name.begin, name.end - name.begin);
  if (problems_.size() > kMostProblems || !unknown_.insert(std::string(word)).second) return;
  complain(name.begin, fmt::format("unknown {} '{}'{}", what, words(name.begin, name.end),
                                   units::did_you_mean(word, known)));
}

Parser::Term Parser::value(const Token& name) {
  const std::string_view word = text_.substr(name.begin, name.end - name.begin);
  Term out{Type::number, {}, {}, name.begin, name.end};
  if (const auto* known = symbols_.find_value(word)) {
    out.e = known->expression;
    out.dimension = known->dimension;
    out.plain = limits_.factors && !out.dimension && is_constant(out.e);
    if (is_condition(g_.node(out.e.id).op)) out.type = Type::condition;
    return finite(out);
  }
  if (const auto constant = find_constant(word)) {
    out.e = g_.constant(*constant);
    out.dimension = units::kRatio;
    return out;
  }
  out.type = Type::broken;
  if (symbols_.find_points(word))
    complain(name.begin, fmt::format("'{0}' is data: write table(x, {0}) or spline(x, {0})", word));
  else if (is_reserved(word) || symbols_.find_function(word))
    complain(name.begin, fmt::format("'{0}' is a function: write {0}(...)", word));
  else if (const std::string* why = symbols_.find_refused(word)) {
    if (unknown_.insert(std::string(word)).second) complain(name.begin, *why);
  } else {
    std::vector<std::string> known = symbols_.value_names();
    append(known, constant_names());
    unknown(name, "name", std::move(known));
  }
  return out;
}

// The marks behind a function's name: "" for each ', or its digits.
std::vector<std::string> Parser::marks() {
  std::vector<std::string> out;
  while (token_.kind == Kind::prime) {
    advance();
    const bool digits = token_.kind == Kind::number && token_.begin == last_end_;
    out.push_back(digits ? words(token_.begin, token_.end) : "");
    if (digits) advance();
  }
  return out;
}

bool Parser::partial_of(const Token& name, const Function& f, const std::vector<std::string>& marks,
                        Partial& out) {
  out.assign(static_cast<std::size_t>(f.arity), 0);
  int sum = 0;
  for (std::string digits : marks) {
    if (digits.empty() && f.arity == 1) digits = "1";
    for (const char c : digits.empty() ? "?" : digits) {
      if (c < '1' || c >= '1' + f.arity) {
        complain(name.end, fmt::format("the derivative of {} is by argument 1 to {}: write {}'1",
                                       f.name, f.arity, f.name));
        return false;
      }
      if (++sum <= f.order) ++out[static_cast<std::size_t>(c - '1')];
    }
  }
  if (sum <= f.order) return true;
  complain(name.end,
           fmt::format("{} gives derivatives up to order {}, not {}", f.name, f.order, sum));
  return false;
}

Parser::Term Parser::call(const Token& name) {
  const std::string_view word = text_.substr(name.begin, name.end - name.begin);
  if (word == "table" || word == "spline") return data(name, word == "spline");
  const Builtin* const b = find_builtin(word);
  if (b && token_.kind == Kind::prime)
    stop(token_.begin, "only functions from outside have derivatives with '");
  if (b) return builtin(name, *b);
  const auto f = symbols_.find_function(word);
  Partial partial;
  const std::vector<std::string> derivatives = marks();
  const bool good = f && partial_of(name, *f, derivatives, partial);
  if (good) return outside(name, f, partial);
  if (!f && (symbols_.find_value(word) || find_constant(word)))
    stop(name.begin, fmt::format("'{0}' is no function: write {0}*(...) for a product", word));
  if (!f) {
    std::vector<std::string> known = symbols_.function_names();
    append(known, builtin_names());
    unknown(name, "function", std::move(known));
  }
  arguments();
  return {Type::broken, {}, {}, name.begin, last_end_};
}

Parser::Term Parser::builtin(const Token& name, const Builtin& b) {
  const std::vector<Term> args = arguments();
  Term out{Type::broken, {}, {}, name.begin, last_end_};
  if (const std::string wrong = complaint_arity(b, args.size()); !wrong.empty())
    return complain(name.begin, wrong), out;
  std::vector<Term> conditions, numbers;
  std::vector<Expression> all;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const bool condition = b.chooses && i % 2 == 0 && i + 1 < args.size();
    (condition ? conditions : numbers).push_back(args[i]);
    all.push_back(args[i].e);
  }
  const bool good = are(conditions, Type::condition);
  if (!are(numbers, Type::number) || !good) return out;
  const bool between = b.rule >= Rule::alike && b.rule <= Rule::alike_number;
  if (!verdict(b.rule, between ? fmt::format("together in {}", b.name) : b.name, numbers, out))
    return out;
  if (const std::string wrong = complaint_values(b, all); !wrong.empty())
    return complain(name.begin, wrong), out;
  out.type = Type::number;
  out.plain = conditions.empty() &&
              std::all_of(numbers.begin(), numbers.end(), [](const Term& t) { return t.plain; });
  out.e = b(all);
  return finite(out);
}

Parser::Term Parser::outside(const Token& name, std::shared_ptr<const Function> f,
                             const Partial& partial) {
  const std::vector<Term> args = arguments();
  if (args.size() == static_cast<std::size_t>(f->arity))
    return call_of(name, std::move(f), partial, args);
  complain(name.begin, fmt::format("{} takes {} argument{}, not {}", f->name, f->arity,
                                   f->arity == 1 ? "" : "s", args.size()));
  return {Type::broken, {}, {}, name.begin, last_end_};
}

// table(x, name): the second argument is no expression.
Parser::Term Parser::data(const Token& name, bool spline) {
  const std::vector<std::string> derivatives = marks();
  take(Kind::open, "'('");
  const Term x = expression(Level::kAll);
  take(Kind::comma, "an operator or ','");
  const Token which = token_;
  take(Kind::name, "the name of data");
  take(Kind::close, "')'");
  const std::string_view word = text_.substr(which.begin, which.end - which.begin);
  const auto* points = symbols_.find_points(word);
  Partial partial;
  if (!points) unknown(which, "data", symbols_.point_names());
  const auto f = !points ? nullptr : spline ? points->spline : points->table;
  if (f && partial_of(name, *f, derivatives, partial))
    return call_of(name, f, partial, std::span(&x, 1));
  return {Type::broken, {}, {}, name.begin, last_end_};
}

Parser::Term Parser::call_of(const Token& name, std::shared_ptr<const Function> f,
                             const Partial& partial, std::span<const Term> args) {
  Term out{Type::broken, {}, f->result, name.begin, last_end_};
  if (!are(args, Type::number)) return out;
  bool good = true;
  std::vector<Expression> all;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const MaybeDimension &is = args[i].dimension, &needed = f->arguments[i];
    all.push_back(args[i].e);
    if (out.dimension) {
      const int n = partial[i];
      out.dimension = needed ? MaybeDimension(*out.dimension / needed->pow(n))
                      : n    ? MaybeDimension{}
                             : out.dimension;
    }
    if (!is || !needed || agree(*is, *needed)) continue;
    complain(args[i].begin, fmt::format("'{}' is {}, {} is needed by {}", words(args[i]),
                                        describe(*is), describe(*needed), f->name));
    good = false;
  }
  if (!good) return out;
  out.type = Type::number;
  out.e = g_.call(std::move(f), all, partial);
  return out;
}

}  // namespace trammel::expr

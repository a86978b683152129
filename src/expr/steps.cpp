#include "expr/steps.h"

namespace trammel::expr {

Steps::Steps(Tape& tape)
    : tape_(tape), first_(static_cast<std::uint32_t>(tape.n_slots_ - tape.code_.size())) {
  count_uses();
  for (std::uint32_t k = 0; k < tape_.code_.size(); ++k) {
    const Tape::Operation& i = tape_.code_[k];
    if (i.pair == 2) continue;
    if (i.op == Op::div || i.op == Op::neg)
      tape_.steps_.push_back({i.op == Op::div ? Kind::div : Kind::neg, first_ + k, i.a, i.b});
    else if (!is_sum_or_product(i))
      tape_.steps_.push_back({i.pair ? Kind::circle : Kind::other, first_ + k, k});
    else if (const Tape::Step s = step(i, first_ + k); s.kind == Kind::mul && goes_on(s.to))
      later_.emplace(s.to, s);
    else
      tape_.steps_.push_back(s);
  }
}

bool Steps::is_square(const Tape::Operation& i) const {
  return i.op == Op::power && tape_.constants_[i.b - tape_.n_inputs_] == 2;
}

bool Steps::is_sum_or_product(const Tape::Operation& i) const {
  return i.op == Op::add || i.op == Op::sub || i.op == Op::mul || is_square(i);
}

bool Steps::goes_on(std::uint32_t slot) const {
  return uses_[slot].times == 1 && uses_[slot].by_sum_or_product;
}

// Of what is used otherwise, twice is enough.
void Steps::count_uses() {
  uses_.resize(tape_.n_slots_);
  const auto use = [&](std::uint32_t slot, bool by_sum_or_product) {
    ++uses_[slot].times;
    uses_[slot].by_sum_or_product = by_sum_or_product;
  };
  for (const Tape::Operation& i : tape_.code_) {
    if (i.op == Op::call) continue;
    const bool good = is_sum_or_product(i) && !is_square(i);
    use(i.a, good);
    if (arity(i.op) > 1) use(i.b, good);
    if (arity(i.op) > 2) use(i.c, good);
  }
  for (const Tape::Argument& a : tape_.arguments_) use(a.slot, false);
  for (const Tape::Output& o : tape_.outputs_) use(o.slot, false);
}

Tape::Step Steps::step(const Tape::Operation& i, std::uint32_t to) {
  if (is_square(i)) return {Kind::mul, to, i.a, i.a};
  const bool sub = i.op == Op::sub, mul = i.op == Op::mul;
  const auto a = later_.find(i.a), b = later_.find(i.b);
  if (a != later_.end()) {
    if (b != later_.end()) tape_.steps_.push_back(b->second);
    const Kind kind = mul ? Kind::mul_product : sub ? Kind::product_sub : Kind::add_product;
    return {kind, to, a->second.a, a->second.b, i.b};
  }
  if (b != later_.end()) {
    const Kind kind = mul ? Kind::mul_product : sub ? Kind::sub_product : Kind::add_product;
    return {kind, to, b->second.a, b->second.b, i.a};
  }
  return {mul ? Kind::mul : sub ? Kind::sub : Kind::add, to, i.a, i.b};
}

}  // namespace trammel::expr

#include "expr/compiled.h"

#include <fmt/format.h>
#include <math.h>  // sincos, which is not C++'s

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>

#include "expr/evaluate.h"

namespace trammel::expr {

namespace {

constexpr std::size_t kFunctions = std::size_t(Op::negation) - std::size_t(Op::neg) + 1;

/// Those that evaluate() calls.
CLibrary library() {
  static const auto one = [] {
    std::array<double (*)(double), kFunctions> out;
    for (std::size_t i = 0; i < kFunctions; ++i) out[i] = kUnary[i].value;
    return out;
  }();
  CLibrary out{};
  out.one = one.data();
  out.pow = [](double a, double b) { return std::pow(a, b); };
  out.hypot = [](double a, double b) { return std::hypot(a, b); };
  out.atan2 = [](double a, double b) { return std::atan2(a, b); };
  out.sincos = [](double a, double* s, double* c) { ::sincos(a, s, c); };
  return out;
}

std::string name_of(std::size_t tape) { return fmt::format("trammel_tape_{}", tape); }

/// The tapes' file of C; empty: `why`.
std::string text_of(std::span<const Tape* const> tapes, std::string& why) {
  std::string out = c_prelude();
  for (std::size_t i = 0; i < tapes.size(); ++i) {
    const std::string outside = CText::outside(*tapes[i]);
    if (!outside.empty())
      return why = fmt::format("'{}' is a function from outside", outside), std::string();
    out += CText(*tapes[i], name_of(i)).take();
  }
  return out;
}

}  // namespace

CompiledTape::CompiledTape(std::unique_ptr<LoadedC> code, std::size_t tapes)
    : code_(std::move(code)), library_(library()) {
  for (std::size_t i = 0; i < tapes; ++i)
    values_.push_back(reinterpret_cast<Value>(code_->find(name_of(i).c_str())));
}

bool CompiledTape::is_whole() const {
  return std::find(values_.begin(), values_.end(), nullptr) == values_.end();
}

std::shared_ptr<const CompiledTape> compile_native(std::span<const Tape* const> tapes,
                                                   std::string* why,
                                                   const LoadedC::Compiler& compiler) {
  std::string ignored;
  std::string& reason = why ? *why : ignored;
  reason.clear();
  try {
    const std::string text = text_of(tapes, reason);
    if (text.empty()) return nullptr;
    std::unique_ptr<LoadedC> code = LoadedC::load(text, compiler, reason);
    if (!code) return nullptr;
    std::shared_ptr<const CompiledTape> out(new CompiledTape(std::move(code), tapes.size()));
    if (out->is_whole()) return out;
    return reason = "the compiler left functions out", nullptr;
  } catch (const std::exception& e) {
    reason = e.what();
    return nullptr;
  }
}

}  // namespace trammel::expr

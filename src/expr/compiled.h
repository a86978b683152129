#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "expr/c_compiler.h"
#include "expr/c_text.h"
#include "expr/tape.h"

namespace trammel::expr {

/// Values of tapes as machine code, made while the program runs: the bits are those of Tape::value.
/// Constant: threads may share it.
class CompiledTape {
 public:
  std::size_t size() const { return values_.size(); }
  /// Of tape i, as many numbers as it has inputs and outputs, x and y apart.
  void value(std::size_t i, std::span<const double> x, std::span<double> y) const {
    values_[i](x.data(), y.data(), &library_);
  }

 private:
  friend std::shared_ptr<const CompiledTape> compile_native(std::span<const Tape* const> tapes,
                                                            std::string* why,
                                                            const LoadedC::Compiler& compiler);
  using Value = void (*)(const double* x, double* y, const CLibrary* library);
  CompiledTape(std::unique_ptr<LoadedC> code, std::size_t tapes);
  bool is_whole() const;

  std::unique_ptr<LoadedC> code_;
  std::vector<Value> values_;
  CLibrary library_;
};

/// Compiles them all at once with the system's C compiler, which takes a second for some thousand
/// operations. Nothing where that cannot be, with the reason in `why` (may be null); never throws.
/// Tapes that call functions from outside have no such form.
std::shared_ptr<const CompiledTape> compile_native(std::span<const Tape* const> tapes,
                                                   std::string* why = nullptr,
                                                   const LoadedC::Compiler& compiler = {});

}  // namespace trammel::expr

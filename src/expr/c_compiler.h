#pragma once

#include <memory>
#include <string>

namespace trammel::expr {

/// A file of C, compiled by the system's compiler and loaded.
class LoadedC {
 public:
  struct Compiler {
    std::string name = "cc";  // looked for in PATH, unless it has a '/'
    double seconds = 60;      // that it may take
  };
  /// Nothing, and in `why` the reason.
  static std::unique_ptr<LoadedC> load(const std::string& text, const Compiler& compiler,
                                       std::string& why);
  ~LoadedC();
  LoadedC(const LoadedC&) = delete;
  LoadedC& operator=(const LoadedC&) = delete;
  /// A function of the file; null: there is none of the name.
  void* find(const char* name) const;

 private:
  explicit LoadedC(void* handle) : handle_(handle) {}
  void* handle_;
};

}  // namespace trammel::expr

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trammel::cli {

/// Another program that runs beside this one, in a process group of its own, which ends with this
/// object. Its stdin is a pipe from here or nothing; what it says goes into a file.
class Child {
 public:
  enum class Stdin { nothing, pipe };
  /// Throws InputError where it cannot be started. `log`: stdout and stderr.
  Child(const std::vector<std::string>& command, const std::string& log,
        Stdin input = Stdin::nothing);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// False: it reads no more, it has ended.
  bool write(std::string_view bytes);
  /// Closes its stdin, waits for its end and returns its exit code; 128 + n for signal n.
  int wait();
  bool ended();
  /// The last lines that it said.
  std::string last_words(std::size_t characters = 600) const;

 private:
  void close_input();
  std::string log_;
  pid_t pid_ = -1;
  int input_ = -1, code_ = -1;
};

/// Where a program is found by PATH; empty: nowhere.
std::string found_program(const std::vector<std::string>& names);

}  // namespace trammel::cli

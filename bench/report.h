#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <string>

#include "figure.h"

namespace trammel::bench {

/// Figures as they come: a table on stdout, lines of JSON appended to a file.
class Report {
 public:
  /// `json`: the file, or empty. False of good(): it cannot be written.
  explicit Report(const std::string& json);
  bool good() const { return good_; }

  /// All that follows belongs to this group.
  void group(std::string_view name) { group_ = name; }
  void title(std::string_view text);
  void line(Figure figure);
  /// To the file only.
  void keep(Figure figure);
  /// Engines side by side under a title; says how many times the fastest peer's step each takes.
  void beside(std::string_view text, std::vector<Figure> figures);
  void note(std::string_view text);
  /// A figure that must not be: the program ends with 1.
  void fault(std::string_view text);
  bool faults() const { return faults_; }

 private:
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::unique_ptr<std::FILE, Close> json_;
  std::string group_;
  bool good_ = true, faults_ = false;
};

/// The least time a step among the peers' finite figures; NaN: there are none.
double best_peer(std::span<const Figure> figures);

}  // namespace trammel::bench

#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace trammel::io {

/// Writes JSON, indented. Numbers read back as they were; what JSON has no number for is null.
class Json {
 public:
  Json& begin(char bracket);  // '{' or '['
  Json& end();
  Json& key(std::string_view name);

  Json& value(double x);
  Json& value(bool x);
  Json& value(std::string_view x);
  Json& value(const char* x) { return value(std::string_view(x)); }
  Json& value(const std::string& x) { return value(std::string_view(x)); }
  template <std::integral T>
  Json& value(T x) {
    return raw(std::to_string(x));
  }
  template <class T>
  Json& value(const std::vector<T>& list) {
    begin('[');
    for (const T& x : list) value(x);
    return end();
  }
  template <class T>
  Json& field(std::string_view name, const T& x) {
    return key(name).value(x);
  }

  /// A value that is JSON already.
  Json& json(std::string_view text) { return raw(text.substr(0, text.find_last_not_of('\n') + 1)); }

  /// The finished text, with a line end.
  std::string text() const { return text_ + "\n"; }

 private:
  Json& raw(std::string_view text);
  void line();

  std::string text_;
  std::string open_;  // closing brackets to come
  bool first_ = true, after_key_ = false;
};

}  // namespace trammel::io

#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "math/types.h"

/// Values as bytes and back, for the same program on the same machine: what is written by a list of
/// calls is read by the same list.
namespace trammel::sim {

/// A checkpoint cannot be written, read or used: which, and the reason.
struct CheckpointError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The members of a structure: each(object, f) calls f(member...) with all of them. Specialised
/// with structured bindings, which do not compile once a member is added.
template <class T>
struct Members;

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class ArchiveWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  void raw(const void* data, std::size_t n) { bytes_.append(static_cast<const char*>(data), n); }
  template <class T>
  void put(const T& value) {
    if constexpr (Plain<T>)
      raw(&value, sizeof value);
    else
      Members<T>::each(value, [this](const auto&... m) { (this->put(m), ...); });
  }
  void put(const Vec3& v) { raw(v.data(), sizeof(double) * 3); }
  void put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    raw(text.data(), text.size());
  }
  template <class T>
  void put(const std::vector<T>& list) {
    put(static_cast<std::uint64_t>(list.size()));
    if constexpr (Plain<T>)
      raw(list.data(), list.size() * sizeof(T));
    else
      for (const T& item : list) put(item);
  }

  std::string bytes_;
};

/// Throws CheckpointError where the bytes end too early.
class ArchiveReader {
 public:
  explicit ArchiveReader(std::string_view bytes) : bytes_(bytes) {}
  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  std::string_view rest() const { return bytes_; }

 private:
  void raw(void* data, std::size_t n) {
    if (n > bytes_.size()) throw CheckpointError("it ends too early");
    if (n > 0) std::memcpy(data, bytes_.data(), n);
    bytes_.remove_prefix(n);
  }
  std::size_t count(std::size_t least_bytes) {
    std::uint64_t n = 0;
    raw(&n, sizeof n);
    if (n > bytes_.size() / least_bytes) throw CheckpointError("it ends too early");
    return static_cast<std::size_t>(n);
  }
  template <class T>
  void get(T& value) {
    if constexpr (Plain<T>)
      raw(&value, sizeof value);
    else
      Members<T>::each(value, [this](auto&... m) { (this->get(m), ...); });
  }
  void get(Vec3& v) { raw(v.data(), sizeof(double) * 3); }
  void get(std::string& text) {
    text.resize(count(1));
    raw(text.data(), text.size());
  }
  template <class T>
  void get(std::vector<T>& list) {
    list.resize(count(Plain<T> ? sizeof(T) : 1));
    if constexpr (Plain<T>)
      raw(list.data(), list.size() * sizeof(T));
    else
      for (T& item : list) get(item);
  }

  std::string_view bytes_;
};

}  // namespace trammel::sim

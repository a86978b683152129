#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <functional>
#include <map>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

/// Containers for local variables, that live for a function: a thread keeps their memory for the
/// next ones, so that steps allocate nothing once their sizes have been seen. To be left by the
/// thread that has made them.
namespace trammel::brief {

/// The memory of a thread: what has been given back, by size.
class Room {
 public:
  Room() = default;
  Room(const Room&) = delete;
  ~Room() {
    for (Free* first : free_)
      while (first) ::operator delete(std::exchange(first, first->next), kLine);
  }

  void* take(std::size_t bytes) {
    Free*& first = free_[size_of(bytes)];
    if (!first) return ::operator new (std::size_t{1} << size_of(bytes), kLine);
    return std::exchange(first, first->next);
  }
  void give_back(void* p, std::size_t bytes) {
    Free*& first = free_[size_of(bytes)];
    first = new (p) Free{first};
  }

 private:
  struct Free {
    Free* next;
  };
  static constexpr std::align_val_t kLine{64};
  /// The power of two that bytes fit into.
  static std::size_t size_of(std::size_t bytes) {
    return static_cast<std::size_t>(std::bit_width(bytes < 64 ? 63 : bytes - 1));
  }
  std::array<Free*, 65> free_{};
};

inline Room& room() {
  thread_local Room own;
  return own;
}

template <class T>
struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U>
  Allocator(const Allocator<U>&) {}
  value_type* allocate(std::size_t n) {
    static_assert(alignof(T) <= 64);
    return static_cast<T*>(room().take(n * sizeof(T)));
  }
  void deallocate(T* p, std::size_t n) { room().give_back(p, n * sizeof(T)); }
  friend bool operator==(const Allocator&, const Allocator&) { return true; }
};

template <class T>
using vector = std::vector<T, Allocator<T>>;
template <class K, class T>
using map = std::map<K, T, std::less<K>, Allocator<std::pair<const K, T>>>;
template <class K, class T, class Hash>
using unordered_map =
    std::unordered_map<K, T, Hash, std::equal_to<K>, Allocator<std::pair<const K, T>>>;

}  // namespace trammel::brief

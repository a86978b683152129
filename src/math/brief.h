#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory_resource>
#include <set>
#include <utility>
#include <vector>

/// Containers for local variables, that live for a function: a thread keeps their memory for the
/// next ones, so that steps allocate nothing once their sizes have been seen. To be left by the
/// thread that has made them.
namespace trammel::brief {

/// The memory of this thread.
inline std::pmr::memory_resource& room() {
  thread_local std::pmr::unsynchronized_pool_resource own{
      {.max_blocks_per_chunk = 64, .largest_required_pool_block = 1 << 22}};
  return own;
}

template <class T>
struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U>
  Allocator(const Allocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(room().allocate(n * sizeof(T), alignof(T))); }
  void deallocate(T* p, std::size_t n) { room().deallocate(p, n * sizeof(T), alignof(T)); }
  friend bool operator==(const Allocator&, const Allocator&) { return true; }
};

template <class T>
using vector = std::vector<T, Allocator<T>>;
template <class K, class T>
using map = std::map<K, T, std::less<K>, Allocator<std::pair<const K, T>>>;
template <class K>
using set = std::set<K, std::less<K>, Allocator<K>>;

}  // namespace trammel::brief

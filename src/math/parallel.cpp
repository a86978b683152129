#include "math/parallel.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>

// oneTBB as installed says nothing to the thread sanitiser: what it orders is said here. Every
// piece comes after the call and before its end, and no two pieces are ordered.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TRAMMEL_TSAN 1
#define TRAMMEL_UNSEEN __attribute__((no_sanitize("thread")))
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif
#endif
#ifndef TRAMMEL_TSAN
#define TRAMMEL_UNSEEN
#endif

namespace trammel::parallel {

namespace {

struct Order {
#ifdef TRAMMEL_TSAN
  char start = 0, end = 0;
  void begin() { __tsan_release(&start); }
  void begin_piece() { __tsan_acquire(&start); }
  void end_piece() { __tsan_release(&end); }
  void finish() { __tsan_acquire(&end); }
#else
  void begin() {}
  void begin_piece() {}
  void end_piece() {}
  void finish() {}
#endif
};

int in_force = 1;

struct Team {
  explicit Team(int n)
      : most(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(n)), arena(n) {}
  tbb::global_control most;
  tbb::task_arena arena;
};
std::unique_ptr<Team> team;

}  // namespace

void set_threads(int n) {
  in_force = n > 0 ? n : std::max(1, tbb::info::default_concurrency());
  team = in_force > 1 ? std::make_unique<Team>(in_force) : nullptr;
}

int threads() { return in_force; }

void detail::run(int pieces, Call call, const void* f) {
  Order order;
  order.begin();
  const auto piece = [&](int i) TRAMMEL_UNSEEN {
    order.begin_piece();
    call(f, i);
    order.end_piece();
  };
  team->arena.execute([&] { tbb::parallel_for(0, pieces, piece, tbb::static_partitioner()); });
  order.finish();
}

}  // namespace trammel::parallel

#include "math/parallel.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <thread>

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

namespace {

/// How far a turn is: pieces taken and done.
struct Turn {
  std::atomic<int> taken = 0, done = 0;
};

constexpr int kLooks = 2000;  // before a thread that waits lets others have its core

/// Each thread goes through all turns: takes pieces while there are some, and waits for those that
/// others have taken. So one that comes late, or never, holds nobody up.
void go_through(std::vector<Turn>& turns, const std::vector<int>& pieces, detail::CallOfTurn call,
                const void* f) {
  for (std::size_t t = 0; t < turns.size(); ++t) {
    Turn& turn = turns[t];
    for (int i; (i = turn.taken.fetch_add(1, std::memory_order_relaxed)) < pieces[t];) {
      call(f, static_cast<int>(t), i);
      turn.done.fetch_add(1, std::memory_order_release);
    }
    for (int looks = 0; turn.done.load(std::memory_order_acquire) < pieces[t]; ++looks)
      if (looks > kLooks) std::this_thread::yield();
  }
}

}  // namespace

void detail::run_turns(const std::vector<int>& pieces, CallOfTurn call, const void* f) {
  std::vector<Turn> turns(pieces.size());
  const auto thread = [&](int) { go_through(turns, pieces, call, f); };
  run(threads(), [](const void* g, int i) { (*static_cast<const decltype(thread)*>(g))(i); },
      &thread);
}

}  // namespace trammel::parallel

#include "math/parallel.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>

namespace trammel::parallel {

namespace {

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
  team->arena.execute([&] {
    tbb::parallel_for(
        0, pieces, [&](int i) { call(f, i); }, tbb::static_partitioner());
  });
}

}  // namespace trammel::parallel

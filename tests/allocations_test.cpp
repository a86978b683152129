// Steps with contacts allocate nothing from the heap, once their lists have grown, and what they
// keep is bounded.
#include <fmt/format.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "scene_support.h"

namespace {
std::atomic<long> allocations{0}, bytes{0};  // made; held now

[[maybe_unused]] void* taken(void* p) {
  if (!p) throw std::bad_alloc();
  ++allocations;
  bytes += static_cast<long>(malloc_usable_size(p));
  return p;
}
[[maybe_unused]] void give_back(void* p) noexcept {
  if (p) bytes -= static_cast<long>(malloc_usable_size(p));
  std::free(p);
}
}  // namespace

// Sanitisers have operators of their own, which look at more than numbers.
#if defined(__SANITIZE_ADDRESS__)
#define TRAMMEL_OWN_NEW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TRAMMEL_OWN_NEW 1
#endif
#endif

#ifndef TRAMMEL_OWN_NEW
// Of the whole test program. Not inlined: g++ warns of free() for what came from new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return taken(std::malloc(size ? size : 1));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t line) {
  const auto unit = static_cast<std::size_t>(line);
  return taken(std::aligned_alloc(unit, (size + unit - 1) / unit * unit));
}
[[gnu::noinline]] void operator delete(void* p) noexcept { give_back(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { give_back(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { give_back(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  give_back(p);
}
#endif

namespace trammel::acceptance::allocations_test {
namespace {

constexpr int kSteps = 200;
constexpr long kGrowth = 5;  // lists that grow once more as points come and go

/// Allocations of kSteps steps after as many.
long allocations_of(const std::string& scene) {
  Simulation sim = simulation(scene);
  const auto run = [&] {
    for (int i = 0; i < kSteps; ++i) EXPECT_TRUE(sim.advance());
  };
  run();
  const long before = allocations;
  run();
  return allocations - before;
}

/// What a scene and its run hold after so many steps.
long bytes_of(const std::string& scene, int steps) {
  const long before = bytes;
  Simulation sim = simulation(scene);
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(sim.advance());
  return bytes - before;
}

class Allocations : public testing::Test {
 protected:
  void SetUp() override {
#ifdef TRAMMEL_OWN_NEW
    GTEST_SKIP() << "allocations are not counted";
#endif
  }
};

std::string ground(const char* settings, const char* slope = "[0, 0, 1]") {
  return fmt::format(
      "format = 1\n[simulation]\nduration = \"1 s\"\nstep = \"1 ms\"\n{}\n[[contact]]\nfriction = "
      "0.5\n[[obstacle]]\nhalf_space = {}\n",
      settings, slope);
}

std::string boxes(int n) {
  std::string out;
  for (int i = 0; i < n; ++i)
    out += fmt::format(
        "[[body]]\nname = \"b{}\"\nmass = 1\nbox = [0.2, 0.2, 0.2]\ncontact = \"solids\"\nposition "
        "= [{}, {}, {}]\n",
        i, 0.22 * (i % 4), 0.22 * (i / 4 % 4), 0.1 + 0.2 * (i / 16));
  return out;
}

std::string balls(int n) {
  std::string out;
  for (int i = 0; i < n; ++i)
    out += fmt::format(
        "[[body]]\nname = \"b{}\"\nmass = 1\nsphere = 0.1\ncontact = \"solids\"\nposition = [0, "
        "{}, 0.1005]\n",
        i, i);
  return out;
}

TEST_F(Allocations, PileBySweeps) {
  EXPECT_LE(allocations_of(ground("contact_solver = \"sweeps\"") + boxes(80)), kGrowth);
}

TEST_F(Allocations, PileByNewton) {
  EXPECT_LE(allocations_of(ground("contact_solver = \"newton\"") + boxes(18)), kGrowth);
}

TEST_F(Allocations, PileByItself) { EXPECT_LE(allocations_of(ground("") + boxes(18)), kGrowth); }

TEST_F(Allocations, RollingField) {
  EXPECT_LE(allocations_of(ground("", "[0.05, 0, 1]") + balls(40)), kGrowth);
}

// A motor drives a cart along its rail, which pushes a box over the ground; a lever lies on a ball.
// Beside joints the matrices of responses are made anew in each stage: aimed at is none.
TEST_F(Allocations, MachineWithContacts) {
  EXPECT_LE(allocations_of(ground("") + boxes(2) + R"(
[[body]]
name = "cart"
mass = 2
box = [0.2, 0.2, 0.2]
contact = "solids"
position = [-0.25, 0, 0.12]
[[joint]]
name = "rail"
type = "prismatic"
b = "cart"
at = [-0.25, 0, 0.12]
axis = [1, 0, 0]
[[law]]
name = "motor"
type = "driven"
joint = "rail"
velocity = 0.2
[[body]]
name = "lever"
mass = 1
box = [1, 0.1, 0.02]
contact = "solids"
position = [3, 0, 0.25]
[[joint]]
name = "pivot"
type = "revolute"
b = "lever"
at = [2.5, 0, 0.25]
axis = [0, 1, 0]
[[body]]
name = "rest"
mass = 1
sphere = 0.11
contact = "solids"
position = [3.4, 0, 0.11]
)"),
            kSteps * 12L);
}

// By what 80 boxes more hold. Aimed at are 6 kB (docs/benchmarks.md).
TEST_F(Allocations, ABoxOfAPileHoldsFewBytes) {
  const auto pile = [](int n) {
    return bytes_of(ground("contact_solver = \"sweeps\"") + boxes(n), 50);
  };
  const long few = pile(80), many = pile(160);
  EXPECT_LE((many - few) / 80, 30000);
  RecordProperty("bytes", std::to_string((many - few) / 80));
}

TEST_F(Allocations, LinkageWithoutContacts) {
  std::string chain = ground("");
  for (int i = 0; i < 20; ++i)
    chain += fmt::format(
        "[[body]]\nname = \"l{0}\"\nmass = 1\nbox = [1, 0.1, 0.1]\nposition = [{1}, 0, "
        "50]\n[[joint]]\nname = \"j{0}\"\ntype = \"revolute\"\n{2}b = \"l{0}\"\nat = [{0}, 0, "
        "50]\naxis = [0, 1, 0]\n",
        i, i + 0.5, i > 0 ? fmt::format("a = \"l{}\"\n", i - 1) : "");
  EXPECT_LE(allocations_of(chain), kGrowth);
}

}  // namespace
}  // namespace trammel::acceptance::allocations_test

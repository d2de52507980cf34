// The integrators take nothing from the heap in a step, nor the search for crossings in one without any. In a file of
// its own: it replaces operator new of the whole test program.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>

#include "painleve/base/sanitized.hpp"
#include "painleve/simulation/crossing.hpp"
#include "painleve/simulation/detail/allocation_count.hpp"
#include "painleve/simulation/dormand_prince.hpp"
#include "painleve/simulation/radau.hpp"

namespace {
// Atomic: clang takes it that operator new changes no variable of ours, and would compare with what it has read before.
std::atomic<std::size_t> allocations{0};
}  // namespace

// Not inlined: the compiler would see malloc and free through one of the pair only and warn of a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  void* memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}
// What sorts asks for memory in this way; all forms must take it from where delete gives it back.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size > 0 ? size : 1);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

// Eigen takes its memory from malloc. A sanitizer brings a malloc of its own, and then only `new` is counted.
#if !PAINLEVE_SANITIZED
extern "C" {
void* __libc_malloc(std::size_t size);  // NOLINT(bugprone-reserved-identifier): the name in the C library
[[gnu::noinline]] void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
}
#endif

std::size_t painleve::detail::allocation_count() { return allocations; }

namespace painleve {
namespace ode_allocation_test {

class Pendulums : public OdeSystem {
 public:
  explicit Pendulums(int count) : count_(count) {}
  int size() const override { return 2 * count_; }
  void rates(double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const override {
    for (int i = 0; i < count_; ++i) {
      rate[2 * i] = y[2 * i + 1];
      rate[2 * i + 1] = -(i + 1) * std::sin(y[2 * i]) - 100.0 * i * (y[2 * i + 1] - std::cos(t));
    }
  }

 private:
  int count_;
};

class Positive : public EventFunctions {
 public:
  int count() const override { return 2; }
  void values(double, const Eigen::VectorXd& y, Eigen::VectorXd& g) const override {
    g[0] = 1e3 + y[0];
    g[1] = 1e-3 + y[0] * y[0];
  }
};

template <class Integrator>
void expect_no_allocation(int count) {
  const Pendulums system(count);
  OdeTolerance tolerance;
  tolerance.relative = 1e-8;
  Integrator integrator(system, tolerance);
  const Positive functions;
  CrossingFinder finder(functions);
  const Eigen::VectorXd start = Eigen::VectorXd::Constant(system.size(), 0.5);
  integrator.start(0, start);
  finder.start(0, start);
  integrator.step(1e4);  // the first Jacobian by differences of a thread and size takes its scratch
  std::size_t events = finder.first(integrator) ? 1 : 0;
  const std::size_t before = allocations;
  for (int k = 0; k < 100; ++k) {
    integrator.step(1e4);
    events += finder.first(integrator) ? 1 : 0;
  }
  const std::size_t after = allocations;
  EXPECT_EQ(after, before);
  EXPECT_EQ(events, 0U);
  EXPECT_EQ(integrator.work().steps, 101);
}

TEST(OdeAllocation, ThereIsNoneInASequenceOfSteps) {
  for (const int count : {1, 3, 15}) {
    expect_no_allocation<DormandPrince853>(count);
    expect_no_allocation<Radau5>(count);
  }
}

// The addresses are written down: memory that nobody can look at need never be taken, and clang leaves it out.
TEST(OdeAllocation, IsCounted) {
  const void* volatile address = nullptr;
  std::size_t before = allocations;
  const auto counted = std::make_unique<std::array<double, 100>>();
  address = counted.get();
  EXPECT_GT(allocations.load(), before) << address;
#if !PAINLEVE_SANITIZED
  before = allocations;
  const Eigen::VectorXd vector = Eigen::VectorXd::Zero(100);
  address = vector.data();
  EXPECT_GT(allocations.load(), before) << address;
#endif
}

}  // namespace ode_allocation_test
}  // namespace painleve

// The run-time switch of a mutated build: every chosen fault of the kernels is compiled in, and one of them is on.
//
//   MUTANT=17         the number of the fault that is on; none when unset
//   MUTANT_REACHED=F  a file with one byte per fault, set to 1 where the program passes by
//
// Only copies of the sources made by scripts/mutate include this header; the library never does.
#pragma once

// A fault out of range must end in an assertion, as in the debug builds, and not in whatever memory holds.
#undef NDEBUG

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <type_traits>

namespace mutant {

inline int number_of_active() {
  const char* text = std::getenv("MUTANT");
  return text == nullptr ? 0 : std::atoi(text);
}

// Shared memory, so that what a child or a crashing program has passed is kept as well.
inline unsigned char* reached_bytes() {
  const char* path = std::getenv("MUTANT_REACHED");
  if (path == nullptr) return nullptr;
  const int file = open(path, O_RDWR);
  struct stat about {};
  if (file < 0 || fstat(file, &about) != 0) std::abort();
  void* bytes = mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (bytes == MAP_FAILED) std::abort();
  return static_cast<unsigned char*>(bytes);
}

inline const int active = number_of_active();
inline unsigned char* const reached = reached_bytes();

inline bool on(int number) {
  if (reached != nullptr) reached[number] = 1;
  return number == active;
}

template <class T>
concept Number = std::is_arithmetic_v<T>;
template <class T>
concept Matrix = requires {
  typename T::PlainObject;
  typename T::Scalar;
};

// x, or −x when the fault is on. A matrix becomes the product with a factor: the type is the same for both.
auto turned(int number, const Number auto& x) { return on(number) ? -(+x) : +x; }
template <Matrix T>
auto turned(int number, const T& x) {
  return typename T::Scalar(on(number) ? -1 : 1) * x;
}
template <class T>
T turned(int number, const T& x) {
  return on(number) ? T(-x) : T(x);
}

// x, or 0 when the fault is on.
auto dropped(int number, const Number auto& x) { return on(number) ? decltype(+x)(0) : +x; }
template <Matrix T>
auto dropped(int number, const T& x) {
  return typename T::Scalar(on(number) ? 0 : 1) * x;
}
template <class T>
T dropped(int number, const T& x) {
  return on(number) ? T(x - x) : T(x);
}

// A factor x, or 1 when the fault is on.
auto without(int number, const Number auto& x) { return on(number) ? decltype(+x)(1) : +x; }

// A factor x, or 1/x when the fault is on: product and quotient exchanged.
auto inverted(int number, const Number auto& x) { return on(number) ? 1 / x : +x; }

}  // namespace mutant

// A column of a known, even number of rows, which are changed and compared two at a time.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace painleve {

// Two numbers. A comparison of two pairs is a pair of masks: all bits set where it holds, or none. The intrinsics are
// there because of what compilers make of vectors that are compared, joined and turned into bits.
struct LemkePairs {
  using Pair [[gnu::vector_size(16)]] = double;
  using Bits [[gnu::vector_size(16)]] = std::int64_t;

  EIGEN_ALWAYS_INLINE static Pair both(Pair x, Pair y) { return (Pair)((Bits)x & (Bits)y); }
  EIGEN_ALWAYS_INLINE static Pair either(Pair x, Pair y) { return (Pair)((Bits)x | (Bits)y); }
  EIGEN_ALWAYS_INLINE static Pair abs(Pair x) { return (Pair)((Bits)x & std::numeric_limits<std::int64_t>::max()); }
  EIGEN_ALWAYS_INLINE static Pair swapped(Pair x) { return __builtin_shufflevector(x, x, 1, 0); }
  EIGEN_ALWAYS_INLINE static Pair load(const double* from) {
    Pair pair;
    std::memcpy(&pair, from, sizeof pair);
    return pair;
  }
#if defined(__SSE2__)
  EIGEN_ALWAYS_INLINE static Pair max(Pair x, Pair y) { return _mm_max_pd(x, y); }  // where one is no number: y
  EIGEN_ALWAYS_INLINE static Pair min(Pair x, Pair y) { return _mm_min_pd(x, y); }
  EIGEN_ALWAYS_INLINE static Pair below(Pair x, Pair y) { return _mm_cmplt_pd(x, y); }
  EIGEN_ALWAYS_INLINE static Pair up_to(Pair x, Pair y) { return _mm_cmple_pd(x, y); }
  EIGEN_ALWAYS_INLINE static Pair equal(Pair x, Pair y) { return _mm_cmpeq_pd(x, y); }
  EIGEN_ALWAYS_INLINE static unsigned bits(Pair mask) { return static_cast<unsigned>(_mm_movemask_pd(mask)); }
#else
  EIGEN_ALWAYS_INLINE static Pair max(Pair x, Pair y) { return x > y ? x : y; }
  EIGEN_ALWAYS_INLINE static Pair min(Pair x, Pair y) { return x < y ? x : y; }
  EIGEN_ALWAYS_INLINE static Pair below(Pair x, Pair y) { return (Pair)(x < y); }
  EIGEN_ALWAYS_INLINE static Pair up_to(Pair x, Pair y) { return (Pair)(x <= y); }
  EIGEN_ALWAYS_INLINE static Pair equal(Pair x, Pair y) { return (Pair)(x == y); }
  EIGEN_ALWAYS_INLINE static unsigned bits(Pair mask) {
    return static_cast<unsigned>((((Bits)mask)[0] & 1) | (((Bits)mask)[1] & 2));
  }
#endif
};

template <int Size>
struct alignas(16) LemkeColumn {
  using Pair = LemkePairs::Pair;
  static constexpr int pairs = Size / 2;
  static_assert(Size % 2 == 0 && pairs <= 8, "rows come in pairs, and loops over them are unrolled");

  EIGEN_ALWAYS_INLINE double operator[](int i) const { return entries[static_cast<std::size_t>(i)]; }
  EIGEN_ALWAYS_INLINE Pair get(int p) const { return LemkePairs::load(entries.data() + 2 * p); }
  EIGEN_ALWAYS_INLINE void put(int p, Pair pair) { std::memcpy(entries.data() + 2 * p, &pair, sizeof pair); }

  // Row i in both numbers of a pair, where the compiler knows i.
  EIGEN_ALWAYS_INLINE Pair both(int i) const {
    const Pair pair = get(i / 2);
    return i % 2 == 0 ? __builtin_shufflevector(pair, pair, 0, 0) : __builtin_shufflevector(pair, pair, 1, 1);
  }
  // Each pair from its number.
  template <class Of>
  EIGEN_ALWAYS_INLINE void fill(const Of& of) {
#pragma GCC unroll 8
    for (int p = 0; p < pairs; ++p) put(p, of(p));
  }
  // The largest absolute value or, if that is larger, `floor`; and the least value. In both numbers of a pair.
  EIGEN_ALWAYS_INLINE Pair largest(double floor) const {
    Pair most = {floor, floor};
#pragma GCC unroll 8
    for (int p = 0; p < pairs; ++p) most = LemkePairs::max(most, LemkePairs::abs(get(p)));
    return LemkePairs::max(most, LemkePairs::swapped(most));
  }
  EIGEN_ALWAYS_INLINE Pair least() const {
    Pair least = get(0);
#pragma GCC unroll 8
    for (int p = 1; p < pairs; ++p) least = LemkePairs::min(least, get(p));
    return LemkePairs::min(least, LemkePairs::swapped(least));
  }
  // The rows where condition(p), a mask for each pair, holds: row i is bit i.
  template <class Condition>
  EIGEN_ALWAYS_INLINE static unsigned rows(const Condition& condition) {
    unsigned found = 0;
#pragma GCC unroll 8
    for (int p = 0; p < pairs; ++p) found |= LemkePairs::bits(condition(p)) << static_cast<unsigned>(2 * p);
    return found;
  }

  std::array<double, Size> entries;
};

// e_r, −e_r, and 1 − e_r as a mask.
template <int Size>
struct LemkeUnits {
  constexpr LemkeUnits() {
    for (std::size_t r = 0; r < Size; ++r) {
      unit[r].entries[r] = 1;
      minus[r].entries[r] = -1;
      for (std::size_t i = 0; i < Size; ++i) mask[r][i] = i == r ? 0 : -1;
    }
  }
  // Pair p of a column, with 0 in row r.
  EIGEN_ALWAYS_INLINE LemkePairs::Pair others(int r, int p, LemkePairs::Pair x) const {
    LemkePairs::Bits bits;
    std::memcpy(&bits, mask[static_cast<std::size_t>(r)].data() + 2 * p, sizeof bits);
    return (LemkePairs::Pair)((LemkePairs::Bits)x & bits);
  }

  std::array<LemkeColumn<Size>, Size> unit{}, minus{};
  alignas(16) std::array<std::array<std::int64_t, Size>, Size> mask{};
};

}  // namespace painleve

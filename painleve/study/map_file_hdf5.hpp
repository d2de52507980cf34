// What the writer and the reader of map.h5 agree on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace painleve::detail {

inline constexpr std::string_view map_format = "painleve map";
inline constexpr std::int64_t map_schema = 1;

// After the HDF5 library's bytes, which end where they say, stand this and a hash of them. The library can be brought
// to fall by damaged files: it is shown whole ones only.
inline constexpr std::string_view map_seal = "painlmap";
inline constexpr std::size_t seal_size = map_seal.size() + sizeof(std::uint64_t);
std::string seal(const std::string& bytes);

}  // namespace painleve::detail

// The fuzzer links objects of clang with libraries of gcc. nlohmann's ordered_map has a member without a size of its
// own, but asks for that attribute in a way that clang 14 denies: this says yes. Included before all else; the
// assertion in target_list.cpp holds on both sides.
#pragma once

#include <nlohmann/thirdparty/hedley/hedley.hpp>

#undef JSON_HEDLEY_HAS_ATTRIBUTE
#define JSON_HEDLEY_HAS_ATTRIBUTE(attribute) (__has_attribute(attribute) || __has_cpp_attribute(attribute))

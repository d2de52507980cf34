// NumPy arrays that show numbers of a C++ object without copying them, and keep that object alive.
#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <utility>
#include <vector>

namespace painleve::python {

// Read-only: several arrays, and results, may show the same numbers.
template <class Value>
pybind11::array view(const Value* data, std::vector<pybind11::ssize_t> shape, pybind11::handle owner) {
  pybind11::array_t<Value> array(std::move(shape), data, owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

// The numbers of a vector that nobody else needs: the array owns them from now on.
template <class Value>
pybind11::array owned(std::vector<Value>&& values, std::vector<pybind11::ssize_t> shape) {
  auto* kept = new std::vector<Value>(std::move(values));
  const pybind11::capsule owner(kept, [](void* p) { delete static_cast<std::vector<Value>*>(p); });
  return pybind11::array_t<Value>(std::move(shape), kept->data(), owner);
}

}  // namespace painleve::python

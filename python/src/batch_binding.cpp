// analyze_batch() over NumPy arrays. Shapes are made equal by the Python side; here they are only read.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "batch.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"
#include "painleve/base/error.hpp"

namespace painleve::python {
namespace py = pybind11;
namespace {

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

long step(const Doubles& array, long items, long per_item) {
  if (array.size() != per_item && array.size() != items * per_item)
    throw InputError("the arrays of a batch do not fit together");
  return array.size() == per_item && items != 1 ? 0 : per_item;
}

py::dict to_dict(BatchOutput&& out, const BatchInput& input) {
  const auto items = static_cast<py::ssize_t>(input.items);
  const auto solutions = static_cast<py::ssize_t>(out.mode.size());
  const std::vector<py::ssize_t> per_contact = {solutions, input.contacts, input.dimension};
  py::dict d;
  d["words"] = out.words;
  d["errors"] = out.errors;
  d["verdict"] = owned(std::move(out.verdict), {items});
  d["jam"] = owned(std::move(out.jam), {items});
  d["complete"] = owned(std::move(out.complete), {items});
  d["first"] = owned(std::move(out.first), {items + 1});
  d["mode"] = owned(std::move(out.mode), {solutions});
  d["lambda"] = owned(std::move(out.lambda), per_contact);
  d["a"] = owned(std::move(out.a), per_contact);
  return d;
}

py::dict batch(int dimension, long items, int contacts, const Doubles& W, const Doubles& b, const Doubles& u,
               const Doubles& mu, int threads) {
  BatchInput input;
  input.dimension = dimension;
  input.items = items;
  input.contacts = contacts;
  const long rows = input.rows();
  input.W = W.data();
  input.b = b.data();
  input.u = u.data();
  input.mu = mu.data();
  input.W_step = step(W, items, rows * rows);
  input.b_step = step(b, items, rows);
  input.u_step = step(u, items, rows);
  input.mu_step = step(mu, items, contacts);
  return to_dict(interruptible([&](const Stop& stop) { return analyze_batch(input, threads, stop); }), input);
}

}  // namespace

void add_batch(py::module_& m) { m.def("analyze_batch", &batch); }

}  // namespace painleve::python

// Whole lines of a map at once, where it asks for verdict and consistent_modes only. Not part of the public interface.
//
// Lines run along an axis of friction, velocity, slip or applied force (line_model.hpp); their cells go through
// decide_by_signs() by the hundred. What that leaves undecided, and every line that is not proven to be of this kind,
// is for CellValues: what is returned never depends on the way (map_lines_test.cpp).
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "painleve/study/line_model.hpp"
#include "painleve/study/map.hpp"

namespace painleve {

// For many threads at once.
class MapLines {
 public:
  explicit MapLines(const MapProblem& problem);

  // The axis along which lines run; none: the map has no lines.
  const std::optional<std::size_t>& axis() const { return axis_; }
  long count() const { return problem_.axes[*axis_].count; }  // cells of a line
  long stride() const { return strides_[*axis_]; }            // between neighbouring cells of a line

  // Whether this call is the first to ask for the model of the line through the cell: then the caller may prepare() it,
  // and others go on to the next one meanwhile.
  bool claim(long cell) const;
  void prepare(CellValues& values, long cell, std::span<const double> x) const { line(values, cell, x); }

  // The next bytes.size() cells of a line from `cell` on, which lies at x. `values` are the thread's own; they have to
  // be asked where bytes are left undecided.
  void decide(CellValues& values, long cell, std::span<const double> x, std::span<VerdictByte> bytes) const;

 private:
  struct Slot {
    std::atomic<bool> claimed = false;
    std::once_flag once;
    LineModel model;
  };

  void choose_axis(CellValues& values);
  bool promising(CellValues& values) const;
  long outer_number(long cell) const;
  LineModel model(CellValues& values, long number, std::span<const double> x) const;
  LineModel line(CellValues& values, long cell, std::span<const double> x) const;
  void fill(const LineModel& line, std::span<const double> x, long from, std::span<VerdictByte> bytes) const;

  const MapProblem& problem_;
  bool modes_ = false;  // consistent_modes are asked for
  std::vector<bool> friction_;
  std::vector<long> strides_;
  std::optional<std::size_t> axis_;
  std::vector<double> along_, s_;  // the numbers of the axis, and the same from −1 to 1
  // Models by outer_number(): along another axis than the last they serve many blocks, along friction many lines.
  std::unique_ptr<Slot[]> slots_;  // none: there would be too many
};

}  // namespace painleve

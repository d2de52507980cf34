#include "painleve/study/map_lines.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace painleve {
namespace {

constexpr std::size_t chunk = 256;  // cells that are decided at a time: their numbers stay in the first cache
constexpr std::size_t few = 8;      // cells that are filled at a time, whether all of them are asked for or not

// The numbers of some cells of a line. Those that do not change along it are filled in once.
using Row = std::array<double, chunk>;
struct Chunk {
  Row W_tt, W_tn, W_nn, b_t, b_n, u_t, mu;

  PlanarContacts view(double b_error) const {
    return {W_tt.data(), W_tn.data(), W_nn.data(), b_t.data(), b_n.data(), u_t.data(), mu.data(), b_error};
  }
};

// So many cells at a time as registers take, two or more in each.
using Few = Eigen::Array<double, few, 1>;

void fill_number(double number, std::size_t size, double* to) {
  for (std::size_t i = 0; i < size; i += few) Eigen::Map<Few>(to + i).setConstant(number);
}

void fill_polynomial(const std::array<double, 3>& c, std::size_t size, const double* s, double* to) {
  for (std::size_t i = 0; i < size; i += few) {
    const Few here = Eigen::Map<const Few>(s + i);
    Eigen::Map<Few>(to + i) = c[0] + here * (c[1] + here * c[2]);
  }
}

void fill_b(const LineModel& line, std::size_t size, const Row& s, Chunk& to) {
  fill_polynomial(line.b_t, size, s.data(), to.b_t.data());
  fill_polynomial(line.b_n, size, s.data(), to.b_n.data());
}

// Rest is exactly zero to the kernel, and what is neither surely rest nor surely slip is not a number. On names of
// their own, so that the compiler takes several cells at a time.
void fill_u(const LineModel& line, std::size_t size, const double* __restrict s, double* __restrict to) {
  constexpr double neither = std::numeric_limits<double>::quiet_NaN();
  const double u_0 = line.u_t[0], u_1 = line.u_t[1];
  const double slips = line.rest + line.u_error, rests = line.rest - line.u_error;
  for (std::size_t i = 0; i < size; i += few) {
    for (std::size_t k = i; k < i + few; ++k) {
      const double u_t = u_0 + s[k] * u_1;
      const double at_rest = std::abs(u_t) <= rests ? 0.0 : neither;
      to[k] = std::abs(u_t) > slips ? u_t : at_rest;
    }
  }
}

bool by_kernel(const Quantity& quantity) { return quantity.key() == "verdict" || quantity.key() == "consistent_modes"; }

}  // namespace

MapLines::MapLines(const MapProblem& problem) : problem_(problem), strides_(problem.axes.size(), 1) {
  const auto& quantities = problem.quantities;
  if (!std::all_of(quantities.begin(), quantities.end(), by_kernel)) return;
  modes_ = std::any_of(quantities.begin(), quantities.end(), [](const Quantity& q) { return q.key() != "verdict"; });
  for (std::size_t k = problem.axes.size(); k-- > 1;) strides_[k - 1] = strides_[k] * problem.axes[k].count;
  CellValues values(problem);
  friction_ = values.friction();
  choose_axis(values);
  if (!axis_) return;
  constexpr long most_slots = 1L << 16;
  long outer = 1;
  for (std::size_t k = 0; k < problem.axes.size(); ++k)
    if (k != *axis_ && !friction_[k]) outer *= problem.axes[k].count;
  if (outer <= most_slots) slots_ = std::make_unique<Slot[]>(static_cast<std::size_t>(outer));
}

// The longest axis that drives; where lines along it turn out to be of no use, the longest one of friction.
void MapLines::choose_axis(CellValues& values) {
  constexpr int least = 16;  // cells: below that a line costs more than its cells
  const auto longest = [&](const auto& suits) {
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < problem_.axes.size(); ++k) {
      const int count = problem_.axes[k].count;
      if (suits(k) && count >= least && (!best || count >= problem_.axes[*best].count)) best = k;
    }
    return best;
  };
  const auto take = [&](std::optional<std::size_t> axis) {
    axis_ = axis;
    along_.clear();
    s_.clear();
    if (!axis) return false;
    const MapAxis& a = problem_.axes[*axis];
    for (int i = 0; i < a.count; ++i) {
      along_.push_back(a.at(i));
      s_.push_back(((along_.back() - a.from) - (a.to - along_.back())) / (a.to - a.from));
    }
    return promising(values);
  };
  if (take(longest([&](std::size_t k) { return !friction_[k] && drives(problem_.source, problem_.axes[k].path); })))
    return;
  if (!take(longest([&](std::size_t k) { return bool{friction_[k]}; }))) axis_.reset();
}

// As far as some lines tell that are spread over the grid.
bool MapLines::promising(CellValues& values) const {
  constexpr long probes = 5;
  const long cells = problem_.cells();
  int good = 0;
  for (long p = 0; p < probes; ++p) {
    const long cell = (cells - 1) * p / (probes - 1);
    std::vector<double> x;
    for (std::size_t k = 0; k < problem_.axes.size(); ++k)
      x.push_back(problem_.axes[k].at(static_cast<int>(cell / strides_[k] % problem_.axes[k].count)));
    if (model(values, 0, x).kind != LineModel::Kind::none) ++good;
  }
  return 2 * good > probes;
}

long MapLines::outer_number(long cell) const {
  long number = 0;
  for (std::size_t k = 0; k < problem_.axes.size(); ++k)
    if (k != *axis_ && !friction_[k])
      number = number * problem_.axes[k].count + cell / strides_[k] % problem_.axes[k].count;
  return number;
}

LineModel MapLines::model(CellValues& values, long number, std::span<const double> x) const {
  constexpr long closely = 64;  // every so many lines
  std::vector<double> there(x.begin(), x.end());
  for (std::size_t k = 0; k < there.size(); ++k)
    if (friction_[k]) there[k] = std::max(0.0, there[k]);
  LineModel line = friction_[*axis_] ? friction_line(values, there)
                                     : drive_line(values, problem_.axes[*axis_], *axis_, there, number % closely == 0);
  if (line.kind == LineModel::Kind::constant && modes_) line.kind = LineModel::Kind::none;  // they have reasons
  return line;
}

bool MapLines::claim(long cell) const {
  return slots_ && !slots_[static_cast<std::size_t>(outer_number(cell))].claimed.exchange(true);
}

// Of the line through the cell, which lies at x.
LineModel MapLines::line(CellValues& values, long cell, std::span<const double> x) const {
  const long number = outer_number(cell);
  if (!slots_) return model(values, number, x);
  Slot& slot = slots_[static_cast<std::size_t>(number)];
  std::call_once(slot.once, [&] { slot.model = model(values, number, x); });
  return slot.model;
}

void MapLines::decide(CellValues& values, long cell, std::span<const double> x, std::span<VerdictByte> bytes) const {
  const LineModel own = line(values, cell, x);
  bool exact = true;
  for (std::size_t k = 0; k < x.size(); ++k) exact = exact && (!friction_[k] || k == *axis_ || x[k] >= 0);
  const long from = cell / strides_[*axis_] % count();
  if (!exact || own.kind == LineModel::Kind::none) {
    std::fill(bytes.begin(), bytes.end(), undecided);
  } else {
    fill(own, x, from, bytes);
  }
}

void MapLines::fill(const LineModel& line, std::span<const double> x, long from, std::span<VerdictByte> bytes) const {
  const bool along_friction = friction_[*axis_];
  const bool own_friction = along_friction && line.friction_axis == static_cast<int>(*axis_);
  const bool constant = line.kind == LineModel::Kind::constant;
  const bool refused = along_friction && !(std::min(along_.front(), along_.back()) >= 0);  // some cells
  const bool turns = std::abs(line.u_t[0]) - std::abs(line.u_t[1]) <= line.rest + line.u_error;
  Chunk c;
  Row s;
  const std::size_t most = std::min(chunk, (bytes.size() + few - 1) / few * few);
  const auto fill_with = [&](Row& row, double number) { fill_number(number, most, row.data()); };
  fill_with(s, 0);
  fill_with(c.W_tt, line.W_tt);
  fill_with(c.W_tn, line.W_tn);
  fill_with(c.W_nn, line.W_nn);
  fill_with(c.u_t, line.u_t[0]);
  fill_with(c.mu, line.friction_axis < 0 ? line.mu : x[static_cast<std::size_t>(line.friction_axis)]);
  if (along_friction) {
    fill_with(c.b_t, line.b_t[0]);
    fill_with(c.b_n, line.b_n[0]);
  }
  for (std::size_t done = 0; done < bytes.size(); done += chunk) {
    const std::size_t size = std::min(chunk, bytes.size() - done);
    const auto at = from + static_cast<std::ptrdiff_t>(done);
    const auto part = bytes.subspan(done, size);
    if (constant) {
      std::fill(part.begin(), part.end(), line.byte);
    } else {
      if (own_friction) std::copy_n(along_.begin() + at, size, c.mu.begin());
      if (!along_friction) {
        std::copy_n(s_.begin() + at, size, s.begin());
        fill_b(line, size, s, c);
        if (turns) fill_u(line, size, s.data(), c.u_t.data());
      }
      decide_by_signs(c.view(line.b_error), part, best_instruction_set());
    }
    for (std::size_t i = 0; refused && i < size; ++i)
      if (!(along_[static_cast<std::size_t>(at) + i] >= 0)) part[i] = undecided;  // refused, in the words of the scene
  }
}

}  // namespace painleve

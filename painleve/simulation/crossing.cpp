#include "painleve/simulation/crossing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "painleve/base/error.hpp"
#include "painleve/simulation/detail/line_search.hpp"

namespace painleve {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Where a phase that starts at zero is probed, in parts of its first step.
constexpr std::array<double, 3> kProbeAt = {1e-6, 1e-4, 1e-2};

// A function with this value says that the phase holds, and not by how much.
constexpr double kHolds = std::numeric_limits<double>::min();

bool positive(double g) { return g > 0; }  // false for what is not a number

// Whether a search for a minimum with these last values would have to fall by far more than they differ to reach zero.
bool stays_above_zero(const std::array<double, 3>& last) {
  const auto [least, largest] = std::minmax_element(last.begin(), last.end());
  constexpr double far = 20;
  return *least > far * (*largest - *least);
}

}  // namespace

bool EventFunctions::recall(double, Eigen::MatrixXd&) const { return false; }

CrossingFinder::CrossingFinder(const EventFunctions& functions)
    : functions_(functions), samples_(kParts + kProbes + 1) {
  make_room();
}

// For as many functions as there are: another phase may have more or less of them.
void CrossingFinder::make_room() {
  count_ = functions_.count();
  armed_.resize(static_cast<std::size_t>(count_));
  start_.g.resize(count_);
}

void CrossingFinder::start(double t, const Eigen::VectorXd& y) {
  make_room();
  start_.t = t;
  start_.y = y;
  functions_.values(t, y, start_.g);
  std::fill(armed_.begin(), armed_.end(), 0);
  margins_known_ = false;
  arm(start_);
  end_ = start_;
  for (Point* const point : {&step_begin_, &found_, &trial_}) {
    point->y.resize(y.size());
    point->g.resize(count_);
  }
  first_step_ = true;
}

// 64 ε (|t ∂g/∂t| + Σ_j |y_j ∂g/∂y_j|), by differences that are wide enough to rise above the rounding they measure.
void CrossingFinder::find_margins() {
  constexpr double relative = 0x1p-26;
  const Eigen::VectorXd& y = start_.y;
  margin_.setZero(count_);
  trial_.y = y;
  for (Eigen::Index j = -1; j < y.size(); ++j) {
    double t_here = start_.t;
    if (j < 0) {
      t_here += relative * start_.t;
    } else {
      trial_.y[j] += relative * y[j];
    }
    functions_.values(t_here, trial_.y, trial_.g);
    for (int i = 0; i < count_; ++i) {
      const double change = std::abs(trial_.g[i] - start_.g[i]);
      margin_[i] += std::isfinite(change) ? 64 * kEpsilon / relative * change : 0.0;
    }
    if (j >= 0) {
      trial_.y[j] = y[j];
    }
  }
  margins_known_ = true;
}

std::optional<Crossing> CrossingFinder::first(const OdeIntegrator& integrator) {
  const bool follows = first_step_ ? integrator.t_begin() <= end_.t : integrator.t_begin() == end_.t;
  if (!follows || !(integrator.t() > end_.t)) {
    throw InputError("crossings are looked for in steps that follow each other; a new phase needs a start");
  }
  const bool recalled = recall(integrator);
  if (recalled) {
    const int unclear = only_unclear(integrator);
    if (unclear == count_) {
      pass(integrator);
      return std::nullopt;
    }
    if (unclear >= 0 && fall(integrator, unclear)) {
      integrator.interpolate(found_.t, found_.y);
      return Crossing{found_.t, {unclear}, found_.y};
    }
  }
  return first_sampled(integrator, recalled ? first_sections(integrator) : 1);
}

// Section by section, none of them longer than 1/sections of the step.
std::optional<Crossing> CrossingFinder::first_sampled(const OdeIntegrator& integrator, int sections) {
  if (!margins_known_ && !all_armed()) find_margins();
  constexpr double most_sections = 128;
  const double t = integrator.t();
  const bool cuts = integrator.evaluations() > 0 && !integrator.layered();
  const double least = (t - end_.t) / most_sections;
  const double largest = (t - end_.t) / sections;
  double size = largest;
  step_begin_ = end_;
  armed_before_ = armed_;
  while (end_.t < t) {
    sample(integrator, size < t - end_.t ? end_.t + size : t);
    if (cuts && size > least && !shown()) {
      size /= 2;
      continue;
    }
    if (auto crossing = first_in_section(integrator)) {
      armed_ = armed_before_;  // asked again, the answer is the same
      std::swap(end_, step_begin_);
      return crossing;
    }
    end_ = samples_[static_cast<std::size_t>(sample_count_ - 1)];
    size = std::min(2 * size, largest);
  }
  first_step_ = false;
  return std::nullopt;
}

std::optional<Crossing> CrossingFinder::first_in_section(const OdeIntegrator& integrator) {
  if (first_step_ && end_.t == start_.t) {
    for (int i = 0; i < count_; ++i) {
      if (never_held(i)) {
        return at_start();
      }
    }
  }
  for (int k = 1; k < sample_count_; ++k) {
    if (cross(integrator, k)) return at_found(integrator);
    arm(samples_[static_cast<std::size_t>(k)]);
  }
  return std::nullopt;
}

// Whether the samples of this section show where the functions go between them: of those that may come to zero, the
// differences must get smaller with their order.
bool CrossingFinder::shown() const {
  if (sample_count_ != first_part_ + kParts) return true;
  for (int i = 0; i < count_; ++i) {
    std::array<double, kParts + 1> d;
    for (int k = 0; k <= kParts; ++k)
      d[static_cast<std::size_t>(k)] = samples_[static_cast<std::size_t>(k == 0 ? 0 : first_part_ + k - 1)].g[i];
    const double lowest = *std::min_element(d.begin(), d.end());
    if (lowest > 2 * range_[i] || lowest == kHolds) continue;
    std::array<double, 5> size{};  // the largest difference of each order
    for (std::size_t order = 0; order < size.size(); ++order) {
      for (std::size_t k = 0; k + order < d.size(); ++k) size[order] = std::max(size[order], std::abs(d[k]));
      for (std::size_t k = 0; k + order + 1 < d.size(); ++k) d[k] = d[k + 1] - d[k];
    }
    constexpr double noise = 1e-9;
    if (size[4] > size[3] && size[4] > noise * size[0]) return false;
  }
  return true;
}

// Into how many sections the step is cut at least. A motion that is simple may take so long a step that a function of
// it turns many times, as the gap of a body that spins in flight: no equidistant samples of the whole step are safe
// then.
int CrossingFinder::first_sections(const OdeIntegrator& integrator) const {
  constexpr int many = 8;
  for (int i = 0; i < count_; ++i) {
    const bool held = recalled_.col(i).minCoeff() == kHolds;
    if (!held && !clear(integrator, i) && !integrator.smooth(recalled_.col(i).data())) return many;
  }
  return 1;
}

bool CrossingFinder::all_armed() const { return std::find(armed_.begin(), armed_.end(), 0) == armed_.end(); }

// The functions where the last step evaluated the rates, in recalled_.
bool CrossingFinder::recall(const OdeIntegrator& integrator) {
  const int evaluations = integrator.evaluations();
  if (evaluations == 0 || integrator.t_begin() != end_.t) return false;
  recalled_.resize(evaluations + 1, count_);
  if (!functions_.recall(integrator.t(), recalled_)) return false;
  recalled_.row(0) = end_.g.transpose();
  return true;
}

// Whether function i is clear of zero in the last step, but for its begin where that begins the phase. One that is
// disarmed then rises from zero, by more than rounding: that would not look smooth.
bool CrossingFinder::clear(const OdeIntegrator& integrator, int i) const {
  const double* const values = recalled_.col(i).data();
  return positive(values[recalled_.rows() - 1]) &&
         (positive(integrator.least_inside(values)) || (first_step_ && integrator.leaves_zero(values)));
}

// The only function that is not clear; how many there are if all are clear, −1 if several are not.
int CrossingFinder::only_unclear(const OdeIntegrator& integrator) const {
  int only = count_;
  for (int i = 0; i < count_; ++i) {
    if (clear(integrator, i)) continue;
    if (only < count_) return -1;
    only = i;
  }
  return only;
}

// Leaves a step in which nothing crosses.
void CrossingFinder::pass(const OdeIntegrator& integrator) {
  end_.t = integrator.t();
  end_.y = integrator.y();
  end_.g = recalled_.bottomRows(1).transpose();
  std::fill(armed_.begin(), armed_.end(), 1);
  first_step_ = false;
}

// Whether function i falls through zero where the evaluations of the rates say; it is then found_.
bool CrossingFinder::fall(const OdeIntegrator& integrator, int i) {
  if (!all_armed()) return false;
  const auto there = integrator.only_fall(recalled_.col(i).data());
  if (!there) return false;
  t_begin_ = end_.t;
  h_ = integrator.t() - t_begin_;
  Point& low = samples_[0];
  evaluate(integrator, t_begin_ + there->part * h_, low);
  constexpr double beyond = 1.1;  // a little past the root, so that it lies between the two points
  const double other = std::clamp(there->part - beyond * low.g[i] / there->slope, 0.0, 1.0);
  evaluate(integrator, t_begin_ + other * h_, found_);
  if (fallen(i, low)) std::swap(low, found_);
  if (fallen(i, low) || !fallen(i, found_) || !(low.t < found_.t)) return false;
  refine(integrator, i, RootSearch::along_chord(low.t, distance(i, low), found_.t, distance(i, found_), resolution()));
  return true;
}

void CrossingFinder::evaluate(const OdeIntegrator& integrator, double t, Point& point) const {
  point.t = t;
  point.y.resize(end_.y.size());
  point.g.resize(count_);
  integrator.interpolate_active(t, point.y);
  functions_.values(t, point.y, point.g);
}

// A function that leaves zero upwards may have fallen again by the first probe, as the gap of a contact that lifts off
// with next to no speed. Returns a part of the section at which such functions are still up; 0: there are none.
double CrossingFinder::early_probe(const OdeIntegrator& integrator) {
  constexpr double nearer = 1e-2;
  constexpr int most = 8;  // times nearer
  Point& first = samples_[1];
  evaluate(integrator, t_begin_ + kProbeAt.front() * h_, first);
  double early = 0;
  for (int i = 0; i < count_; ++i) {
    if (armed_[static_cast<std::size_t>(i)] != 0 || !fallen(i, first)) continue;
    double x = kProbeAt.front();
    for (int k = 0; k < most; ++k) {
      x *= nearer;
      evaluate(integrator, t_begin_ + x * h_, trial_);
      if (!(trial_.g[i] > margin(i))) continue;
      early = early > 0 ? std::min(early, x) : x;
      break;
    }
  }
  return early;
}

// From the end of the last section to t_end.
void CrossingFinder::sample(const OdeIntegrator& integrator, double t_end) {
  t_begin_ = end_.t;
  h_ = t_end - t_begin_;
  samples_[0] = end_;
  sample_count_ = 1;
  const auto add = [&](double t) {
    // A step of a few units in the last place has fewer points than samples.
    if (t > samples_[static_cast<std::size_t>(sample_count_ - 1)].t) {
      evaluate(integrator, t, samples_[static_cast<std::size_t>(sample_count_)]);
      ++sample_count_;
    }
  };
  if (first_step_ && end_.t == start_.t && !all_armed()) {
    if (const double early = early_probe(integrator); early > 0) add(t_begin_ + early * h_);
    for (const double x : kProbeAt) {
      add(t_begin_ + x * h_);
    }
  }
  first_part_ = sample_count_;
  for (int part = 1; part < kParts; ++part) {
    add(t_begin_ + h_ * part / kParts);
  }
  add(t_end);
  if (!integrator.layered()) fit(first_part_);
}

// Newton's polynomials through the equidistant samples; constants where they coincide.
void CrossingFinder::fit(int first_part) {
  range_.setZero(count_);
  differences_.setZero(kParts + 1, count_);
  differences_.row(0) = samples_[0].g.transpose();
  if (sample_count_ != first_part + kParts) {
    return;
  }
  for (int part = 1; part <= kParts; ++part) {
    differences_.row(part) = samples_[static_cast<std::size_t>(first_part + part - 1)].g.transpose();
  }
  range_ = (differences_.colwise().maxCoeff() - differences_.colwise().minCoeff()).transpose();
  for (int order = 1; order <= kParts; ++order) {
    for (int k = kParts; k >= order; --k) {
      differences_.row(k) = (differences_.row(k) - differences_.row(k - 1)) / order;
    }
  }
}

// The polynomial of function i and its slope at x, which counts parts of the step.
CrossingFinder::Fitted CrossingFinder::fitted(int i, double x) const {
  Fitted value{differences_(kParts, i), 0.0};
  for (int k = kParts - 1; k >= 0; --k) {
    value.slope = value.g + (x - k) * value.slope;
    value.g = differences_(k, i) + (x - k) * value.g;
  }
  return value;
}

// What function i falls through.
double CrossingFinder::level(int i) const {
  return armed_[static_cast<std::size_t>(i)] != 0 ? 0.0 : start_.g[i] - margin(i);
}

bool CrossingFinder::fallen(int i, const Point& point) const {
  return armed_[static_cast<std::size_t>(i)] != 0 ? !positive(point.g[i]) : !(point.g[i] >= level(i));
}

// Whether function i, not positive at the start, falls in the first step without having been positive.
bool CrossingFinder::never_held(int i) const {
  if (armed_[static_cast<std::size_t>(i)] != 0) {
    return false;
  }
  for (int k = 1; k < sample_count_; ++k) {
    const Point& point = samples_[static_cast<std::size_t>(k)];
    if (fallen(i, point) || point.g[i] > margin(i)) {
      return fallen(i, point);
    }
  }
  return false;
}

// The least value of the polynomial of function i where its slope turns upwards between x_low and x_high; infinite if
// it does not turn.
double CrossingFinder::fitted_minimum(int i, double x_low, double x_high) const {
  constexpr int trials = 8;
  double least = std::numeric_limits<double>::infinity();
  double a = x_low;
  double slope_a = fitted(i, a).slope;
  for (int k = 1; k <= trials; ++k) {
    const double b = x_low + (x_high - x_low) * k / trials;
    const double slope_b = fitted(i, b).slope;
    if (slope_a <= 0 && slope_b > 0) {
      RootSearch turn(a, slope_a, b, slope_b, 1e-6);
      while (!turn.done()) {
        turn.put(fitted(i, turn.next()).slope);
      }
      least = std::min(least, fitted(i, turn.next()).g);
    }
    a = b;
    slope_a = slope_b;
  }
  return least;
}

// Whether function i, positive at the samples high − 1 and high, may have a minimum near or below zero between them.
bool CrossingFinder::may_dip(int i, int high) const {
  // Between probes the polynomial through the parts says nothing.
  if (high < first_part_) return dips_in_samples(i, high);
  const Point& low = samples_[static_cast<std::size_t>(high - 1)];
  const double lower = std::min(low.g[i], found_.g[i]);
  if (lower > 2 * range_[i]) {
    return false;  // it would have to fall by more than it varies over the whole step
  }
  const double x_low = (low.t - t_begin_) / h_ * kParts;
  const double x_high = (found_.t - t_begin_) / h_ * kParts;
  const double slack = 0.1 * (x_high - x_low);  // the polynomial may turn a little beside the function
  const double error = 0.01 * kFactorial * std::abs(differences_(kParts, i));
  // Where a function rises from probe to probe it has left its minimum, which is the start.
  const bool rises = high > 1 && high == first_part_ && samples_[static_cast<std::size_t>(high - 2)].g[i] < low.g[i];
  return !(fitted_minimum(i, rises ? x_low : x_low - slack, x_high + slack) - error > 0.5 * lower);
}

// Looks for the minimum of function i between t_low and found_ until a point is found at which it has fallen; that
// point becomes found_.
bool CrossingFinder::find_dip(const OdeIntegrator& integrator, int i, double t_low) {
  constexpr int most = 60;
  const double width = found_.t - t_low;
  // Nearer than this to its minimum a smooth function is flat to rounding.
  const double resolution = std::max(1e-8 * width, 4 * kEpsilon * std::abs(found_.t));
  MinimumSearch search(t_low, found_.t, resolution);
  std::array<double, 3> last{};
  for (int count = 0; count < most && !search.done(); ++count) {
    evaluate(integrator, search.next(), trial_);
    if (fallen(i, trial_)) {
      std::swap(found_, trial_);
      return true;
    }
    search.put(trial_.g[i]);
    last[static_cast<std::size_t>(count) % last.size()] = trial_.g[i];
    if (count + 1 >= static_cast<int>(last.size()) && stays_above_zero(last)) {
      return false;
    }
  }
  return false;
}

// Of the time of a crossing that is not later than found_.
double CrossingFinder::resolution() const { return 4 * kEpsilon * std::max(std::abs(t_begin_), std::abs(found_.t)); }

// From what function i falls through, never zero: what is on the level still has a side.
double CrossingFinder::distance(int i, const Point& point) const {
  constexpr double tiny = std::numeric_limits<double>::min();
  const double g = point.g[i] - level(i);
  return fallen(i, point) ? (g < 0 ? g : -tiny) : std::max(g, tiny);
}

// Moves found_, where function i has fallen, down to its root above `low`.
void CrossingFinder::refine(const OdeIntegrator& integrator, int i, const Point& low) {
  refine(integrator, i, RootSearch(low.t, distance(i, low), found_.t, distance(i, found_), resolution()));
}

void CrossingFinder::refine(const OdeIntegrator& integrator, int i, RootSearch search) {
  constexpr int most = 200;  // never reached: bisection alone needs 60
  for (int count = 0; count < most && !search.done(); ++count) {
    evaluate(integrator, search.next(), trial_);
    search.put(distance(i, trial_));
    if (fallen(i, trial_)) {
      std::swap(found_, trial_);
    }
  }
}

// Whether one of the samples high − 1 and high is lower than both its neighbours, and low enough for a minimum beside
// it to reach zero.
bool CrossingFinder::dips_in_samples(int i, int high) const {
  for (int k = std::max(high - 1, 1); k <= high && k + 1 < sample_count_; ++k) {
    const double before = samples_[static_cast<std::size_t>(k - 1)].g[i];
    const double here = samples_[static_cast<std::size_t>(k)].g[i];
    const double after = samples_[static_cast<std::size_t>(k) + 1].g[i];
    if (here < before && here < after && here < std::max(before, after) - here) return true;
  }
  return false;
}

// The first point between the samples high − 1 and high at which a function has fallen in found_.
bool CrossingFinder::cross(const OdeIntegrator& integrator, int high) {
  const Point& low = samples_[static_cast<std::size_t>(high - 1)];
  bool any = false;
  found_ = samples_[static_cast<std::size_t>(high)];
  for (int i = 0; i < count_; ++i) {
    const bool armed = armed_[static_cast<std::size_t>(i)] != 0;
    const auto dip = [&] { return integrator.layered() ? dips_in_samples(i, high) : may_dip(i, high); };
    if (fallen(i, found_) || (armed && dip() && find_dip(integrator, i, low.t))) {
      refine(integrator, i, low);
      any = true;
    }
  }
  return any;
}

void CrossingFinder::arm(const Point& point) {
  for (int i = 0; i < count_; ++i) {
    if (point.g[i] > margin(i)) {
      armed_[static_cast<std::size_t>(i)] = 1;
    }
  }
}

Crossing CrossingFinder::at_start() const {
  Crossing crossing{start_.t, {}, start_.y};
  for (int i = 0; i < count_; ++i) {
    if (never_held(i)) {
      crossing.which.push_back(i);
    }
  }
  return crossing;
}

// The crossing at found_, with those that follow within the resolution.
Crossing CrossingFinder::at_found(const OdeIntegrator& integrator) {
  const auto all_fallen = [&](const Point& point) {
    std::vector<int> which;
    for (int i = 0; i < count_; ++i) {
      if (fallen(i, point)) {
        which.push_back(i);
      }
    }
    return which;
  };
  std::vector<int> which = all_fallen(found_);
  evaluate(integrator, std::min(found_.t + resolution(), integrator.t()), trial_);
  std::vector<int> soon = all_fallen(trial_);
  if (std::includes(soon.begin(), soon.end(), which.begin(), which.end()) && soon.size() > which.size()) {
    std::swap(found_, trial_);
    which = std::move(soon);
  }
  integrator.interpolate(found_.t, found_.y);
  return {found_.t, std::move(which), found_.y};
}

}  // namespace painleve

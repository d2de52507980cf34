// Where a function of the state falls through zero inside the last step of an integrator.
//
// A phase of a motion holds while all its event functions g_i(t, y) are positive: the normal force of a closed contact,
// the gap of an open one, the slip speed. The phase ends at the first t at which one of them falls through zero.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "painleve/simulation/ode.hpp"

namespace painleve {

class RootSearch;

/// Functions that are positive while the phase holds.
class EventFunctions {
 public:
  EventFunctions() = default;
  EventFunctions(const EventFunctions&) = default;
  EventFunctions(EventFunctions&&) = default;
  EventFunctions& operator=(const EventFunctions&) = default;
  EventFunctions& operator=(EventFunctions&&) = default;
  virtual ~EventFunctions() = default;

  virtual int count() const = 0;

  /// g(t, y); `g` has the right size already. It depends on those components of y that the rates of the motion do. The
  /// least positive number says that the phase holds, and not by how much.
  virtual void values(double t, const Eigen::VectorXd& y, Eigen::VectorXd& g) const = 0;

  /// The values at the last evaluations of the rates of the motion, where these come with them: one row of `g` for each
  /// evaluation, from its second row on, in their order. False, and g means nothing, if so many are not known or the
  /// last of them was not at t.
  virtual bool recall(double t, Eigen::MatrixXd& g) const;
};

struct Crossing {
  double t = 0.0;
  std::vector<int> which;  // the functions that cross within the resolution of t, lowest index first; never empty
  Eigen::VectorXd y;  // the state at t: there all of `which` are <= 0, so that a phase that starts here disarms them
};

/// Finds the first crossing in each step of an integrator. A value that is not a number counts as <= 0.
///
/// A function that is <= 0 where the phase starts is disarmed: it becomes an event when it has been positive. If
/// instead it falls from its value at the start by more than rounding, the phase never held: in the first step that is
/// a crossing at the start itself, later one where it falls. Rounding is 64 units in the last place of each y_j and of
/// t, as g feels them.
///
/// Where the functions are known at the evaluations of the rates of a step, and these show all of them clear of zero,
/// nothing else is done; where they show one that falls through zero once, its root is found at once. Any other step is
/// sampled at five points, and a polynomial through the samples says where a function may dip below zero
/// and come back between two of them. There the minimum of the function itself is looked for. A step whose evaluations
/// are known is cut into sections where the five points do not show the function. A dip that neither the samples nor
/// their polynomial show is missed: the steps should resolve the events as well as the motion. In a step that is
/// `layered` the polynomial says nothing, and the samples themselves have to show the dip.
class CrossingFinder {
 public:
  explicit CrossingFinder(const EventFunctions& functions);

  /// The phase begins at (t, y): where a step begins, or inside the last one, which is then searched from there. The
  /// number of functions may be another one than before.
  void start(double t, const Eigen::VectorXd& y);

  /// The first crossing in the last step of the integrator, which must continue where the step before it ended. Its
  /// time is that of the dense output to 4 units in the last place of t. After a crossing a phase ends, and the next
  /// one needs `start`.
  std::optional<Crossing> first(const OdeIntegrator& integrator);

 private:
  static constexpr int kParts = 5;           // of a section, between samples
  static constexpr double kFactorial = 120;  // kParts!, from a divided difference to the plain one
  static constexpr int kProbes = 4;          // close to the start of a phase, where a function leaves zero

  struct Point {
    double t = 0.0;
    Eigen::VectorXd y;
    Eigen::VectorXd g;
  };

  struct Fitted {
    double g = 0.0;
    double slope = 0.0;
  };

  void make_room();
  bool all_armed() const;
  bool recall(const OdeIntegrator& integrator);
  bool clear(const OdeIntegrator& integrator, int i) const;
  int only_unclear(const OdeIntegrator& integrator) const;
  void pass(const OdeIntegrator& integrator);
  bool fall(const OdeIntegrator& integrator, int i);
  std::optional<Crossing> first_sampled(const OdeIntegrator& integrator, int sections);
  std::optional<Crossing> first_in_section(const OdeIntegrator& integrator);
  bool shown() const;
  int first_sections(const OdeIntegrator& integrator) const;
  void evaluate(const OdeIntegrator& integrator, double t, Point& point) const;
  void find_margins();
  double margin(int i) const { return margins_known_ ? margin_[i] : 0.0; }
  double early_probe(const OdeIntegrator& integrator);
  void sample(const OdeIntegrator& integrator, double t_end);
  void fit(int first_part);
  Fitted fitted(int i, double x) const;
  double fitted_minimum(int i, double x_low, double x_high) const;
  double level(int i) const;
  double resolution() const;
  bool fallen(int i, const Point& point) const;
  bool never_held(int i) const;
  bool may_dip(int i, int high) const;
  bool dips_in_samples(int i, int high) const;
  bool find_dip(const OdeIntegrator& integrator, int i, double t_low);
  double distance(int i, const Point& point) const;
  void refine(const OdeIntegrator& integrator, int i, const Point& low);
  void refine(const OdeIntegrator& integrator, int i, RootSearch search);
  bool cross(const OdeIntegrator& integrator, int high);
  void arm(const Point& point);
  Crossing at_start() const;
  Crossing at_found(const OdeIntegrator& integrator);

  const EventFunctions& functions_;
  int count_ = 0;
  bool first_step_ = false;         // the next step is the first of its phase
  std::vector<char> armed_;         // which functions have been positive
  std::vector<char> armed_before_;  // where this step begins
  bool margins_known_ = false;
  Eigen::VectorXd margin_;  // what rounding may change in each function at the start; of use to disarmed ones
  Point start_;             // of the phase
  Point end_;               // of the step before
  Point step_begin_;        // where the step began that is searched section by section
  double t_begin_ = 0.0;    // of this section, and its size
  double h_ = 0.0;
  Eigen::MatrixXd recalled_;    // column i: function i at the begin of this step and at its evaluations of the rates
  std::vector<Point> samples_;  // of this section, from its begin to its end
  int sample_count_ = 0;
  int first_part_ = 1;           // the first of the equidistant samples after the begin: before it come probes
  Eigen::MatrixXd differences_;  // column i: the divided differences of function i at the equidistant samples
  Eigen::VectorXd range_;        // how much each function varies over the equidistant samples
  Point found_;                  // the first point so far at which a function has fallen, or the end of a part
  Point trial_;
};

}  // namespace painleve

#include "painleve/study/line_model.hpp"

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/study/line_direction.hpp"

namespace painleve {
namespace {

// Well above what a scene loses to rounding and well below what a map shows; in parts of the largest |b| of the line.
constexpr double b_margin = 1e-9;
// How often the largest misfit that was seen at a point between the ends is allowed for.
constexpr double misfit_margin = 1e3;

// One point of a line.
struct Sample {
  ContactSpace space;
  Eigen::VectorXd u;  // before what is nearly zero was made zero
  State state;
  bool settled = false;
};

// Whether the posture solver meets what it was asked for so well that it does so along the whole line: residuals are
// affine, and it accepts 1e-9 m/s or more. A default slip that is missed by far was not asked for. `shift` is what the
// slip asked for has changed by since the scene was built.
bool settled(const Scene& scene, const Eigen::VectorXd& u, const Eigen::VectorXd& v, double shift = 0) {
  constexpr double met = 1e-10, missed = 4e-9;  // [m/s]
  const auto& slips = scene.setup.slip;
  const double speed = std::max(1.0, v.cwiseAbs().maxCoeff());
  for (int i = 0; i < scene.space.count(); ++i) {
    const ContactInfo& contact = scene.posed.contacts[static_cast<std::size_t>(i)];
    const double u_t = u(scene.space.tangent(i));
    if (contact.closed && !(std::abs(u(scene.space.normal(i))) <= met)) return false;
    auto slip = slips.find(contact.name);
    if (slip == slips.end() && i == 0) slip = slips.find("");
    if (slip != slips.end() && !(std::abs(u_t - (slip->second[0] + shift)) <= met)) return false;
    if (!slips.empty() || i > 0 || scene.entry->default_slip.empty()) continue;
    const double off = std::abs(u_t - scene.entry->default_slip[0]);
    if (off > met && off <= missed * speed) return false;
  }
  return true;
}

bool same(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && (a.array() == b.array()).all();
}

// What holds between the ends because it holds at both: u is affine, the rest does not change.
struct Touching {
  LineModel::Kind kind = LineModel::Kind::none;
  VerdictByte byte = undecided;  // constant
  int contact = -1;
};
Touching touching(const Sample& a, const Sample& b, const Tolerance& tolerance) {
  constexpr auto constant = LineModel::Kind::constant;
  int closed = 0, contact = -1;
  bool plain = true;
  for (int i = 0; i < a.space.count(); ++i) {
    const bool bilateral = a.space.bilateral[static_cast<std::size_t>(i)];
    if (!bilateral && a.space.gap(i) > tolerance.gap) continue;
    const double u_a = a.u(a.space.normal(i)), u_b = b.u(b.space.normal(i));
    if (!bilateral && std::max(u_a, u_b) < -2 * tolerance.velocity)
      return {constant, verdict_byte(0, static_cast<Motions>(impact_number)), -1};
    ++closed;
    contact = i;
    plain = plain && !bilateral && std::max(std::abs(u_a), std::abs(u_b)) <= tolerance.velocity / 2;
  }
  if (closed == 0) return {constant, verdict_byte(0, Motions::one), -1};
  if (closed > 1 || !plain) return {};
  return {LineModel::Kind::contact, undecided, contact};
}

// b and u_t of the contact at a point between the ends.
struct Between {
  double b_t, b_n, u_t;
};

class DriveLine {
 public:
  DriveLine(CellValues& values, const MapAxis& axis, std::size_t k, std::span<const double> x)
      : values_(values), axis_(axis), k_(k), x_(x.begin(), x.end()), force_(axis.path.starts_with("forces.")) {}

  LineModel model(bool closely) {
    LineModel none;
    const auto a = at(-1);
    if (!a || !a->settled) return none;
    const Scene& scene = *values_.scene();
    mechanism_ = scene.posed.mechanism;
    if (force_) take_setup(scene);
    const Tolerance tolerance = scene.tolerance;
    const auto b = end(scene, *a);
    if (!b || !b->settled) return none;
    if (!same(a->state.q, b->state.q) || !same(a->space.W, b->space.W) || !same(a->space.gap, b->space.gap))
      return none;
    const Touching touch = touching(*a, *b, tolerance);
    LineModel line;
    line.kind = touch.kind;
    line.byte = touch.byte;
    if (touch.kind != LineModel::Kind::contact) return line;
    contact_ = touch.contact;
    line.rest = tolerance.velocity;
    line.mu = a->space.mu(contact_);
    line.friction_axis = values_.friction_axis(contact_);
    return fit(line, *a, *b, closely) ? line : none;
  }

 private:
  double number(double s) const { return s == 1 ? axis_.to : axis_.from + (axis_.to - axis_.from) * ((s + 1) / 2); }

  // The scene there.
  std::optional<Sample> at(double s) {
    x_[k_] = number(s);
    values_.move_to(x_);
    const Scene* scene = values_.scene();
    if (scene == nullptr || scene->space.dimension != 2) return {};
    const State& state = scene->posed.state;
    Sample sample{scene->space, scene->posed.mechanism->dynamics(state).u, state, false};
    sample.settled = settled(*scene, sample.u, state.v);
    return sample;
  }

  // A force of one component leaves posture and velocities as they are, unless these are found in a way of their own.
  void take_setup(const Scene& scene) {
    const GalleryEntry& entry = *scene.entry;
    const auto info = std::find_if(entry.forces.begin(), entry.forces.end(),
                                   [&](const ForceInfo& f) { return "forces." + f.name == axis_.path; });
    if (info == entry.forces.end() || info->components != 1 || entry.guess || entry.pose) return;
    entry_ = scene.entry;
    setup_ = scene.setup;
    given_.resize(static_cast<Eigen::Index>(entry.coordinates.size()));
    for (Eigen::Index i = 0; i < given_.size(); ++i) {
      const CoordinateInfo& coordinate = entry.coordinates[static_cast<std::size_t>(i)];
      given_(i) = setup_.given.get(coordinate.name, coordinate.fallback);
    }
  }

  // The state of a under the force there, without another scene; none where more than b has changed.
  std::optional<ContactSpace> under_force(const Sample& a, double s) {
    if (!entry_) return {};
    setup_.forces[axis_.path.substr(axis_.path.find('.') + 1)] = {Expression::constant(number(s))};
    const auto mechanism = entry_->make(setup_, given_);
    ContactSpace space = contact_space(*mechanism, a.state, surfaces(a));
    if (!same(space.W, a.space.W) || !same(space.u, a.u)) return {};
    space.gap = a.space.gap;
    return space;
  }

  // The other end: where the direction of v is plain, or a force leaves it as it is, without another scene.
  std::optional<Sample> end(const Scene& scene, const Sample& a) {
    if (auto space = under_force(a, 1)) return Sample{std::move(*space), a.u, a.state, true};
    const auto direction = force_ ? std::nullopt : line_direction(scene, axis_.path);
    if (!direction) return at(1);
    State state = a.state;
    state.v += (axis_.to - axis_.from) * *direction;
    Sample b{reduced(a, state), {}, state, false};
    b.u = b.space.u;
    b.space.gap = a.space.gap;  // as the scene has it; that of the mechanism depends on q alone
    const bool slip = axis_.path.starts_with("state.slip");
    b.settled = settled(scene, b.u, state.v, slip ? axis_.to - axis_.from : 0);
    return b;
  }

  static std::vector<Surface> surfaces(const Sample& a) {
    std::vector<Surface> list;
    for (int i = 0; i < a.space.count(); ++i)
      list.push_back({a.space.mu(i), a.space.bilateral[static_cast<std::size_t>(i)]});
    return list;
  }

  ContactSpace reduced(const Sample& a, const State& state) const {
    return contact_space(*mechanism_, state, surfaces(a));
  }

  Between of(const Eigen::VectorXd& b, const Eigen::VectorXd& u) const {
    return {b(2 * contact_), b(2 * contact_ + 1), u(2 * contact_)};
  }

  // Of the mechanism at the velocity between the ends; where the axis changes the mechanism, of another scene.
  std::optional<Between> between(const Sample& a, const Sample& b, double s, bool scene) {
    if (force_ && s > 0) {
      if (const auto there = under_force(a, s)) return of(there->b, there->u);
    }
    if (scene) {
      const auto there = at(s);
      if (!there || !there->settled || !same(there->space.W, a.space.W)) return {};
      return of(there->space.b, there->u);
    }
    State state = a.state;
    state.v += (b.state.v - a.state.v) * ((s + 1) / 2);
    mechanism_->dynamics(state, dynamics_);
    return of(dynamics_.J * free_acceleration(dynamics_) + dynamics_.drift, dynamics_.u);
  }

  std::optional<Between> halfway(const Sample& a, const Sample& b) const {
    return of((a.space.b + b.space.b) / 2, (a.u + b.u) / 2);
  }

  static std::array<double, 3> parabola(double a, double middle, double b) {
    return {middle, (b - a) / 2, (a + b) / 2 - middle};
  }
  static double sum(const std::array<double, 3>& c) { return std::abs(c[0]) + std::abs(c[1]) + std::abs(c[2]); }

  bool fit(LineModel& line, const Sample& a, const Sample& b, bool closely) {
    const auto middle = force_ ? halfway(a, b) : between(a, b, 0, false);  // b is affine in a force
    if (!middle) return false;
    const PlanarContact from = planar_contact(a.space, contact_), to = planar_contact(b.space, contact_);
    const double u_a = a.u(2 * contact_), u_b = b.u(2 * contact_);
    line.W_tt = from.W_tt;
    line.W_tn = from.W_tn;
    line.W_nn = from.W_nn;
    line.b_t = parabola(from.b_t, middle->b_t, to.b_t);
    line.b_n = parabola(from.b_n, middle->b_n, to.b_n);
    line.u_t = {(u_a + u_b) / 2, (u_b - u_a) / 2};
    double b_misfit = 0, u_misfit = std::abs(middle->u_t - line.u_t[0]);
    for (const double s : {0.4142135623730951, -0.6180339887498949}) {
      if (s < 0 && !closely) continue;
      const auto there = between(a, b, s, force_ || s < 0);
      if (!there) return false;
      b_misfit = std::max({b_misfit, std::abs(there->b_t - (line.b_t[0] + s * (line.b_t[1] + s * line.b_t[2]))),
                           std::abs(there->b_n - (line.b_n[0] + s * (line.b_n[1] + s * line.b_n[2])))});
      u_misfit = std::max(u_misfit, std::abs(there->u_t - (line.u_t[0] + s * line.u_t[1])));
    }
    const double scale = std::max(sum(line.b_t), sum(line.b_n));
    line.b_error = b_margin * scale + misfit_margin * b_misfit;
    line.u_error = line.rest / 100 + misfit_margin * u_misfit;
    return misfit_margin * b_misfit <= 1e-6 * scale && std::isfinite(scale);
  }

  CellValues& values_;
  const MapAxis& axis_;
  std::size_t k_;
  std::vector<double> x_;
  bool force_;
  std::shared_ptr<const Mechanism> mechanism_;  // at the beginning
  std::shared_ptr<const GalleryEntry> entry_;   // of a force that leaves all else as it is; none: it may not
  Setup setup_;
  Eigen::VectorXd given_;  // posture that the mechanism is made for
  int contact_ = -1;
  Dynamics dynamics_;  // between the ends
};

}  // namespace

bool drives(const SceneSource& source, const std::string& path) {
  if (source.kind() != SceneKind::mechanism) return false;
  try {
    const auto entry = source.entry();
    if (entry->pose != nullptr) return false;  // its posture may depend on anything
    if (path.starts_with("forces.") || path == "state.slip" || path.starts_with("state.slip.")) return true;
    if (!path.starts_with("state.") || !path.ends_with("_dot")) return false;
    const auto names = entry->coordinate_names();
    return std::find(names.begin(), names.end(), path.substr(6, path.size() - 10)) != names.end();
  } catch (const InputError&) {  // a robot that cannot be built as it stands
    return false;
  }
}

LineModel friction_line(CellValues& values, std::span<const double> x) {
  LineModel line;
  values.move_to(x);
  if (values.scene() == nullptr) return line;
  const CellValues::Kernel& kernel = values.kernel();
  if (kernel.kind == CellValues::Kernel::Kind::constant) {
    line.kind = LineModel::Kind::constant;
    line.byte = verdict_byte(0, static_cast<Motions>(kernel.verdict));
  }
  if (kernel.kind != CellValues::Kernel::Kind::contact) return line;
  line.kind = LineModel::Kind::contact;
  line.W_tt = kernel.c.W_tt;
  line.W_tn = kernel.c.W_tn;
  line.W_nn = kernel.c.W_nn;
  line.b_t[0] = kernel.c.b_t;
  line.b_n[0] = kernel.c.b_n;
  line.u_t[0] = kernel.c.u_t;
  line.mu = values.scene()->space.mu(kernel.contact);
  line.friction_axis = values.friction_axis(kernel.contact);
  return line;
}

LineModel drive_line(CellValues& values, const MapAxis& axis, std::size_t k, std::span<const double> x, bool closely) {
  try {
    return DriveLine(values, axis, k, x).model(closely);
  } catch (const std::exception&) {  // a state between the ends that cannot be reduced
    return {};
  }
}

}  // namespace painleve

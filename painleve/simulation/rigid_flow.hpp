// The smooth motion of a mechanism in one mode of its contacts, and the functions whose zeros end it.
//
// Contact forces λ = C x, one column of C per unknown: a sticking contact has its two or three components, a slipping
// one its normal force x with λ = (−μ e, 1) x. They hold the rows R: a_t = a_n = 0 in stick, a_n = 0 in slip,
//
//   A x = −(R M⁻¹ f + R drift),   A = R M⁻¹ Jᵀ C,   v̇ = M⁻¹ (f + Jᵀ C x)
//
// State y = (t, q, v, friction, applied, impulse): time, coordinates, velocities, the energy that friction took and
// that applied forces and moving surfaces put in, and ∫λ dt stacked over all contacts.
//
// Near a Painlevé state det A → 0 and x grows without bound; there the clock σ runs slower than time, dt = φ dσ with
//   φ = D/(D + D_0),   D = det A / Π A_ii(without friction),
// which for one slipping contact is p/W_nn: the singular rescaling of Champneys & Várkonyi (2016) Sec. 5.1, in which
// the flow is smooth up to p = 0. Elsewhere φ = 1 and σ = t.
#pragma once

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "painleve/contact/contact_mode.hpp"
#include "painleve/simulation/crossing.hpp"
#include "painleve/simulation/detail/half_solves.hpp"
#include "painleve/simulation/ode.hpp"
#include "painleve/simulation/run.hpp"

namespace painleve {

// What ends a phase, with the contact that it concerns.
enum class Ending { t_end, landing, liftoff, slip_stop, cone_edge, singular, regular, joint_limit };

class RigidFlow final : public OdeSystem, public EventFunctions {
 public:
  // `modes`: one per contact of the mechanism; F where it is open. `rescaled`: run on the slow clock.
  RigidFlow(const SimulationProblem& problem, const std::vector<ContactMode>& modes, bool rescaled, double t_end);

  // The flow of another phase, in the storage of this one.
  void set_modes(const std::vector<ContactMode>& modes, bool rescaled);

  // OdeSystem
  int size() const override { return 1 + 2 * degrees_ + 2 + static_cast<int>(lambda_.size()); }
  void rates(double sigma, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const override;
  int active() const { return 1 + 2 * degrees_; }  // components on which rates and values depend: the first ones

  // EventFunctions
  int count() const override { return static_cast<int>(endings_.size()); }
  void values(double sigma, const Eigen::VectorXd& y, Eigen::VectorXd& g) const override;
  bool recall(double sigma, Eigen::MatrixXd& g) const override;
  // jam_ratio() at the last `count` evaluations of the rates, in their order; false, and they mean nothing, if so many
  // are not known or the last of them was not at sigma.
  bool recall_jam_ratios(double sigma, std::size_t count, double* ratios) const;
  struct End {
    Ending kind;
    int contact;
  };
  const End& ending(int function) const { return endings_[static_cast<std::size_t>(function)]; }

  Eigen::VectorXd start(const State& state, double friction, double applied, const Eigen::VectorXd& impulse);
  void start(const State& state, double friction, double applied, const Eigen::VectorXd& impulse, Eigen::VectorXd& y);
  State state(const Eigen::VectorXd& y) const;
  void put_state(const Eigen::VectorXd& y, State& state) const;
  double friction(const Eigen::VectorXd& y) const { return y(1 + 2 * degrees_); }
  double applied(const Eigen::VectorXd& y) const { return y(2 + 2 * degrees_); }
  auto impulse(const Eigen::VectorXd& y) const { return y.tail(lambda_.size()); }

  // Everything at one state; valid until the next evaluation.
  void evaluate(const State& state) const;
  void evaluate_at(double sigma, const Eigen::VectorXd& y) const;
  double time() const { return s_.t; }  // of the evaluated state
  const Dynamics& dynamics() const;
  const Eigen::VectorXd& lambda() const { return lambda_; }       // stacked over all contacts
  const Eigen::VectorXd& acceleration() const { return v_dot_; }  // v̇
  double regularity() const { return D_; }  // D; 1 without unknowns or when the forces are a family
  // The largest mu/mu_jam = μ |W_tn|/W_nn over the contacts that press, and which has it (−1: none presses).
  std::pair<double, int> jam_ratio() const;
  double energy() const;  // ½ vᵀMv + V at the evaluated state

  const std::vector<ContactMode>& modes() const { return modes_; }
  // In space: slip along the directions of the modes, whatever u_t is.
  void keep_directions() {
    keeps_directions_ = true;
    evaluated_ = false;
  }
  bool rescaled() const { return rescaled_; }

  // Where the slow clock takes over, and where it hands back.
  static constexpr double slow_below = 0.05, fast_above = 0.1;
  // [m/s] In space slip is slow enough here to be taken to rest at constant acceleration, before its direction gets
  // lost in rounding.
  static constexpr double slow_slip = 1e-8;
  // Where a phase that runs into p = 0 is left.
  static constexpr double singular_below = 1e-10;

 private:
  // Columns whose forces hold each other up (the feet of a table) leave A singular by construction: their smallest
  // singular value is rounding, far below where a slip that runs into p = 0 is left.
  static constexpr double rank_tolerance = 1e-13;
  static constexpr double least_mu = 1e-12;  // what rounding makes of none

  inline bool load(double t, const double* q, const double* v, Eigen::Index degrees) const;
  inline void evaluate_loaded(Eigen::Index degrees) const;
  inline void evaluate_here(double sigma, const Eigen::VectorXd& y) const;
  inline bool solve_lone(Eigen::Index degrees) const;
  void make_room() const;
  void solve_all() const;
  inline void rates_of_lone(Eigen::Index degrees, double phi, double* rate) const;
  inline void rates_of_plain(Eigen::Index degrees, double sigma, const double* y, double* rate) const;
  void build_columns() const;
  void spread_forces() const;
  void solve_forces() const;
  void pick_from_family(const Eigen::MatrixXd& all) const;
  Eigen::MatrixXd without_friction(const Eigen::MatrixXd& null_space) const;
  void cone_rows(Eigen::MatrixXd& G) const;
  double cut_cones(Eigen::MatrixXd& G) const;
  void find_endings();
  void know_lone();
  inline void values_here(double* g, bool plain) const;
  inline void values_of_lone(double* g) const;
  inline void keep_values(double sigma, bool plain) const;
  bool turns_back(int contact, double u_n) const;
  double landing_value(int contact) const;
  double value_of(const End& end) const;
  double clock() const { return rescaled_ ? std::abs(D_) / (std::abs(D_) + slow_below) : 1.0; }
  double stick_mu(int contact) const;
  const double* direction_of(int contact) const;

  const SimulationProblem& problem_;
  std::vector<ContactMode> modes_;
  bool rescaled_ = false;
  bool keeps_directions_ = false;
  double t_end_;
  int degrees_, dimension_, unknowns_ = 0;
  bool limited_;           // a joint of the mechanism has limits
  bool lone_;              // the only contact, in the plane, of a mechanism that offers its PlanarMotion
  bool plain_ = false;     // lone_, and the endings of a unilateral contact on the plain clock are all there are
  double start_sign_ = 1;  // sign of D at the start of the phase
  std::vector<End> endings_;

  // With lone_ only: what its mode comes to.
  struct Lone {
    Letter letter = Letter::F;
    double force_sign = 1;
    double direction = 0;  // of slip
    double pull = 0;       // λ_t/λ_n in slip
    double stick_mu = 0, mu = 0;
  } the_lone_;
  double lone_jam_ratio() const {
    return the_lone_.letter == Letter::F ? 0 : the_lone_.mu * std::abs(motion_.W_tn) / motion_.W_nn;
  }

  // Scratch of an evaluation; one flow belongs to one thread.
  mutable State s_;
  mutable PlanarMotion motion_;  // with lone_ only
  mutable Dynamics d_;           // where it is known: with lone_ only when it was asked for
  mutable bool knows_dynamics_ = false;
  mutable detail::HalfSolves mass_;
  mutable detail::HalfSolves::Rows h_;  // half solves of all rows of J that take part, by row of J
  mutable detail::HalfSolves::Rows C_;  // of the force columns of slipping contacts
  struct Held {
    const double *row, *column;  // half solves: of the row that is held, and of the force column
    double drift;
  };
  mutable std::vector<Held> held_;  // per unknown
  mutable Eigen::MatrixXd A_;
  mutable Eigen::VectorXd x_, v_dot_, lambda_, diagonal_, side_;
  mutable Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  mutable std::array<double, 2> direction_{};
  mutable double D_ = 1;
  mutable bool family_ = false;
  // The values of the endings at the last evaluations of the rates: those of evaluation number k behind each other, in
  // the place k modulo `kept`.
  static constexpr std::size_t kept = 16;  // a power of 2
  mutable std::vector<double> kept_values_;
  mutable std::array<double, kept> kept_ratios_{};  // jam_ratio() there
  mutable std::size_t evaluations_ = 0;
  mutable double last_sigma_ = 0;
  mutable bool evaluated_ = false;  // s_ is the state to which all of this belongs
};

}  // namespace painleve

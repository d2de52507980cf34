#include "painleve/simulation/chatter_rounds.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/modes/mode_table.hpp"

namespace painleve {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr int most_round_impacts = 2000;
// Rounds are alike when their impulses are, to this part.
constexpr double alike = 1e-9;
constexpr std::size_t longest_round = 24;
// Nearer to one the sum of all further rounds is a matter of how far they are alike.
constexpr double largest_factor = 1 - 1e-6;
// Of the first speed. Slower impacts are not followed: what they add to the time is as small a part of it.
constexpr double slowest_impact = 1e-6;

// When a flight at constant acceleration first comes down to 0.
double landing_time(double gap, double u_n, double a_n) {
  const double square = u_n * u_n - 2 * a_n * gap;
  if (a_n < 0 && u_n > 0) return (u_n + std::sqrt(square)) / -a_n;
  if (square < 0 || (a_n >= 0 && u_n >= 0)) return never;
  return 2 * gap / (std::sqrt(square) - u_n);
}

// What has been summed up after an impact.
struct Sums {
  double time = 0;
  Eigen::VectorXd Lambda;  // of impacts and phases
  Eigen::VectorXd phases;  // of phases alone
  Eigen::VectorXd shift;
  double friction = 0;
};

Sums operator-(const Sums& a, const Sums& b) {
  return {a.time - b.time, a.Lambda - b.Lambda, a.phases - b.phases, a.shift - b.shift, a.friction - b.friction};
}

// Which contacts an impact struck, and what they did then.
struct Mark {
  Sums sums;
  std::vector<int> struck;
  std::string situation;
};

bool same_event(const Mark& a, const Mark& b) { return a.struck == b.struck && a.situation == b.situation; }

// Forces and accelerations between impacts.
struct Steady {
  std::vector<ContactMode> modes;  // F where open
  Eigen::VectorXd lambda, a;
};

bool independent_normals(const ContactSpace& space) {
  constexpr double dependent = 1e-9;
  std::vector<int> normals;
  for (int i = 0; i < space.count(); ++i) normals.push_back(space.normal(i));
  Eigen::MatrixXd W = space.W(normals, normals);
  const Eigen::VectorXd unit = W.diagonal().cwiseSqrt().cwiseInverse();
  W = unit.asDiagonal() * W * unit.asDiagonal();
  return Eigen::FullPivLU<Eigen::MatrixXd>(W).setThreshold(dependent).isInvertible();
}

class Rounds {
 public:
  Rounds(const ContactSpace& space, const ImpactOptions& impacts)
      : start_(space), space_(space), options_(impacts), open_(static_cast<std::size_t>(space.count())) {
    // In units of the first speed, far from all tolerances.
    for (int i = 0; i < space.count(); ++i) unit_ = std::max(unit_, std::abs(space.u(space.normal(i))));
    space_.u /= unit_;
    space_.gap /= unit_ * unit_;
    for (int i = 0; i < space.count(); ++i) open_[static_cast<std::size_t>(i)] = space_.gap(i) > 0;
    gap_ = space_.gap;
    const auto zero = Eigen::VectorXd::Zero(space.u.size());
    sums_ = {0, zero, zero, zero, 0};
  }

  std::optional<ChatterEnd> run() {
    for (int n = 0; n < most_round_impacts; ++n) {
      if (!strike()) return std::nullopt;
      if (const auto round = last_round()) {
        if (round->factor > largest_factor) return std::nullopt;
        leap(*round);
      }
      if (fastest() < slowest_impact) return end();
      while (!lands_)
        if (!follow()) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  struct Round {
    Sums sums;
    double factor;            // to the next one
    std::vector<int> struck;  // in it
  };

  // The space as an impact or a mode table sees it: closed contacts exactly, the others out of the way.
  ContactSpace seen() const {
    ContactSpace s = space_;
    for (int i = 0; i < s.count(); ++i) s.gap(i) = open_[static_cast<std::size_t>(i)] ? 1 : 0;
    return s;
  }

  // The greatest speed of a contact in flight, here or when it lands.
  double fastest() const {
    double speed = 0;
    for (int i = 0; i < space_.count(); ++i) {
      const int n = space_.normal(i);
      const double fall = std::sqrt(2 * gap_(i) * std::abs(space_.b(n)));
      if (open_[static_cast<std::size_t>(i)]) speed = std::max({speed, std::abs(space_.u(n)), fall});
    }
    return speed;
  }

  auto tangent(Eigen::VectorXd& u, int i) const { return u.segment(space_.tangent(i), space_.dimension - 1); }

  bool strike() {
    lands_ = false;
    const ContactSpace before = seen();
    std::vector<int> struck;
    if (!approaching_contacts(before, options_.tolerance).empty()) {
      const ImpactReport report = impact(before, options_);
      if (!report.happened || !report.ended) return false;
      space_.u = report.u_after;
      sums_.Lambda += report.Lambda;
      struck = report.contacts;
    }
    const ContactSpace after = seen();
    for (int i = 0; i < space_.count(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (open_[at]) continue;
      const Touch t = touch(after, i, options_.tolerance);
      open_[at] = t == Touch::separating;
      if (!open_[at]) space_.u(space_.normal(i)) = 0;
      if (t == Touch::resting) tangent(space_.u, i).setZero();
      gap_(i) = 0;
    }
    marks_.push_back({sums_, struck, situation()});
    for (const int i : struck) add_once(i, struck_);
    return true;
  }

  static void add_once(int i, std::vector<int>& list) {
    if (std::find(list.begin(), list.end(), i) == list.end()) list.push_back(i);
  }

  // Which contacts are in flight, which rest, and how the others slip.
  std::string situation() {
    std::string word;
    for (int i = 0; i < space_.count(); ++i) {
      const auto u_t = tangent(space_.u, i);
      if (open_[static_cast<std::size_t>(i)])
        word += 'F';
      else if (u_t.norm() <= options_.tolerance.velocity)
        word += '0';
      else
        word += u_t(0) > 0 ? '+' : '-';
    }
    return word;
  }

  // The only motion of the closed contacts; nothing where there is another one, or a closed contact lifts.
  std::optional<Steady> find_steady() const {
    Steady s{std::vector<ContactMode>(open_.size()), Eigen::VectorXd::Zero(space_.u.size()), space_.b};
    if (std::all_of(open_.begin(), open_.end(), [](bool x) { return x; })) return s;
    ModeOptions options;
    options.tolerance = options_.tolerance;
    const ModeTable table = mode_table(seen(), options);
    const bool struck = std::any_of(table.iwc.begin(), table.iwc.end(), [](const auto& iwc) { return iwc.possible; });
    const auto fits = [](const ModeEntry& e) { return e.consistent && !e.boundary; };
    const auto entry = std::find_if(table.modes.begin(), table.modes.end(), fits);
    if (table.verdict != "unique" || struck || entry == table.modes.end()) return std::nullopt;
    for (std::size_t k = 0; k < table.closed.size(); ++k) {
      const int i = table.closed[k];
      if (entry->contacts[k].letter == Letter::F) return std::nullopt;
      s.modes[static_cast<std::size_t>(i)] = entry->contacts[k];
      s.lambda.segment(space_.tangent(i), space_.dimension) =
          entry->lambda->segment(space_.dimension * static_cast<Eigen::Index>(k), space_.dimension);
    }
    s.a += space_.W * s.lambda;
    return s;
  }

  // The same for every like situation in the plane; in space the direction of slip is another one each time.
  std::optional<Steady> steady() {
    if (space_.dimension == 3) return find_steady();
    const auto [at, is_new] = known_.try_emplace(situation());
    if (is_new) at->second = find_steady();
    return at->second;
  }

  // When the slip of a contact ends.
  double stopping_time(const Steady& s, int i) {
    const ContactMode& mode = s.modes[static_cast<std::size_t>(i)];
    if (mode.letter != Letter::S) return never;
    const double speed = tangent(space_.u, i).dot(mode.direction);
    const double braking = -s.a.segment(space_.tangent(i), space_.dimension - 1).dot(mode.direction);
    return speed > options_.tolerance.velocity && braking > 0 ? speed / braking : never;
  }

  // To the next landing, or to the end of a slip.
  bool follow() {
    const auto s = steady();
    if (!s) return false;
    double dt = never;
    std::vector<double> lands(open_.size(), never), stops(open_.size(), never);
    for (int i = 0; i < space_.count(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const int n = space_.normal(i);
      if (open_[at])
        lands[at] = landing_time(gap_(i), space_.u(n), s->a(n));
      else
        stops[at] = stopping_time(*s, i);
      dt = std::min({dt, lands[at], stops[at]});
    }
    if (dt == never) return false;
    advance(*s, dt);
    for (int i = 0; i < space_.count(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (lands[at] == dt) {
        open_[at] = false;
        gap_(i) = 0;
        lands_ = true;
      }
      if (stops[at] == dt || s->modes[at].letter == Letter::T) tangent(space_.u, i).setZero();
    }
    return true;
  }

  void advance(const Steady& s, double dt) {
    const Eigen::VectorXd mean = space_.u + dt / 2 * s.a;
    sums_.time += dt;
    sums_.Lambda += dt * s.lambda;
    sums_.phases += dt * s.lambda;
    sums_.shift += dt * mean;
    sums_.friction -= dt * s.lambda.dot(mean);
    for (int i = 0; i < space_.count(); ++i) {
      if (open_[static_cast<std::size_t>(i)]) gap_(i) += dt * mean(space_.normal(i));
    }
    space_.u += dt * s.a;
    for (int i = 0; i < space_.count(); ++i)
      if (!open_[static_cast<std::size_t>(i)]) space_.u(space_.normal(i)) = 0;
  }

  // The last round, where it and the two before it were alike.
  std::optional<Round> last_round() const {
    const std::size_t n = marks_.size() - 1;
    for (std::size_t length = 1; length <= longest_round && 3 * length <= n; ++length) {
      const auto here = marks_.end() - static_cast<long>(2 * length);
      if (!std::equal(here, marks_.end(), here - static_cast<long>(length), same_event)) continue;
      const Sums last = marks_[n].sums - marks_[n - length].sums;
      const Sums before = marks_[n - length].sums - marks_[n - 2 * length].sums;
      const Sums first = marks_[n - 2 * length].sums - marks_[n - 3 * length].sums;
      if (!(before.time > 0 && first.time > 0)) continue;
      const double factor = last.time / before.time;
      const bool same = (last.Lambda - factor * before.Lambda).norm() <= alike * last.Lambda.norm() &&
                        (before.Lambda - factor * first.Lambda).norm() <= alike * before.Lambda.norm();
      if (!same) continue;
      Round round{last, factor, {}};
      for (std::size_t k = n - length + 1; k <= n; ++k)
        for (const int i : marks_[k].struck) add_once(i, round.struck);
      return round;
    }
    return std::nullopt;
  }

  // All further rounds at once, unless a contact that takes no part in them lands before they end. Velocities differ
  // from those at the end by parts that shrink by the factor of the rounds, and ways by the square of it.
  void leap(const Round& round) {
    const double linear = round.factor / (1 - round.factor);
    const double square = round.factor * round.factor / (1 - round.factor * round.factor);
    const double time = linear * round.sums.time;
    const Eigen::VectorXd Lambda = linear * round.sums.Lambda;
    Eigen::VectorXd u = space_.u + time * space_.b + space_.W * Lambda;
    for (const int i : round.struck) u(space_.normal(i)) = 0;
    const Eigen::VectorXd steady = round.sums.time * u;
    const Eigen::VectorXd shift = linear * steady + square * (round.sums.shift - steady);
    const auto takes_part = [&](int i) {
      return std::find(round.struck.begin(), round.struck.end(), i) != round.struck.end();
    };
    for (int i = 0; i < space_.count(); ++i)
      if (open_[static_cast<std::size_t>(i)] && !takes_part(i) && gap_(i) + shift(space_.normal(i)) <= 0) return;
    const double steady_friction = -round.sums.phases.dot(u);
    sums_.time += time;
    sums_.Lambda += Lambda;
    sums_.phases += linear * round.sums.phases;
    sums_.shift += shift;
    sums_.friction += linear * steady_friction + square * (round.sums.friction - steady_friction);
    space_.u = u;
    for (int i = 0; i < space_.count(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      open_[at] = open_[at] && !takes_part(i);
      gap_(i) = open_[at] ? gap_(i) + shift(space_.normal(i)) : 0;
      if (!open_[at] && tangent(space_.u, i).norm() <= alike) tangent(space_.u, i).setZero();
    }
    marks_.push_back({sums_, {}, situation()});
    factor_ = round.factor;
  }

  std::optional<ChatterEnd> end() {
    ChatterEnd e;
    if (!stand_still(e)) return std::nullopt;
    e.time = sums_.time * unit_;
    e.u *= unit_;
    e.Lambda = sums_.Lambda * unit_;
    e.shift = sums_.shift * (unit_ * unit_);
    e.friction = sums_.friction * (unit_ * unit_);
    e.factor = factor_;
    e.middle = factor_ ? e.time * *factor_ / (1 + *factor_) : e.time / 2;
    e.struck = struck_;
    return e;
  }

  // The velocities at the end: what the sums leave along the normals, and along the tangents of contacts that come to
  // rest, is rounding and is taken away. False where it is not: then this was no end.
  bool stand_still(ChatterEnd& e) {
    constexpr double rounding = 1e-5;
    e.u = start_.u / unit_ + sums_.time * start_.b + start_.W * sums_.Lambda;
    std::vector<int> held;
    for (int i = 0; i < space_.count(); ++i) {
      const int n = space_.normal(i);
      if (std::abs(e.u(n)) > rounding) return false;
      held.push_back(n);
      const double slip = e.u.segment(space_.tangent(i), space_.dimension - 1).norm();
      if (slip > rounding && slip * unit_ > options_.tolerance.velocity) continue;
      for (int k = space_.tangent(i); k < n; ++k) held.push_back(k);
    }
    const Eigen::MatrixXd W = start_.W(held, held);
    const Eigen::VectorXd u = e.u(held);
    Eigen::VectorXd Lambda = Eigen::VectorXd::Zero(e.u.size());
    const Eigen::VectorXd impulses = W.completeOrthogonalDecomposition().solve(-u);
    Lambda(held) = impulses;
    sums_.Lambda += Lambda;
    e.u += start_.W * Lambda;
    e.u(held).setZero();
    return true;
  }

  const ContactSpace& start_;
  ContactSpace space_;
  ImpactOptions options_;
  double unit_ = 0;  // [m/s]
  std::vector<bool> open_;
  Eigen::VectorXd gap_;
  bool lands_ = false;
  Sums sums_;
  std::vector<Mark> marks_;  // after each impact
  std::optional<double> factor_;
  std::map<std::string, std::optional<Steady>> known_;
  std::vector<int> struck_;
};

}  // namespace

std::optional<ChatterEnd> chatter_end(const ContactSpace& space, const ImpactOptions& impacts) {
  if (!independent_normals(space)) return std::nullopt;
  auto end = Rounds(space, impacts).run();
  return end && end->time > 0 ? end : std::nullopt;
}

}  // namespace painleve

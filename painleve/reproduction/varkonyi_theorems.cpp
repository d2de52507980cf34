// Várkonyi (2018), Theorems 3.1 and 3.4: slip never reaches p = 0, or det P = 0 for several contacts, except where the
// contact is at the verge of liftoff too.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>
#include <numbers>

#include "painleve/base/draws.hpp"
#include "painleve/modes/jam_manifolds.hpp"
#include "painleve/reproduction/items_of_papers.hpp"
#include "painleve/reproduction/varkonyi.hpp"
#include "painleve/scene/simulating.hpp"

namespace painleve {
namespace {

// A rod pressed to the floor and slipping: θ, ω, slip and μ drawn until b_n < 0 < p.
std::optional<Scene> drawn_slip(Draws& draws) {
  SceneSource source = SceneSource::open("rod");
  source.set("mu", draws.uniform(1.35, 2.5));
  source.set("theta", draws.uniform(0.3, 1.4));
  source.set("theta_dot", draws.uniform(-4, 4));
  source.set("slip", draws.uniform(0.2, 15));
  const Scene scene = source.build();
  const double p = scene.space.W(1, 1) - scene.space.mu(0) * scene.space.W(1, 0);
  return scene.space.b(1) < 0 && p > 0 ? std::optional(scene) : std::nullopt;
}

// How the first phase of slip ends: "stick", "liftoff", "jam", "mode" …, and the nearest approach to p = 0.
struct SlipEnd {
  std::string kind;
  double p = 0, b_n = 0;
  std::optional<double> exponent, predicted;  // of the force, at a jam
  std::vector<Point> path;                    // (p, b_n) along the slip
};

SlipEnd end_of_slip(const Scene& scene) {
  SimulateOptions options;
  options.method = SimulationMethod::event;
  options.simulation.t_end = 2;
  options.simulation.samples = 200;
  const Run run = simulate(scene, options);
  SlipEnd end;
  end.kind = "t_end";
  double until = run.t;
  if (!run.events.empty()) {
    const auto named = std::find_if(run.events.begin(), run.events.end(),
                                    [](const SimulationEvent& e) { return e.kind != EventKind::mode; });
    if (named != run.events.end()) {
      end.kind = to_string(named->kind);
      until = named->t;
    }
  }
  for (const Sample& s : run.samples) {
    if (s.t > until) break;
    const ContactSpace space = contact_space(*scene.posed.mechanism, {s.q, s.v, s.t}, {});
    const double p = space.W(1, 1) - scene.space.mu(0) * space.W(1, 0);
    end.path.push_back({p, space.b(1)});
    end.p = p;
    end.b_n = space.b(1);
  }
  if (run.jam) {
    end.kind = run.jam->lifts ? end.kind : "jam";
    end.p = run.jam->p;
    end.b_n = run.jam->b_n;
    end.exponent = run.jam->exponent;
    end.predicted = run.jam->predicted;
  }
  return end;
}

Reproduction theorem_3_1() {
  Reproduction r;
  Draws draws(31);
  std::map<std::string, int> counts;
  long forbidden = 0;
  double nearest = 1e300;
  int near = 0;  // jams whose force grows as predicted
  Plot plot;
  plot.x = {"Painlevé parameter /p/", "1/kg", 0.0, 2.0};
  plot.y = {"free normal acceleration /b/_{/n/}", "m/s²", -12.0, 4.0};
  for (int count = 0; count < 300;) {
    const std::optional<Scene> scene = drawn_slip(draws);
    if (!scene) continue;
    ++count;
    const SlipEnd end = end_of_slip(*scene);
    ++counts[end.kind];
    // p = 0 with b_n < 0 would make λ_n = −b_n/p grow as (t* − t)^{−1} or faster; at a jam b_n vanishes too.
    if (end.kind == "jam" && end.b_n < 0 && !(end.exponent && *end.exponent > -0.99)) ++forbidden;
    if (end.exponent && end.predicted) near += std::abs(*end.exponent - *end.predicted) < 0.02 ? 1 : 0;
    if (end.kind != "jam") nearest = std::min(nearest, end.p);
    if (count > 60) continue;
    const int colour = end.kind == "jam" ? 6 : end.kind == "stick" ? 5 : 3;
    plot.layers.emplace_back(CurveLayer{end.path, Pen{series_colour(colour).faded(0.7), 0.7}});
  }
  std::string list;
  for (const auto& entry : counts) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", entry.second, entry.first);
  r.comparisons = {
      compare_statement("slips that reach p = 0 with b_n < 0", "none", fmt::format("{} of 300", forbidden),
                        forbidden == 0),
      compare_statement("the excluded state", "P = 0 < b", "P = 0 > b", false, "V5"),
  };
  r.features = {
      feature("no slip reaches p = 0 with b_n < 0", "event-driven runs from 300 drawn starts", forbidden == 0, list),
      feature("some slips end in dynamic jam, at p = b_n = 0", "the same runs", counts["jam"] > 0,
              fmt::format("{} jams", counts["jam"])),
      feature("there the force grows as (t* − t)^{α3/α1 − 1}, slower than 1/(t* − t), so that b_n vanishes with p",
              "exponent measured on the approach against the eigenvalues of the G-spot, to 0.02 in nine of ten",
              10 * near >= 9 * counts["jam"], fmt::format("{} of {}", near, counts["jam"])),
      feature("all other slips end at p > 0", "the same runs", nearest > 0, fmt::format("least p {:.2e}", nearest)),
  };
  // The reason: braking per unit of impulse. With K < 0 wherever p = 0 the tangential speed falls as ln p.
  double greatest = -1e300;
  for (int i = 0; i < 2000; ++i) {
    const double mu = draws.uniform(4.0 / 3.0, 4);
    const double tangent = 3 * mu / 2 + (draws.uniform() < 0.5 ? 1 : -1) * std::sqrt(9 * mu * mu / 4 - 4);
    const double theta = std::atan(tangent / 1.0);  // p = 0: tan² θ − 3μ tan θ + 4 = 0 for the uniform rod
    const double sin = std::sin(theta);
    const double cos = std::cos(theta);
    greatest = std::max(greatest, -mu * (1 + 3 * sin * sin) + 3 * sin * cos);
  }
  r.features.push_back(feature("wherever p = 0 friction brakes the slip: K = W_tn − μ W_tt < 0",
                               "closed form of the uniform rod at 2000 drawn μ", greatest < 0,
                               fmt::format("greatest K {:.3f}", greatest)));
  plot.layers.emplace_back(RuleLayer{true, 0});
  plot.layers.emplace_back(RuleLayer{false, 0});
  r.figures.push_back(
      {"Where slips of the rod end",
       "60 drawn starts: ending in dynamic jam (vermilion), in stick (blue), in liftoff or otherwise (green).",
       {plot},
       1,
       420,
       320});
  return r;
}

// n contacts whose slip matrix becomes singular with a null vector of one sign: P = S (I − v wᵀ) with w·v = 1.
struct Approach {
  Eigen::MatrixXd P0, direction;
  Eigen::VectorXd b;
};

Approach drawn_approach(int n, Draws& draws) {
  Approach a;
  Eigen::MatrixXd S(n, n);
  a.direction.resize(n, n);
  a.b.resize(n);
  Eigen::VectorXd v(n);
  for (int i = 0; i < n; ++i) {
    v(i) = draws.uniform(0.5, 2);
    a.b(i) = draws.normal();
    for (int j = 0; j < n; ++j) {
      S(i, j) = draws.normal();
      a.direction(i, j) = draws.normal();
    }
  }
  a.P0 = S * (Eigen::MatrixXd::Identity(n, n) - v * v.transpose() / v.squaredNorm());
  return a;
}

Reproduction theorem_3_4() {
  Reproduction r;
  Draws draws(34);
  double worst = 0;
  double worst_direction = 0;
  long manifolds = 0;
  long jams = 0;
  for (int i = 0; i < 200; ++i) {
    const int n = draws.integer(2, 6);
    const Approach a = drawn_approach(n, draws);
    const JamManifolds m = jam_manifolds(a.P0, a.b);
    manifolds += m.painleve && !m.genot_brogliato ? 1 : 0;
    // Forces by a linear solve on the way; det P λ must tend to the λ̂ of the manifold.
    const double h = 1e-7;
    const Eigen::MatrixXd P = a.P0 + h * a.direction;
    const Eigen::VectorXd scaled = P.determinant() * -P.fullPivLu().solve(a.b);
    worst = std::max(worst, (scaled - m.lambda_hat).norm() / m.lambda_hat.norm());
    const Eigen::VectorXd along = m.null_vector.normalized();
    worst_direction =
        std::max(worst_direction, (m.lambda_hat.normalized() - along * along.dot(m.lambda_hat.normalized())).norm());
    jams += jam_manifolds(a.P0, a.P0 * Eigen::VectorXd::Ones(n)).genot_brogliato ? 1 : 0;
  }
  r.comparisons.push_back(compare_statement("forces on the way to the Painlevé manifold", "grow as 1/det P",
                                            fmt::format("det P λ → λ̂ to {:.0e}", worst), worst < 1e-3));
  r.comparisons.push_back(compare_statement("on the way to the Génot-Brogliato manifold", "one of the forces goes to 0",
                                            "finite limits that depend on the direction", false, "V10"));
  r.features = {
      feature("det P λ tends to −adj(P) b, which is not zero off the Génot-Brogliato manifold",
              "linear solve at h = 1e-7 from 200 drawn points, 2 to 6 contacts", worst < 1e-3 && manifolds == 200,
              fmt::format("relative {:.1e}", worst)),
      feature("the diverging forces have the direction of the null vector of P",
              "singular vectors against the adjugate", worst_direction < 1e-6, fmt::format("{:.1e}", worst_direction)),
      feature("with b in the span of the columns the point is on the Génot-Brogliato manifold", "the same points",
              jams == 200, fmt::format("{} of 200", jams)),
  };
  r.remark =
      "The theorem's last step, that the tangential speed at some contact would change without bound, follows from "
      "1/det P; it is tested for one contact under Theorem 3.1.";
  return r;
}

}  // namespace

std::vector<PublishedItem> varkonyi_theorem_items() {
  return {
      {"varkonyi", "theorem-3.1", "slip of one contact never reaches p = 0 while pressed", {"rod-jam"}, theorem_3_1},
      {"varkonyi", "theorem-3.4", "nor do several contacts reach det P = 0", {}, theorem_3_4}};
}

std::vector<PublishedItem> varkonyi_items() {
  std::vector<PublishedItem> all = varkonyi_slip_items();
  for (const auto& part : {varkonyi_theorem_items(), varkonyi_run_items(), varkonyi_singular_items()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace painleve

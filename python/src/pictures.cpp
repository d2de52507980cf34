#include "pictures.hpp"

#include "painleve/base/error.hpp"
#include "painleve/figure/cone_figure.hpp"
#include "painleve/figure/convergence_figure.hpp"
#include "painleve/figure/impact_paths.hpp"
#include "painleve/figure/map_figure.hpp"
#include "painleve/figure/mechanism_drawing.hpp"
#include "painleve/figure/mode_regions.hpp"
#include "painleve/figure/step_solutions.hpp"
#include "painleve/figure/time_history.hpp"

namespace painleve::python {
namespace {

// Adds a panel that the scene may not have.
template <class Draw>
void add(Figure& figure, Draw&& draw_panel) {
  try {
    figure.panels.emplace_back(draw_panel());
  } catch (const InputError&) {  // nobody drew this mechanism, or the picture is for another kind of contact
  }
}

std::string svg(Figure figure) {
  if (figure.panels.empty()) return {};
  figure.columns = static_cast<int>(figure.panels.size());
  return to_svg(draw(figure));
}

Panel cone_panel(const Scene& scene, int contact, const ConePlotOptions& options = {}) {
  if (scene.space.dimension == 3) return cone_plot(scene, contact, options);
  return cone_plane_plot(scene, contact, options);
}

// The forces of the first consistent mode that presses, stacked over all contacts of the space.
Eigen::VectorXd shown_forces(const Analysis& analysis) {
  const ContactSpace& space = analysis.scene.space;
  for (const ModeEntry& mode : analysis.modes.modes) {
    if (!mode.consistent || !mode.lambda || mode.lambda->isZero(0)) continue;
    Eigen::VectorXd lambda = Eigen::VectorXd::Zero(space.b.size());
    for (std::size_t i = 0; i < analysis.modes.closed.size(); ++i) {
      lambda.segment(space.tangent(analysis.modes.closed[i]), space.dimension) =
          mode.lambda->segment(space.dimension * static_cast<Eigen::Index>(i), space.dimension);
    }
    return lambda;
  }
  return {};
}

}  // namespace

std::string scene_picture(const Scene& scene) {
  Figure figure;
  if (scene.kind == SceneKind::mechanism) add(figure, [&] { return mechanism_panel(scene); });
  if (figure.panels.empty() && scene.kind != SceneKind::drifting_contacts && scene.space.count() > 0)
    add(figure, [&] { return cone_panel(scene, 0); });
  return svg(figure);
}

std::string analysis_picture(const Analysis& analysis) {
  const Scene& scene = analysis.scene;
  Figure figure;
  if (scene.kind == SceneKind::drifting_contacts) return {};
  MechanismDrawing drawing;
  drawing.lambda = shown_forces(analysis);
  if (scene.kind == SceneKind::mechanism) add(figure, [&] { return mechanism_panel(scene, drawing); });
  const auto& closed = analysis.modes.closed;
  if (closed.empty()) return svg(figure);
  if (closed.size() == 1 && scene.space.dimension == 2)
    add(figure, [&]() -> Panel { return mode_regions_plot(scene, closed.front()); });
  else
    add(figure, [&] { return cone_panel(scene, closed.front()); });
  return svg(figure);
}

std::string solve_picture(const SolveReport& report) {
  Figure figure;
  const FormulationKind kind = report.options.formulation;
  if (kind == FormulationKind::acceleration) {
    if (report.formulation.contacts.size() == 1 && report.scene.space.dimension == 2)
      add(figure, [&]() -> Panel { return mode_regions_plot(report.scene, report.formulation.contacts.front()); });
  } else if (!report.options.step.with_drift && report.options.step.form == StepForm::stewart_trinkle) {
    const double dt = kind == FormulationKind::step ? report.options.step.dt : 0;
    add(figure, [&]() -> Panel { return step_solutions_plot(report.scene, dt); });
  }
  return svg(figure);
}

std::string impact_picture(const ImpactRun& run) {
  Figure figure;
  const ContactSpace& space = run.scene.space;
  if (!run.report.happened || run.contact < 0 || space.dimension != 2) return {};
  const BounceLaw& law = run.impact.laws[static_cast<std::size_t>(run.contact)];  // the scene's, or the one asked for
  const ImpactStart start{space.u(space.tangent(run.contact)), space.u(space.normal(run.contact))};
  add(figure, [&]() -> Panel { return impact_path_plot(planar_contact(space, run.contact), law, {start}); });
  return svg(figure);
}

std::string cone_picture(const Scene& scene, int contact, double mu) {
  Figure figure;
  ConePlotOptions options;
  options.mu = mu;
  add(figure, [&] { return cone_panel(scene, contact, options); });
  return svg(figure);
}

std::string run_picture(const Scene& scene, const Run& run) {
  try {
    TimeHistory history;
    if (scene.laws.size() == run.contacts.size() && run.dimension > 1) history.laws = scene.laws;
    return to_svg(draw(time_history(run, history)));
  } catch (const InputError&) {  // no samples
    return {};
  }
}

std::string map_picture(const Map& map, const std::vector<Boundary>& boundaries) {
  return to_svg(draw(map_figure(map, boundaries)));
}

std::string converge_picture(const ConvergeProblem& problem, const ConvergeReport& report) {
  return to_svg(draw(convergence_figure(problem, report)));
}

}  // namespace painleve::python

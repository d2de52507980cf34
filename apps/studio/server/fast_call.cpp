// The fast dynamics of one planar contact with a spring and a damper in the place of its rigid surface.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "api.hpp"
#include "drawing_json.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/figure/phase_portrait.hpp"
#include "request.hpp"

namespace painleve::studio {
namespace {

constexpr double farthest = 1e30;  // [m], [m/s] beyond which the force of a stiff spring is no number

int contact_index(const Scene& scene, const Json& request) {
  if (scene.kind == SceneKind::drifting_contacts || scene.space.dimension != 2) {
    throw InputError(
        "the phase portrait is drawn for one contact in the plane: a rod, a block, a two-link arm, or a contact-space "
        "of "
        "dimension 2");
  }
  const int count = scene.space.count();
  if (count == 0) throw InputError("this scene has no contact");
  int index = 0;
  if (request.contains("contact") && request["contact"].is_string()) {
    const auto& names = scene.space.names;
    const auto name = request["contact"].get<std::string>();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw InputError(unknown_name("contact", name, names));
    index = static_cast<int>(found - names.begin());
  } else {
    index = whole(request, "contact", 0, 0, count - 1);
  }
  if (scene.space.bilateral[static_cast<std::size_t>(index)])
    throw InputError("the phase portrait is that of a contact that cannot pull; this one is bilateral");
  return index;
}

FastPortrait portrait_of(const Json& request) {
  const Scene scene = built_scene(request);
  const int contact = contact_index(scene, request);
  const ContactLaw& law = scene.laws[static_cast<std::size_t>(contact)];
  const double k = number(request, "stiffness", law.stiffness.value_or(1), 1e-9, 1e15);
  const double c = number(request, "damping", law.damping.value_or(std::sqrt(k)), 0, 1e15);
  return fast_portrait(planar_contact(scene.space, contact), k, c);
}

// What is shown of it; a contact of extreme numbers has equilibria where no number reaches.
Window shown_window(const FastPortrait& portrait) {
  const Window w = window(portrait);
  for (const double end : {w.y_from, w.y_to, w.v_from, w.v_to})
    if (!std::isfinite(end)) throw InputError("the fast dynamics of this contact has no finite scale");
  return w;
}

Json window_json(const Window& w) {
  return {{"y_from", w.y_from}, {"y_to", w.y_to}, {"v_from", w.v_from}, {"v_to", w.v_to}};
}

void read_window(const Json& request, FastPortrait& portrait) {
  if (!request.contains("window") || request["window"].is_null()) return;
  const Json& w = request["window"];
  if (!w.is_object()) throw InputError("'window' must be an object with y_from, y_to, v_from and v_to");
  refuse_others(w, {"y_from", "y_to", "v_from", "v_to"});
  portrait.y_from = number(w, "y_from", -farthest, farthest);
  portrait.y_to = number(w, "y_to", -farthest, farthest);
  portrait.v_from = number(w, "v_from", -farthest, farthest);
  portrait.v_to = number(w, "v_to", -farthest, farthest);
}

// Arrows on an even grid, of length 1 in units of the window; none where the state rests.
Json field_json(const FastPortrait& portrait, const Window& w) {
  constexpr int columns = 21, rows = 15;
  const double width = w.y_to - w.y_from, height = w.v_to - w.v_from;
  Json field = Json::array();
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const Point at{w.y_from + width * (c + 0.5) / columns, w.v_from + height * (r + 0.5) / rows};
      const Point rate = portrait.field(at);
      const double length = std::hypot(rate[0] / width, rate[1] / height);
      if (!(length > 0) || !std::isfinite(length)) continue;
      field.push_back({{"at", at}, {"direction", Point{rate[0] / width / length, rate[1] / height / length}}});
    }
  }
  return field;
}

// The piece that holds the force of a state.
std::size_t piece_of(const FastPortrait& portrait, double force) {
  std::size_t i = portrait.pieces.size() - 1;
  while (i > 0 && force < portrait.pieces[i].from) --i;
  return i;
}

// Flight that is drawn away, or drifts away, never touches again: gap and speed only grow.
bool breaks(const FastPortrait& portrait, Point at) {
  const double b = portrait.pieces[0].b;
  return portrait.force(at) == 0 && at[1] >= 0 && (b > 0 || (b == 0 && at[1] > 0));
}

// In the last piece, with P ≤ 0 and both v < 0 and v' ≤ 0: the force grows, which keeps all of this so.
bool runs_away(const FastPortrait& portrait, Point at) {
  const ForcePiece& last = portrait.pieces.back();
  const double f = portrait.force(at);
  return f > 0 && f >= last.from && last.P <= 0 && at[1] < 0 && last.b + last.P * f <= 0;
}

// Within an ellipse about a stable equilibrium, V = v² + P k (y − y*)² ≤ const, that lies in one piece: V falls there
// as −2 P ν v², so with a damper nothing leaves and all comes to rest.
bool settles(const FastPortrait& portrait, Point at) {
  if (!(portrait.damping > 0)) return false;
  const std::size_t i = piece_of(portrait, portrait.force(at));
  const ForcePiece& piece = portrait.pieces[i];
  const double rest = -piece.b / piece.P;  // force at the equilibrium
  if (!(piece.P > 0) || !(rest > 0)) return false;
  const double end =
      i + 1 < portrait.pieces.size() ? portrait.pieces[i + 1].from : std::numeric_limits<double>::infinity();
  const double k = portrait.stiffness, aside = at[0] + rest / k;
  const double V = at[1] * at[1] + piece.P * k * aside * aside;
  const double swing = std::sqrt(V * (k / piece.P + portrait.damping * portrait.damping));
  return swing < std::min(rest - piece.from, end - rest);
}

const char* decided(const FastPortrait& portrait, const std::vector<Point>& points) {
  for (const Point& at : points) {
    if (breaks(portrait, at)) return "contact breaks";
    if (runs_away(portrait, at)) return "force grows without bound";
    if (settles(portrait, at)) return "comes to rest";
  }
  return nullptr;
}

// Followed beyond the window, in ever larger ones, until one of the three is certain.
const char* fate(FastPortrait portrait, const std::vector<Point>& points) {
  const char* known = decided(portrait, points);
  Point last = points.back();
  constexpr int most = 12;
  for (int k = 0; k < most && known == nullptr; ++k) {
    const Window w = window(portrait);
    const double y = std::max({-w.y_from, w.y_to, 1.5 * std::abs(last[0])});
    const double v = std::max({-w.v_from, w.v_to, 1.5 * std::abs(last[1])});
    portrait.y_from = -y;
    portrait.y_to = y;
    portrait.v_from = -v;
    portrait.v_to = v;
    const auto further = trajectory(portrait, last, true);
    if (further.size() < 2) break;
    known = decided(portrait, further);
    last = further.back();
  }
  return known == nullptr ? "goes on" : known;
}

}  // namespace

Json fast_dynamics(const Json& request) {
  refuse_others(request, {"scene", "contact", "stiffness", "damping"});
  const FastPortrait portrait = portrait_of(request);
  const Window w = shown_window(portrait);
  Json reply = {{"plot", to_json(fast_portrait_plot(portrait))},
                {"window", window_json(w)},
                {"equilibria", Json::array()},
                {"separatrices", Json::array()},
                {"field", field_json(portrait, w)}};
  for (const Equilibrium& e : equilibria(portrait))
    reply["equilibria"].push_back(
        {{"at", e.at}, {"saddle", e.saddle}, {"mode", portrait.pieces[static_cast<std::size_t>(e.piece)].name}});
  for (const Separatrix& s : separatrices(portrait))
    reply["separatrices"].push_back({{"points", s.points}, {"unstable", s.unstable}});
  return reply;
}

Json fast_trajectory(const Json& request) {
  refuse_others(request, {"scene", "contact", "stiffness", "damping", "start", "window"});
  FastPortrait portrait = portrait_of(request);
  read_window(request, portrait);
  const std::vector<double> start = numbers(request, "start", 2);
  const Point from{start[0], start[1]};
  if (std::abs(from[0]) > farthest || std::abs(from[1]) > farthest)
    throw InputError(fmt::format("'start' must lie within {} of 0", farthest));
  shown_window(portrait);
  const std::vector<Point> points = trajectory(portrait, from, true);
  std::vector<double> force;
  force.reserve(points.size());
  for (const Point& at : points) force.push_back(portrait.force(at));
  return {{"points", points},
          {"past", trajectory(portrait, from, false)},
          {"force", force},
          {"fate", fate(portrait, points)}};
}

}  // namespace painleve::studio

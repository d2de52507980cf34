// The calls that are answered at once, by the last part of their address.
#include "api.hpp"
#include "request.hpp"

namespace painleve::studio {

std::map<std::string, QuickCall> quick_calls(const StartScene& start) {
  std::map<std::string, QuickCall> calls;
  calls["hello"] = [start](const Json& request) {
    refuse_others(request, {});
    return hello(start);
  };
  calls["scene"] = describe_scene;
  calls["analyze"] = analyze_scene;
  calls["drag"] = drag_scene;
  calls["solve"] = solve_scene;
  calls["fast"] = fast_dynamics;
  calls["fast_trajectory"] = fast_trajectory;
  return calls;
}

}  // namespace painleve::studio

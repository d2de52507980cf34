// The reply to `analyze`, for the calls that contain one.
#pragma once

#include "api.hpp"

namespace painleve::studio {

// {"analysis", "drawing", "cones"}
Json analysis_reply(const Scene& scene);

}  // namespace painleve::studio

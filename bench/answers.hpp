// What our answers are, beside how long they take: of every timed row of ours a hash over all numbers of the answers,
// the work that was done, the worst residual and the share solved. A hash that differs from that of an earlier run says
// that an answer changed, if only in its last digit.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace painleve {

// Name of the row → {"hash", "solved", "residual", "work": {…}}; the last three where they make sense. Rows whose name
// does not contain `part` are left out.
nlohmann::json answers(const std::string& part = "");

}  // namespace painleve

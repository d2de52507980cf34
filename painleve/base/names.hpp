#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace painleve {

/// The text in quotes for a message: control characters become '?', and long text is cut with an ellipsis.
std::string in_quotes(std::string_view text);

/// The known name that `wanted` most likely stands for, or "" when none is close. Case, '-' and '_' do not count; a
/// swap of neighbours is one edit; one edit is allowed per three letters, and at most three; a beginning of a name
/// counts as close. Of equally close names the first is returned.
std::string nearest_name(std::string_view wanted, const std::vector<std::string>& known);

/// The sentence for a name that is not among the known ones: `unknown mechanism 'rdo'; did you mean 'rod'?`, or with
/// the list of the known names when none is close. `kind` is the noun, here "mechanism".
std::string unknown_name(std::string_view kind, std::string_view wanted, const std::vector<std::string>& known);

}  // namespace painleve

// Reading the JSON of a request: every member is checked, and a wrong one is named with what is allowed.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "api.hpp"

namespace painleve::studio {

// Text as JSON: an object, nested at most `most_depth` deep, numbers finite. Throws InputError.
Json parse_request(const std::string& body, int most_depth = 16);

// Throws InputError for a member that is not in the list, with the nearest one.
void refuse_others(const Json& request, std::initializer_list<const char*> known);

double number(const Json& request, const char* key, double fallback, double least, double most);
double number(const Json& request, const char* key, double least, double most);  // must be there
int whole(const Json& request, const char* key, int fallback, int least, int most);
bool flag(const Json& request, const char* key, bool fallback);
std::string word(const Json& request, const char* key, const std::string& fallback);
std::string word(const Json& request, const char* key);  // must be there
std::vector<double> numbers(const Json& request, const char* key, std::size_t count);

}  // namespace painleve::studio

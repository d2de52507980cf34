// The built page, held by the program itself. The definition is written from web/dist by embed_page.cmake.
#pragma once

#include <vector>

#include "http_server.hpp"

namespace painleve::studio {

const std::vector<StaticFile>& page_files();

}  // namespace painleve::studio

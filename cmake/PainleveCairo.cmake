# painleve::cairo, which draws PNG and PDF. Cairo ships no CMake package.

if(NOT TARGET painleve::cairo)
  find_path(PAINLEVE_CAIRO_INCLUDE_DIR cairo.h PATH_SUFFIXES cairo)
  find_library(PAINLEVE_CAIRO_LIBRARY NAMES cairo)
  if(NOT PAINLEVE_CAIRO_INCLUDE_DIR OR NOT PAINLEVE_CAIRO_LIBRARY)
    message(FATAL_ERROR "Cairo not found; on Debian: apt-get install libcairo2-dev")
  endif()
  mark_as_advanced(PAINLEVE_CAIRO_INCLUDE_DIR PAINLEVE_CAIRO_LIBRARY)
  add_library(painleve::cairo INTERFACE IMPORTED GLOBAL)
  target_include_directories(painleve::cairo SYSTEM INTERFACE ${PAINLEVE_CAIRO_INCLUDE_DIR})
  target_link_libraries(painleve::cairo INTERFACE ${PAINLEVE_CAIRO_LIBRARY})
endif()

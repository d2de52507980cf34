# painleve_build_identity(TARGET): gives TARGET a source that knows which build this is: a hash of all sources of the
# library, of the compiler and of its flags. What a build left half done, another one does not go on with.
#
# As a script (cmake -P) it writes that source; it runs when one of the sources has changed.

if(CMAKE_SCRIPT_MODE_FILE)
  file(STRINGS ${LIST} sources)
  set(text "${COMPILER}")
  foreach(source IN LISTS sources)
    file(SHA256 ${FOLDER}/${source} hash)
    string(APPEND text "\n${source} ${hash}")
  endforeach()
  string(SHA256 hash "${text}")
  string(SUBSTRING ${hash} 0 16 identity)
  file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[// Written by cmake/PainleveBuildIdentity.cmake.
#include "painleve/study/build_identity.hpp"

namespace painleve {

std::uint64_t build_identity() { return 0x@identity@U; }

}  // namespace painleve
]] @ONLY)
  return()
endif()

function(painleve_build_identity target)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/painleve/*.[ch]pp)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(SORT sources)
  list(JOIN sources "\n" lines)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/sources.txt)
  file(CONFIGURE OUTPUT ${list} CONTENT "${lines}\n")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_SYSTEM_PROCESSOR} ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} ${PAINLEVE_SANITIZE}")
  set(output ${CMAKE_CURRENT_BINARY_DIR}/build_identity.cpp)
  list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
  set(script ${PROJECT_SOURCE_DIR}/cmake/PainleveBuildIdentity.cmake)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D LIST=${list} -D FOLDER=${PROJECT_SOURCE_DIR} -D OUTPUT=${output} -D "COMPILER=${compiler}" -P ${script}
    DEPENDS ${paths} ${list} ${script}
    COMMENT "Hashing the sources"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

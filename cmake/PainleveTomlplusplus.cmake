# painleve_tomlplusplus: toml++ used header-only. The package's own CMake target selects its shared library, which
# would follow every program that links to painleve; the one source file that reads TOML compiles the parser instead.

find_path(PAINLEVE_TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h)
if(NOT PAINLEVE_TOMLPLUSPLUS_INCLUDE_DIR)
  message(FATAL_ERROR "toml++/toml.h not found; on Debian: apt-get install libtomlplusplus-dev")
endif()
mark_as_advanced(PAINLEVE_TOMLPLUSPLUS_INCLUDE_DIR)

add_library(painleve_tomlplusplus INTERFACE)
target_include_directories(painleve_tomlplusplus SYSTEM INTERFACE ${PAINLEVE_TOMLPLUSPLUS_INCLUDE_DIR})
# Its assertions are about its own texts of errors, and stop builds with assertions where others refuse a file.
target_compile_definitions(painleve_tomlplusplus INTERFACE TOML_HEADER_ONLY=1)
target_compile_options(painleve_tomlplusplus INTERFACE "$<$<CONFIG:Debug>:-DTOML_ASSERT(x)=(void)0>")

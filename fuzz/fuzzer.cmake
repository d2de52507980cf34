# The program painleve-fuzz: libFuzzer with all targets.
#
#   cmake -S fuzz -B build/fuzz -D CMAKE_CXX_COMPILER=clang++ -D PAINLEVE_LIBRARIES=build/release
#
# Instrumented objects come first on the link line; what they do not define is taken from the archives of the release
# build, which must be of the same sources.
set(PAINLEVE_LIBRARIES "" CACHE PATH "Folder of a release build, with its libraries")
set(root ${CMAKE_CURRENT_SOURCE_DIR}/..)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
list(APPEND CMAKE_MODULE_PATH ${root}/cmake)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "libFuzzer comes with clang: configure with -D CMAKE_CXX_COMPILER=clang++")
endif()

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(Threads REQUIRED)
include(PainleveTomlplusplus)
include(PainleveHdf5)
include(PainleveCairo)
include(PainleveTinyxml2)
include(instrumented.cmake)
include(targets.cmake)

file(GLOB_RECURSE archives CONFIGURE_DEPENDS ${PAINLEVE_LIBRARIES}/libpainleve_*.a)
if(NOT archives)
  message(FATAL_ERROR "no libpainleve_*.a below '${PAINLEVE_LIBRARIES}': build the release preset first (scripts/build)")
endif()

# -O1 is fast to compile and fast enough to run. Assertions stay on: those of Eigen find indices that lie outside.
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -gline-tables-only")
# The corpus must not depend on which build wrote it: numbers are those of the release build.
add_compile_options(-ffp-contract=off)
set(sanitizers address,undefined,float-cast-overflow)
add_compile_options(-fsanitize=fuzzer-no-link,${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
# An archive's object may hold several sources (PAINLEVE_UNITY), of which some are here instrumented: the first counts.
add_link_options(-fsanitize=fuzzer,${sanitizers} -Wl,--allow-multiple-definition)

add_executable(painleve_fuzz ${instrumented} ${target_sources} fuzzer_main.cpp)
set_target_properties(painleve_fuzz PROPERTIES OUTPUT_NAME painleve-fuzz UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
target_include_directories(painleve_fuzz PRIVATE ${root} ${CMAKE_CURRENT_SOURCE_DIR} ${root}/apps/studio/server)
target_compile_definitions(painleve_fuzz PRIVATE PAINLEVE_VERSION="fuzz")
target_precompile_headers(painleve_fuzz PRIVATE gcc_layout.hpp <fmt/format.h> <Eigen/Dense> <nlohmann/json.hpp> <filesystem>
                          <functional> <map> <optional> <set>)
target_link_libraries(painleve_fuzz PRIVATE -Wl,--start-group ${archives} -Wl,--end-group Eigen3::Eigen fmt::fmt
  nlohmann_json::nlohmann_json CLI11::CLI11 Boost::headers painleve_tomlplusplus painleve::hdf5 painleve::cairo
  Threads::Threads ${CMAKE_DL_LIBS})
if(TARGET painleve::tinyxml2)
  target_sources(painleve_fuzz PRIVATE ${robot_program} ${robot_target_sources})
  target_include_directories(painleve_fuzz PRIVATE ${root}/apps/robot)
  target_compile_definitions(painleve_fuzz PRIVATE PAINLEVE_FUZZ_ROBOT_FILES)
  target_link_libraries(painleve_fuzz PRIVATE painleve::tinyxml2)
endif()

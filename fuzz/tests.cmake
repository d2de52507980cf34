# The corpus as a test of this build, whatever its compiler and its sanitizers, and the drawn problems.
include(targets.cmake)
include(instrumented.cmake)

# The command line, the studio and the reader of robot files are part of what is fuzzed.
if(PAINLEVE_BUILD_TESTS AND TARGET painleve_program)
  add_executable(painleve_fuzz_tests corpus_test.cpp ${target_sources})
  target_include_directories(painleve_fuzz_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(painleve_fuzz_tests PRIVATE painleve_program painleve_studio painleve::painleve
                                                    nlohmann_json::nlohmann_json fmt::fmt Threads::Threads)
  if(TARGET painleve::tinyxml2)
    target_sources(painleve_fuzz_tests PRIVATE ${robot_program} ${robot_target_sources})
    target_include_directories(painleve_fuzz_tests PRIVATE ${PROJECT_SOURCE_DIR}/apps/robot)
    target_compile_definitions(painleve_fuzz_tests PRIVATE PAINLEVE_FUZZ_ROBOT_FILES)
    target_link_libraries(painleve_fuzz_tests PRIVATE painleve::tinyxml2)
  endif()
  painleve_tests_read_sources(painleve_fuzz_tests)
  painleve_gtest_program(painleve_fuzz_tests fuzz)
endif()

# Routes to the same answer, compared on drawn problems. RapidCheck shrinks what fails.
if(PAINLEVE_BUILD_TESTS AND TARGET rapidcheck_gtest)
  add_executable(
    painleve_differential_tests differential/brute_force.cpp differential/contacts_differential_test.cpp
                                differential/impact_differential_test.cpp differential/routes_differential_test.cpp)
  target_include_directories(painleve_differential_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/differential)
  target_link_libraries(painleve_differential_tests PRIVATE painleve::painleve nlohmann_json::nlohmann_json)
  painleve_gtest_program(painleve_differential_tests differential)
endif()

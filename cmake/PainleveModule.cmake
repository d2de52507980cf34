# One call per module folder:
#
#   painleve_module(
#     cone
#     SOURCES friction_cone.cpp            # none: the module is header-only
#     HEADERS friction_cone.hpp            # with detail/ headers that a public header includes
#     DEPENDS contact                      # other modules, by folder name
#     LINK Eigen3::Eigen                   # external targets that the headers show
#     LINK_PRIVATE fmt::fmt                # external targets that only the sources use
#     ALONE friction_cone.cpp              # sources that PAINLEVE_UNITY leaves alone: their local names are a neighbour's too
#     TESTS friction_cone_test.cpp)        # one program painleve_cone_tests, label "cone"
#
# gives the target painleve_cone, alias painleve::cone, installed and exported.

include(GoogleTest)

# Links a test program of this project and registers its tests under the names LABEL.Suite.Case. Further arguments are
# properties of the tests.
function(painleve_gtest_program target label)
  target_link_libraries(${target} PRIVATE painleve_compile_options GTest::gtest GTest::gtest_main)
  painleve_compile_together(${target})
  if(TARGET rapidcheck_gtest)
    target_link_libraries(${target} PRIVATE rapidcheck_gtest)
  endif()
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  gtest_discover_tests(
    ${target}
    TEST_PREFIX ${label}.
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${label} ${ARGN})
endfunction()

# With PAINLEVE_UNITY several sources are compiled as one, which reads their headers and instantiates Eigen once. Test
# files have a namespace each for that.
function(painleve_compile_together target)
  if(PAINLEVE_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    # What is local to a source looks to gcc as if a header had it.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# Links private external targets. A header-only one leaves no trace in the installed package, so that those who use
# the package need not have it.
function(painleve_link_private target)
  foreach(dependency IN LISTS ARGN)
    set(header_only FALSE)
    if(TARGET ${dependency})
      get_target_property(type ${dependency} TYPE)
      get_target_property(libraries ${dependency} INTERFACE_LINK_LIBRARIES)
      if(type STREQUAL "INTERFACE_LIBRARY" AND NOT libraries)
        set(header_only TRUE)
      endif()
    endif()
    if(header_only)
      target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${dependency}>)
    else()
      target_link_libraries(${target} PRIVATE ${dependency})
    endif()
  endforeach()
endfunction()

# For tests that read files of the source tree. Others do without, so that a compiler cache knows them in another folder.
function(painleve_tests_read_sources target)
  if(TARGET ${target})
    target_compile_definitions(${target} PRIVATE PAINLEVE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  endif()
endfunction()

function(painleve_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;HEADERS;DEPENDS;LINK;LINK_PRIVATE;ALONE;TESTS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "painleve_module(${name}): cannot use '${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}'")
  endif()

  set(target painleve_${name})
  if(arg_SOURCES)
    add_library(${target} ${arg_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:painleve_compile_options>)
    painleve_link_private(${target} ${arg_LINK_PRIVATE})
    set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    painleve_compile_together(${target})
    set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(painleve::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM arg_DEPENDS PREPEND painleve::)
  target_link_libraries(${target} ${scope} ${arg_DEPENDS} ${arg_LINK})
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_HEADERS})

  install(
    TARGETS ${target}
    EXPORT painleveTargets
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  set_property(GLOBAL APPEND PROPERTY PAINLEVE_MODULES ${target})

  if(PAINLEVE_BUILD_TESTS AND arg_TESTS)
    add_executable(${target}_tests ${arg_TESTS})
    target_link_libraries(${target}_tests PRIVATE painleve::${name})
    painleve_gtest_program(${target}_tests ${name})
    set_property(GLOBAL APPEND PROPERTY PAINLEVE_UNIT_TESTS ${target}_tests)
  endif()
endfunction()

# painleve::painleve, all modules declared so far.
function(painleve_umbrella)
  add_library(painleve_umbrella INTERFACE)
  add_library(painleve::painleve ALIAS painleve_umbrella)
  set_target_properties(painleve_umbrella PROPERTIES EXPORT_NAME painleve)
  get_property(modules GLOBAL PROPERTY PAINLEVE_MODULES)
  list(TRANSFORM modules REPLACE "^painleve_" "painleve::")
  target_link_libraries(painleve_umbrella INTERFACE ${modules})
  install(TARGETS painleve_umbrella EXPORT painleveTargets)
endfunction()

# The files with which find_package(painleve) works from an install prefix.
function(painleve_install_package)
  include(CMakePackageConfigHelpers)
  set(destination ${CMAKE_INSTALL_LIBDIR}/cmake/painleve)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/painleveConfig.cmake.in
                                ${PROJECT_BINARY_DIR}/painleveConfig.cmake INSTALL_DESTINATION ${destination})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/painleveConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(
    EXPORT painleveTargets
    NAMESPACE painleve::
    DESTINATION ${destination})
  install(FILES ${PROJECT_BINARY_DIR}/painleveConfig.cmake ${PROJECT_BINARY_DIR}/painleveConfigVersion.cmake
                ${PROJECT_SOURCE_DIR}/cmake/PainleveHdf5.cmake ${PROJECT_SOURCE_DIR}/cmake/PainleveCairo.cmake
          DESTINATION ${destination})
endfunction()

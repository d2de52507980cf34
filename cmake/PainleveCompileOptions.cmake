# painleve_compile_options: what every target of this project is compiled with, and nobody who links to it.

foreach(flag IN ITEMS -march=native -ffast-math -Ofast -funsafe-math-optimizations)
  foreach(flags IN ITEMS CMAKE_CXX_FLAGS CMAKE_CXX_FLAGS_${CMAKE_BUILD_TYPE})
    string(TOUPPER "${flags}" flags)
    if(" ${${flags}} " MATCHES " ${flag} ")
      message(FATAL_ERROR "${flags} contains ${flag}: Painlevé promises the same digits on every machine; remove the flag.")
    endif()
  endforeach()
endforeach()

add_library(painleve_compile_options INTERFACE)
target_compile_options(
  painleve_compile_options
  INTERFACE -ffp-contract=off
            -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
            -Wall
            -Wextra
            -Wpedantic
            # Of sources compiled as one, clang also sees a local name that is a constant of another source.
            $<$<NOT:$<AND:$<CXX_COMPILER_ID:Clang>,$<BOOL:${PAINLEVE_UNITY}>>>:-Wshadow>
            -Wconversion
            $<$<BOOL:${PAINLEVE_WERROR}>:-Werror>
            # GoogleTest's macros leave the variadic part empty, which C++20 allows and clang 14 still reports.
            $<$<CXX_COMPILER_ID:Clang>:-Wno-gnu-zero-variadic-macro-arguments>
            # Part of clang's -Wconversion but not of gcc's: indices are int here, as in Eigen.
            $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>)

set(painleve_instrumentation "")
if(PAINLEVE_SANITIZE)
  list(APPEND painleve_instrumentation -fsanitize=${PAINLEVE_SANITIZE} -fno-omit-frame-pointer)
  if(PAINLEVE_SANITIZE MATCHES "thread")
    # Fences, which asio's headers use, are seen by gcc's thread sanitizer only in part.
    target_compile_options(painleve_compile_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
  endif()
  if(PAINLEVE_SANITIZE MATCHES "undefined")
    list(APPEND painleve_instrumentation -fno-sanitize-recover=undefined)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      target_compile_options(painleve_compile_options INTERFACE -fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizers_ignored.txt)
    endif()
  endif()
  # The instrumented code of Eigen's fixed-size loops sets off false reports of gcc's flow analysis.
  target_compile_options(painleve_compile_options
                         INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-array-bounds>)
endif()
if(PAINLEVE_COVERAGE)
  list(APPEND painleve_instrumentation --coverage)
endif()
target_compile_options(painleve_compile_options INTERFACE ${painleve_instrumentation})
target_link_options(painleve_compile_options INTERFACE ${painleve_instrumentation})

# Installs BUILD into SCRATCH/prefix, then configures, builds and runs the consumer project against it.
# cmake -D build=... -D source=... -D scratch=... -D generator=... -D compiler=... -D flags=... -D build_type=... -P run.cmake

function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed (${status}): ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${scratch})
step(${CMAKE_COMMAND} --install ${build} --prefix ${scratch}/prefix)

# A header that needs one that was not installed fails to compile here.
file(GLOB_RECURSE headers RELATIVE ${scratch}/prefix/include ${scratch}/prefix/include/*.hpp)
list(TRANSFORM headers REPLACE "(.+)" "#include \"\\1\"")
list(JOIN headers "\n" includes)
file(WRITE ${scratch}/all_headers.cpp "${includes}\n")

step(
  ${CMAKE_COMMAND}
  -S
  ${source}
  -B
  ${scratch}/build
  -G
  ${generator}
  -D
  CMAKE_PREFIX_PATH=${scratch}/prefix
  -D
  CMAKE_CXX_COMPILER=${compiler}
  -D
  "CMAKE_CXX_FLAGS=${flags}"
  -D
  "CMAKE_C_FLAGS=${flags}"
  -D
  CMAKE_BUILD_TYPE=${build_type}
  -D
  all_headers=${scratch}/all_headers.cpp)
step(${CMAKE_COMMAND} --build ${scratch}/build)
step(${scratch}/build/consumer)
if(NOT output MATCHES "mu = 1.5: inconsistent")
  message(FATAL_ERROR "the consumer ran but printed:\n${output}")
endif()
step(${scratch}/build/consumer_c)
if(NOT output MATCHES "in C: inconsistent, mu_jam 1.3472")
  message(FATAL_ERROR "the consumer in C ran but printed:\n${output}")
endif()

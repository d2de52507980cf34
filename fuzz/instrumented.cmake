# What is compiled with clang's sanitizers and counters of coverage: the sources that read a user's bytes. Everything
# else of the program, its numerics above all, is taken as the release build has it: instrumenting it would take several
# times as long to compile and steer the fuzzer into arithmetic. The corpus runs through all of it under the sanitizers
# of the asan preset.

# painleve_sources(RESULT FOLDER NAME...): the named sources of a folder, without names all but the tests.
function(painleve_sources result folder)
  set(root ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..)
  set(found ${ARGN})
  list(TRANSFORM found REPLACE "(.+)" "${root}/${folder}/\\1.cpp")
  if(NOT ARGN)
    file(GLOB found CONFIGURE_DEPENDS ${root}/${folder}/*.cpp)
    list(FILTER found EXCLUDE REGEX "_test\\.cpp$")
  endif()
  set(${result} ${${result}} ${found} PARENT_SCOPE)
endfunction()

set(instrumented "")
painleve_sources(instrumented painleve/base expression names quantity replaced_file unit)
painleve_sources(instrumented painleve/c painleve small_checks small_problem small_solutions)
painleve_sources(instrumented painleve/contact contact_law drifting_contacts)
painleve_sources(instrumented painleve/engines adapter_protocol)
painleve_sources(instrumented painleve/mechanism gallery)
painleve_sources(instrumented painleve/robot robot_contacts robot_model_json)
painleve_sources(instrumented painleve/scene contact_space_json hdf5_file json_numbers mechanism_scene raw_scene robot_scene
                 scene scene_sections toml_reader vocabulary)
painleve_sources(instrumented painleve/study map_assembly map_blocks map_checkpoint map_file map_file_hdf5 map_file_read
                 quantity)
painleve_sources(instrumented apps/studio/server access http_connection http_line http_server jobs long_calls map_job request
                 scene_request scene_values scene_variables studio)
painleve_sources(instrumented apps/cli analyze map program solve)

# The reader of robot files is a program of its own; here its part before MuJoCo is called.
set(robot_program "")
painleve_sources(robot_program apps/robot default_classes mjcf_meshes prepared_robot robot_xml urdf_conversion urdf_links)

# What is compiled with clang's sanitizers and counters of coverage: the sources that read a user's bytes. Everything
# else of the program, its numerics above all, is taken as the release build has it: instrumenting it would take several
# times as long to compile and steer the fuzzer into arithmetic. The corpus runs through all of it under the sanitizers
# of the asan preset.

# painleve_sources(RESULT FOLDER NAME...): the named sources of a folder, without names all but the tests. Those of a
# folder are compiled as one, which reads heavy headers and instantiates their templates once, unless their local names
# clash (`alone`, below).
function(painleve_sources result folder)
  set(root ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..)
  set(found ${ARGN})
  list(TRANSFORM found REPLACE "(.+)" "${root}/${folder}/\\1.cpp")
  if(NOT ARGN)
    file(GLOB found CONFIGURE_DEPENDS ${root}/${folder}/*.cpp)
    list(FILTER found EXCLUDE REGEX "_test\\.cpp$")
  endif()
  string(MAKE_C_IDENTIFIER ${folder} group)
  set_source_files_properties(${found} PROPERTIES UNITY_GROUP ${group})
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
                 scene scene_sections toml_reader toml_writer vocabulary)
painleve_sources(instrumented painleve/study map_assembly map_blocks map_checkpoint map_file map_file_hdf5 map_file_read
                 quantity)
painleve_sources(instrumented apps/studio/server access http_connection http_line http_server jobs long_calls map_job request
                 scene_request scene_values scene_variables studio)
painleve_sources(instrumented apps/cli analyze map program solve)

# The reader of robot files is a program of its own; here its part before MuJoCo is called.
set(robot_program "")
painleve_sources(robot_program apps/robot default_classes mjcf_meshes prepared_robot robot_xml urdf_conversion urdf_links)

set(alone painleve/scene/contact_space_json painleve/study/map_assembly painleve/study/map_blocks apps/studio/server/studio
    apps/cli/analyze apps/cli/map apps/cli/program apps/cli/solve)
list(TRANSFORM alone REPLACE "(.+)" "${CMAKE_CURRENT_LIST_DIR}/../\\1.cpp")
set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

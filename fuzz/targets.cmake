# The targets, shared by the fuzzer and by the test that replays the corpus.
set(target_sources target_list.cpp targets.cpp targets/answers.cpp targets/c_abi.cpp targets/checkpoint.cpp
    targets/command_line.cpp targets/contact_json.cpp targets/engine_reply.cpp targets/fake_terminal.cpp
    targets/http.cpp targets/line.cpp targets/map_file.cpp targets/robot_json.cpp targets/scenario.cpp
    targets/served.cpp targets/small_map.cpp targets/studio_call.cpp targets/words.cpp)
set(robot_target_sources targets/robot_file.cpp)

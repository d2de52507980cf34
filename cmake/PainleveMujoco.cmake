# painleve::mujoco, if Debian's libmujoco-dev is there. Its own package file asks for libraries that only a build of
# MuJoCo itself needs, so header and library are looked for directly.
include_guard(GLOBAL)
find_path(PAINLEVE_MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
find_library(PAINLEVE_MUJOCO_LIBRARY mujoco)
mark_as_advanced(PAINLEVE_MUJOCO_INCLUDE_DIR PAINLEVE_MUJOCO_LIBRARY)
if(PAINLEVE_MUJOCO_INCLUDE_DIR AND PAINLEVE_MUJOCO_LIBRARY)
  add_library(painleve::mujoco UNKNOWN IMPORTED GLOBAL)
  set_target_properties(
    painleve::mujoco PROPERTIES IMPORTED_LOCATION ${PAINLEVE_MUJOCO_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES
                                                                             ${PAINLEVE_MUJOCO_INCLUDE_DIR})
endif()

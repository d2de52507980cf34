# With ccache, what was compiled once from the same text is not compiled again, in another clone neither: paths within the
# project are hashed as relative ones. The bytes of an object do not depend on where the project lies.

option(PAINLEVE_COMPILER_CACHE "Compile through ccache where it is installed" ${PROJECT_IS_TOP_LEVEL})
find_program(PAINLEVE_CCACHE ccache)
mark_as_advanced(PAINLEVE_CCACHE)
if(PAINLEVE_COMPILER_CACHE AND PAINLEVE_CCACHE)
  foreach(language IN ITEMS C CXX)
    if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER
          ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
          CCACHE_SLOPPINESS=time_macros,pch_defines,include_file_mtime,include_file_ctime ${PAINLEVE_CCACHE})
    endif()
  endforeach()
endif()

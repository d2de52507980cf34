# painleve::tinyxml2, if libtinyxml2-dev is there: the XML parser of the reader of robot files, the one MuJoCo uses.
include_guard(GLOBAL)
find_path(PAINLEVE_TINYXML2_INCLUDE_DIR tinyxml2.h)
find_library(PAINLEVE_TINYXML2_LIBRARY tinyxml2)
mark_as_advanced(PAINLEVE_TINYXML2_INCLUDE_DIR PAINLEVE_TINYXML2_LIBRARY)
if(PAINLEVE_TINYXML2_INCLUDE_DIR AND PAINLEVE_TINYXML2_LIBRARY)
  add_library(painleve::tinyxml2 UNKNOWN IMPORTED GLOBAL)
  set_target_properties(
    painleve::tinyxml2 PROPERTIES IMPORTED_LOCATION ${PAINLEVE_TINYXML2_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES
                                                                                 ${PAINLEVE_TINYXML2_INCLUDE_DIR})
endif()

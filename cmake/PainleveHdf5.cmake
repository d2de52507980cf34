# painleve::hdf5, the serial C library. CMake's own module needs the language C in every project that uses the package, and
# takes the MPI variant where that comes first.

if(NOT TARGET painleve::hdf5)
  find_path(PAINLEVE_HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
  find_library(PAINLEVE_HDF5_LIBRARY NAMES hdf5_serial hdf5)
  if(NOT PAINLEVE_HDF5_INCLUDE_DIR OR NOT PAINLEVE_HDF5_LIBRARY)
    message(FATAL_ERROR "HDF5 not found; on Debian: apt-get install libhdf5-dev")
  endif()
  mark_as_advanced(PAINLEVE_HDF5_INCLUDE_DIR PAINLEVE_HDF5_LIBRARY)
  add_library(painleve::hdf5 INTERFACE IMPORTED GLOBAL)
  target_include_directories(painleve::hdf5 SYSTEM INTERFACE ${PAINLEVE_HDF5_INCLUDE_DIR})
  target_link_libraries(painleve::hdf5 INTERFACE ${PAINLEVE_HDF5_LIBRARY})
endif()

# The installed library: archives, the public headers, and a package for find_package(trammel).
include(CMakePackageConfigHelpers)

# What a program may link: everything but what belongs to the command line and the viewer.
set(public ${TRAMMEL_LAYERS})
list(REMOVE_ITEM public trammel_report trammel_serve trammel_cli)

add_library(trammel_all INTERFACE)
set_target_properties(trammel_all PROPERTIES EXPORT_NAME trammel)
target_link_libraries(trammel_all INTERFACE ${public})
add_library(trammel::trammel ALIAS trammel_all)

set(package lib/cmake/trammel)
install(TARGETS trammel_all ${public} trammel_flags EXPORT trammel ARCHIVE DESTINATION lib)
install(EXPORT trammel NAMESPACE trammel:: FILE trammel-targets.cmake DESTINATION ${package})
if(TARGET trammel_program)
  install(TARGETS trammel_program DESTINATION bin)
endif()

# libtrammel.so: the C interface for other languages (docs/c-interface.md), all else hidden.
add_library(trammel_shared SHARED src/capi/trammel.cpp)
set_target_properties(trammel_shared PROPERTIES OUTPUT_NAME trammel VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
target_link_libraries(trammel_shared PRIVATE trammel_capi)
target_link_options(trammel_shared PRIVATE -Wl,--exclude-libs,ALL -Wl,--no-undefined
                    -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/trammel.map)
set_target_properties(trammel_shared PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/trammel.map)
install(TARGETS trammel_shared LIBRARY DESTINATION lib)
if(TRAMMEL_TESTS)
  add_test(NAME capi.python COMMAND /usr/bin/python3 -B ${PROJECT_SOURCE_DIR}/tests/capi/shared_test.py
                                    $<TARGET_FILE:trammel_shared>)
endif()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS cmake/public_headers.txt)
file(STRINGS cmake/public_headers.txt headers REGEX "^[^#]")
foreach(header ${headers})
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/src/${header})
    message(SEND_ERROR "cmake/public_headers.txt names ${header}, and src/${header} is not there")
  endif()
  cmake_path(GET header PARENT_PATH folder)
  install(FILES src/${header} DESTINATION include/trammel/${folder})
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/generated/version.h DESTINATION include/trammel)

configure_package_config_file(cmake/trammel-config.cmake.in
                              ${PROJECT_BINARY_DIR}/generated/trammel-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/trammel-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/trammel-config.cmake
              ${PROJECT_BINARY_DIR}/generated/trammel-config-version.cmake
        DESTINATION ${package})

if(TRAMMEL_TESTS)
  add_test(NAME install.outside_program
           COMMAND ${CMAKE_COMMAND} -D BUILD=${PROJECT_BINARY_DIR} -D CXX=${CMAKE_CXX_COMPILER} -P
                   ${PROJECT_SOURCE_DIR}/tests/install/driver.cmake)
  set_tests_properties(install.outside_program PROPERTIES LABELS slow TIMEOUT 600)
endif()

# The programs beside the layers: trammel, the benchmarks, the tests of the whole.

if(EXISTS ${PROJECT_SOURCE_DIR}/src/cli/main.cpp)
  add_executable(trammel_program src/cli/main.cpp)
  set_target_properties(trammel_program PROPERTIES OUTPUT_NAME trammel)
  target_link_libraries(trammel_program PRIVATE ${TRAMMEL_LAYERS} CLI11::CLI11 spdlog::spdlog)
endif()

if(NOT TRAMMEL_SANITIZE)
  include(cmake/bench.cmake)
endif()

if(TRAMMEL_TESTS)
  file(GLOB acceptance CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*.cpp)
  if(acceptance)
    add_test_program(acceptance_test acceptance SOURCES ${acceptance} LIBRARIES ${TRAMMEL_LAYERS})
    if(TARGET trammel_program)
      target_compile_definitions(acceptance_test
                                 PRIVATE TRAMMEL_PROGRAM="$<TARGET_FILE:trammel_program>")
      add_dependencies(acceptance_test trammel_program)
    endif()
  endif()
  # A program in C, by the C compiler: src/capi/trammel.h is C and hides what is C++.
  add_executable(trammel_c_program tests/capi/program.c)
  set_target_properties(trammel_c_program PROPERTIES LINKER_LANGUAGE CXX C_STANDARD 99)
  target_include_directories(trammel_c_program PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(trammel_c_program PRIVATE -Wall -Wextra -Wpedantic)
  target_link_libraries(trammel_c_program PRIVATE trammel_capi)
  add_test(NAME capi.c_program COMMAND trammel_c_program)
  if(NOT TRAMMEL_NATIVE AND TARGET trammel_program)
    add_test(NAME tools.baseline
             COMMAND ${PROJECT_SOURCE_DIR}/tools/check_baseline $<TARGET_FILE:trammel_program>)
  endif()
  add_test(NAME tools.checks_can_fail COMMAND /usr/bin/python3
                                              ${PROJECT_SOURCE_DIR}/tools/check_test.py)
  add_test(NAME tools.mutate COMMAND /usr/bin/python3 -B ${PROJECT_SOURCE_DIR}/tools/mutate_test.py)
  set_tests_properties(tools.checks_can_fail tools.mutate PROPERTIES LABELS slow TIMEOUT 120)
endif()

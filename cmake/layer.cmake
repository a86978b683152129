# layer(NAME [libraries]) makes one library of src/NAME/**.cpp and one test program of its
# *_test.cpp; src/NAME/*_fuzz.cpp are fuzzers and src/cli/main.cpp is the program.
include(GoogleTest)

set(TRAMMEL_LAYERS "")  # so far, the highest first: the order the linker wants

# Ordinary tests run in a few processes a program, each with its share of them (a process a test spends more
# on starting than on testing). Two labels by the suite's name: SlowX is left out under sanitisers, FullX runs
# on request only; each of these is a process of its own.
set(TRAMMEL_LONG Slow*:*/Slow*:Full*:*/Full*)
# What takes long under sanitisers, and runs code that shorter tests run there too, runs without them alone.
if(TRAMMEL_SANITIZE)
  file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/long_under_sanitisers.txt long)
  list(JOIN long : long)
  string(APPEND TRAMMEL_LONG :${long})
endif()
function(discover_tests target prefix shards)
  math(EXPR last "${shards} - 1")
  foreach(i RANGE ${last})
    add_test(NAME ${prefix}.${i} COMMAND ${target} --gtest_filter=-${TRAMMEL_LONG})
    set_tests_properties(${prefix}.${i} PROPERTIES
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${i}" TIMEOUT 1800 COST ${shards})
  endforeach()
  discover(Slow*:*/Slow* LABELS slow TIMEOUT 1800)
  discover(Full*:*/Full* LABELS full TIMEOUT 14400)
endfunction()

macro(discover filter)
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST TEST_PREFIX ${prefix}. NO_PRETTY_VALUES
                       TEST_FILTER ${filter} PROPERTIES ${ARGN})
endmacro()

# Files compile in units of some, which saves most of the time that goes into the same headers and
# templates again and again (docs/decisions/0012). Alone stay kernels in lanes, so that what is inlined
# in them does not hang on their neighbours, and files whose names mean the same of others. What a test
# file names is its own: its namespace carries its name.
set(TRAMMEL_ALONE solve/factor solve/islands body/rigid_flow body/affine model/joint_lanes
                  joint/function joint/lanes joint/table
                  io/results_writer verify/balance expr/cost_test serve/server)
function(in_units kind target size)
  if(TRAMMEL_UNITY STREQUAL ON OR TRAMMEL_UNITY STREQUAL kind)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
    foreach(alone ${TRAMMEL_ALONE})
      set_source_files_properties(${PROJECT_SOURCE_DIR}/src/${alone}.cpp
                                  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endforeach()
  endif()
endfunction()

# Tests are compiled without optimisation, in half the time. Of an inline function that several objects have,
# the linker takes the first: the libraries come before the tests' objects, so that what they share (Eigen's
# functions most of all) runs optimised (docs/decisions/0012).
function(libraries_first target)
  set(archives "")
  foreach(library ${ARGN} ${TRAMMEL_LAYERS})
    if(TARGET ${library})
      get_target_property(type ${library} TYPE)
      if(type STREQUAL STATIC_LIBRARY)
        list(APPEND archives $<TARGET_FILE:${library}>)
      endif()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES archives)
  if(TRAMMEL_TEST_FLAGS)
    target_link_options(${target} PRIVATE -Wl,--whole-archive ${archives} -Wl,--no-whole-archive)
  endif()
endfunction()

# Test files that compute much themselves are optimised all the same.
set(TRAMMEL_TEST_OPTIMISED src/body/system_test src/contact/narrow_test src/contact/barrier_energy_test
                           src/contact/decompose_test src/contact/mesh_hulls_test
                           src/form/energy_midpoint_test src/form/energy_pools_contact_test src/form/energy_pools_test
                           src/form/pools_contact_test src/form/pools_test src/sim/light_loops_test src/solve/active_set_test
                           tests/solver_seam_test)
list(TRANSFORM TRAMMEL_TEST_OPTIMISED REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/\\1.cpp")

# add_optimised(TARGET SOURCES...): to a test program, those of its files that compute much.
function(add_optimised target)
  set(sources "")
  foreach(source ${ARGN})
    if(source IN_LIST TRAMMEL_TEST_OPTIMISED)
      list(APPEND sources ${source})
    endif()
  endforeach()
  if(NOT sources)
    return()
  endif()
  add_library(${target}_optimised OBJECT ${sources})
  target_link_libraries(${target}_optimised PRIVATE trammel_flags GTest::gtest rapidcheck ${arg_LIBRARIES})
  target_compile_definitions(${target}_optimised PRIVATE TRAMMEL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(${target}_optimised PRIVATE -O2)
  in_units(tests ${target}_optimised 20)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_optimised>)
endfunction()

function(add_test_program target prefix)
  cmake_parse_arguments(arg "" "SHARDS" "SOURCES;LIBRARIES" ${ARGN})
  if(NOT arg_SHARDS)
    set(arg_SHARDS 4)
  endif()
  set(plain ${arg_SOURCES})
  list(REMOVE_ITEM plain ${TRAMMEL_TEST_OPTIMISED})
  add_executable(${target} ${plain})
  add_optimised(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} GTest::gtest GTest::gtest_main
                                          rapidcheck)
  target_compile_definitions(${target} PRIVATE TRAMMEL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(${target} PRIVATE ${TRAMMEL_TEST_FLAGS})
  libraries_first(${target} ${arg_LIBRARIES})
  use_pch(${target} test)
  in_units(tests ${target} 20)
  discover_tests(${target} ${prefix} ${arg_SHARDS})
endfunction()

function(layer name)
  set(folder ${PROJECT_SOURCE_DIR}/src/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${folder}/*.h)
  if(NOT sources AND NOT headers)
    return()
  endif()
  set(tests ${sources})
  set(fuzzers ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "(_test|_fuzz|/cli/main)\\.cpp$")

  if(sources)
    add_library(trammel_${name} STATIC ${sources})
    target_link_libraries(trammel_${name} PUBLIC ${TRAMMEL_LAYERS} trammel_flags PRIVATE ${ARGN})
    use_pch(trammel_${name} common)
    in_units(library trammel_${name} 24)
  else()
    add_library(trammel_${name} INTERFACE)
    target_link_libraries(trammel_${name} INTERFACE ${TRAMMEL_LAYERS} trammel_flags ${ARGN})
  endif()
  set_target_properties(trammel_${name} PROPERTIES EXPORT_NAME ${name})

  if(TRAMMEL_TESTS AND tests)
    add_test_program(${name}_test ${name} SOURCES ${tests} LIBRARIES trammel_${name} ${ARGN})
  endif()
  if(TRAMMEL_FUZZ)
    foreach(fuzzer ${fuzzers})
      cmake_path(GET fuzzer STEM stem)
      add_executable(${stem} ${fuzzer})
      target_link_libraries(${stem} PRIVATE trammel_${name} ${ARGN})
      target_link_options(${stem} PRIVATE -fsanitize=fuzzer)
    endforeach()
  endif()
  list(PREPEND TRAMMEL_LAYERS trammel_${name})
  set(TRAMMEL_LAYERS ${TRAMMEL_LAYERS} PARENT_SCOPE)
endfunction()

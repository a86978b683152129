# Installs BUILD to an empty prefix, then configures, builds and runs the outside programs with CXX.
set(work ${BUILD}/install_test)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nfailed (${result}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -G Ninja
    -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_COMPILER=${CXX}
    -D CMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/formula)
if(NOT output MATCHES "x = 0\\.5403 m after 1 s")
  message(FATAL_ERROR "the program with a formula said: ${output}")
endif()
run(${work}/build/results)
run(${work}/build/verify)
if(NOT output MATCHES "agrees")
  message(FATAL_ERROR "the program that verifies said: ${output}")
endif()
run(${work}/build/c_program)
run(${work}/build/outside)
message("${output}")
if(NOT output MATCHES "trammel 0\\.1\\.")
  message(FATAL_ERROR "the outside program did not say what it should")
endif()

# The benchmark: trammel_bench, and beside it one program for each other engine that is installed.
option(TRAMMEL_PEERS "Look for other engines to measure beside Trammel (target trammel_peers)" OFF)

file(GLOB cases CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/case/*.cpp)
file(GLOB bench CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.cpp)
if(NOT bench)
  return()
endif()

# Scenes, judge, references: what every engine's adapter needs, and no engine.
add_library(trammel_cases STATIC EXCLUDE_FROM_ALL ${cases})
target_include_directories(trammel_cases PUBLIC ${PROJECT_SOURCE_DIR}/bench/case)
target_link_libraries(trammel_cases PUBLIC trammel_flags)
use_pch(trammel_cases common)

add_executable(trammel_bench ${bench})
target_link_libraries(trammel_bench PRIVATE trammel_cases ${TRAMMEL_LAYERS})
use_pch(trammel_bench common)

# peer(NAME PACKAGE package HEADER header [SUFFIX folder] LIBRARIES names...) makes
# trammel_peer_NAME where the Debian package is installed; never part of the default build.
set(present "")
set(absent "")
function(peer name)
  cmake_parse_arguments(arg "" "PACKAGE;HEADER;SUFFIX" "LIBRARIES;DEFINITIONS" ${ARGN})
  find_path(TRAMMEL_PEER_${name}_INCLUDE ${arg_HEADER} PATH_SUFFIXES ${arg_SUFFIX})
  set(found ${TRAMMEL_PEER_${name}_INCLUDE})
  set(libraries "")
  foreach(library ${arg_LIBRARIES})
    find_library(TRAMMEL_PEER_${library} ${library})
    list(APPEND libraries ${TRAMMEL_PEER_${library}})
    if(NOT TRAMMEL_PEER_${library})
      set(found OFF)
    endif()
  endforeach()
  if(NOT found)
    set(absent ${absent} ${arg_PACKAGE} PARENT_SCOPE)
    return()
  endif()
  set(present ${present} ${name} PARENT_SCOPE)
  add_executable(trammel_peer_${name} EXCLUDE_FROM_ALL bench/peers/${name}.cpp)
  target_include_directories(trammel_peer_${name} SYSTEM PRIVATE ${TRAMMEL_PEER_${name}_INCLUDE})
  target_compile_definitions(trammel_peer_${name} PRIVATE ${arg_DEFINITIONS})
  target_link_libraries(trammel_peer_${name} PRIVATE trammel_cases ${libraries})
  add_dependencies(trammel_peers trammel_peer_${name})
endfunction()

if(TRAMMEL_PEERS)
  add_custom_target(trammel_peers)
  peer(ode PACKAGE libode-dev HEADER ode/ode.h LIBRARIES ode)
  peer(bullet PACKAGE libbullet-dev HEADER btBulletDynamicsCommon.h SUFFIX bullet
       LIBRARIES BulletDynamics-float64 BulletCollision-float64 LinearMath-float64
       DEFINITIONS BT_USE_DOUBLE_PRECISION)
  peer(mujoco PACKAGE libmujoco-dev HEADER mujoco/mujoco.h LIBRARIES mujoco)
  if(TARGET trammel_peer_mujoco)  # equations of motion beside MuJoCo's: an arm, a system
    foreach(name arm pendulum)
      add_executable(trammel_peer_mujoco_${name} EXCLUDE_FROM_ALL bench/peers/mujoco_${name}.cpp)
      target_include_directories(trammel_peer_mujoco_${name} SYSTEM
                                 PRIVATE ${TRAMMEL_PEER_mujoco_INCLUDE})
      target_link_libraries(trammel_peer_mujoco_${name}
                            PRIVATE trammel_cases ${TRAMMEL_LAYERS} ${TRAMMEL_PEER_mujoco})
      add_dependencies(trammel_peers trammel_peer_mujoco_${name})
    endforeach()
  endif()
  peer(simbody PACKAGE libsimbody-dev HEADER Simbody.h SUFFIX simbody
       LIBRARIES SimTKsimbody SimTKmath SimTKcommon)
  # Simbody 3.7's headers compare in a way that C++20 finds ambiguous.
  set_source_files_properties(bench/peers/simbody.cpp PROPERTIES COMPILE_OPTIONS -std=c++17)
  list(JOIN present " " present)
  list(JOIN absent " " absent)
  message(STATUS "Peers: ${present}; absent: ${absent}")
endif()

# How everything is compiled: trammel_flags, the precompiled headers, the compiler cache.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
option(CMAKE_COMPILE_WARNING_AS_ERROR "Warnings are errors" ${PROJECT_IS_TOP_LEVEL})

# ccache takes precompiled headers only with these two; the base folder lets checkouts share.
find_program(TRAMMEL_CCACHE ccache)
if(TRAMMEL_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 ${TRAMMEL_CCACHE})
endif()

configure_file(src/version.h.in generated/version.h)

add_library(trammel_flags INTERFACE)
set_target_properties(trammel_flags PROPERTIES EXPORT_NAME flags)
target_compile_features(trammel_flags INTERFACE cxx_std_20)
target_include_directories(
  trammel_flags
  INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
            $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
            $<INSTALL_INTERFACE:include>
            $<INSTALL_INTERFACE:include/trammel>)
target_link_libraries(trammel_flags INTERFACE Eigen3::Eigen fmt::fmt Threads::Threads)

# The machine is part of the interface: it sets the alignment of Eigen's types, so a program that
# uses the library has to agree. No contraction: the same bits with every compiler.
target_compile_options(
  trammel_flags
  INTERFACE -ffp-contract=off $<IF:$<BOOL:${TRAMMEL_NATIVE}>,-march=native,-march=x86-64-v3>
            "$<BUILD_INTERFACE:-Wall;-Wextra;-Wconversion;-Wshadow>")

# Archives may go into shared libraries (libtrammel.so below), which show nothing but the C interface.
# Debian's compilers make position-independent code anyway, so that it costs nothing.
target_compile_options(trammel_flags INTERFACE $<BUILD_INTERFACE:-fPIC> $<BUILD_INTERFACE:-fvisibility=hidden>
                                               $<$<COMPILE_LANGUAGE:CXX>:$<BUILD_INTERFACE:-fvisibility-inlines-hidden>>)

# A build knows itself by it: checkpoints belong to one (src/io/build_id.cpp).
target_link_options(trammel_flags INTERFACE $<BUILD_INTERFACE:-Wl,--build-id=sha1>)

# g++ 12.1 and 12.2 copy a constant such as {6, 6, 0, 0} as {6, 6, 6, 6} where they may move 256 bits
# at once (its bug 108599; tests/compiler_test.cpp). Programs that use the library are hit as well.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU
   AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12
   AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12.3)
  target_compile_options(trammel_flags INTERFACE -mmove-max=128 -mstore-max=128)
endif()

# The warnings that hang on g++'s optimiser say what -O3 and the machine make of its own headers:
# g++ 12 raises them for "x" + string and in AVX-512 intrinsics (its bugs 105651 and 105593). The
# sanitisers look for overruns where they happen; clang's warnings of the same kind stay on.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # psabi: vectors wider than the machine's, as the solver's kernels use inside one file
  foreach(warning psabi maybe-uninitialized uninitialized restrict array-bounds stringop-overflow
                  stringop-overread)
    target_compile_options(trammel_flags INTERFACE $<BUILD_INTERFACE:-Wno-${warning}>)
  endforeach()
endif()

# The undefined-behaviour checks stay out of system headers: in Eigen they cost 20 times the run and
# twice the compile time, and say nothing about our code. Address checks are everywhere.
if(TRAMMEL_SANITIZE)
  set(sanitize -fsanitize=${TRAMMEL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    list(APPEND sanitize -fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitize_ignore.txt)
  endif()
  target_compile_options(trammel_flags INTERFACE "$<BUILD_INTERFACE:${sanitize}>")
  target_compile_definitions(trammel_flags INTERFACE $<BUILD_INTERFACE:_GLIBCXX_ASSERTIONS>)
  find_program(TRAMMEL_LLD ld.lld PATHS /usr/lib/llvm-16/bin)
  if(TRAMMEL_LLD)  # links the instrumented programs in a tenth of the time
    target_link_options(trammel_flags INTERFACE $<BUILD_INTERFACE:-fuse-ld=lld>)
  endif()
  target_link_options(trammel_flags INTERFACE "$<BUILD_INTERFACE:-fsanitize=${TRAMMEL_SANITIZE}>")
endif()

# Precompiled headers: a third of the time of a file. The thread sanitiser's and the fuzzers' builds do
# without, and so show that each file includes what it uses.
option(TRAMMEL_PCH "Precompiled headers" OFF)
if(TRAMMEL_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(trammel_flags INTERFACE $<BUILD_INTERFACE:-fpch-preprocess>)
endif()

# use_pch(TARGET common|test): share one of the two headers.
function(use_pch target kind)
  if(TRAMMEL_PCH)
    target_precompile_headers(${target} REUSE_FROM trammel_pch_${kind})
  endif()
endfunction()

# What test files are compiled with, after all other flags; empty: as the libraries are.
set(TRAMMEL_TEST_FLAGS -O0 CACHE STRING "Flags of test files, after all others")

# add_pch(KIND LIBRARY HEADERS...): they depend on LIBRARY's definitions.
function(add_pch kind library)
  file(WRITE ${PROJECT_BINARY_DIR}/generated/pch_${kind}.cpp "")
  add_library(trammel_pch_${kind} OBJECT EXCLUDE_FROM_ALL
              ${PROJECT_BINARY_DIR}/generated/pch_${kind}.cpp)
  target_link_libraries(trammel_pch_${kind} PRIVATE trammel_flags ${library})
  if(kind STREQUAL test)
    target_compile_options(trammel_pch_test PRIVATE ${TRAMMEL_TEST_FLAGS})
  endif()
  target_precompile_headers(trammel_pch_${kind} PRIVATE ${ARGN})
endfunction()

set(common <Eigen/Core> <Eigen/Geometry> <Eigen/LU> <fmt/format.h> <algorithm> <array> <cmath>
           <functional> <memory> <span> <string> <string_view> <vector>)
if(TRAMMEL_PCH)
  add_pch(common fmt::fmt ${common})
  if(TRAMMEL_TESTS)
    add_pch(test GTest::gtest ${common} <gtest/gtest.h>)
  endif()
endif()

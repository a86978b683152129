# The benchmark: trammel_bench.

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

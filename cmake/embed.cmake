# embed_page(TARGET FILE): makes a file a source of TARGET, whose bytes report::page() gives. Run as a
# script (-DFROM=... -DTO=...) it writes that source.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${FROM} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(................................................................................)"
                       "\\1\n" bytes "${bytes}")
  file(WRITE ${TO} "#include \"report/page.h\"\n
namespace {
constexpr unsigned char kBytes[] = {
${bytes}};
}  // namespace

std::string_view trammel::report::page() {
  return {reinterpret_cast<const char*>(kBytes), sizeof kBytes};
}
")
  return()
endif()

function(embed_page target file)
  set(from ${PROJECT_SOURCE_DIR}/${file})
  set(to ${PROJECT_BINARY_DIR}/generated/${target}_page.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  add_custom_command(
    OUTPUT ${to}
    COMMAND ${CMAKE_COMMAND} -DFROM=${from} -DTO=${to} -P ${script}
    DEPENDS ${from} ${script}
    COMMENT "Embedding ${file}")
  target_sources(${target} PRIVATE ${to})
  set_source_files_properties(${to} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
                                               SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# Expressions as machine code made while a program runs, by the system's C compiler (src/expr/compiled.h):
# for the machine that the build is for.
include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES ${CMAKE_DL_LIBS})
check_symbol_exists(dlopen dlfcn.h TRAMMEL_HAS_DLOPEN)
unset(CMAKE_REQUIRED_LIBRARIES)
option(TRAMMEL_COMPILED "Formulas may be compiled while a program runs" ${TRAMMEL_HAS_DLOPEN})
if(TRAMMEL_COMPILED)
  target_compile_definitions(
    trammel_expr PRIVATE TRAMMEL_MARCH="$<IF:$<BOOL:${TRAMMEL_NATIVE}>,native,x86-64-v3>")
  target_link_libraries(trammel_expr PRIVATE ${CMAKE_DL_LIBS})
endif()

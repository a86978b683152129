#include <cstdint>

#include "expr/fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trammel::expr::fuzzed::any_text({reinterpret_cast<const char*>(data), size});
  return 0;
}

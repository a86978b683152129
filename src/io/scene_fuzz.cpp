#include <cstdint>
#include <string>

#include "io/fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trammel::io::fuzzed::any_text(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}

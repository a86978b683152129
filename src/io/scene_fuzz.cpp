// Any bytes are a scene, or problems with places.
#include <cstdint>
#include <cstdlib>

#include "io/scene.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto loaded = trammel::io::load_scene_text(
      std::string(reinterpret_cast<const char*>(data), size), "fuzz.toml");
  if (const auto* problems = std::get_if<trammel::io::SceneProblems>(&loaded))
    if (problems->empty()) std::abort();
  return 0;
}

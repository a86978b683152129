#include "cli/text_file.h"

#include "cli/command.h"
#include "io/whole_file.h"

namespace trammel::cli {

void write_text(const std::string& path, const std::string& text) {
  try {
    io::write_whole(path, text);
  } catch (const io::FileError& e) {
    throw InputError(e.what());
  }
}

}  // namespace trammel::cli

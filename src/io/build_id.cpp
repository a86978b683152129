#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdint>
#include <cstring>

#include "io/checkpoint_file.h"

namespace trammel::io {

namespace {

struct Search {
  std::uintptr_t address;  // of something in the program or library that is meant
  std::string id;
};

constexpr std::size_t padded(std::size_t n) { return (n + 3) & ~std::size_t{3}; }

/// The id among the notes of a segment (ELF specification, Note Section).
std::string id_in_notes(const char* at, std::size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const std::size_t name = sizeof note, text = name + padded(note.n_namesz),
                      end = text + padded(note.n_descsz);
    if (end > size) break;
    if (note.n_type == NT_GNU_BUILD_ID &&
        std::string_view(at + name, note.n_namesz) == std::string_view("GNU\0", 4)) {
      std::string out;
      for (std::size_t i = 0; i < note.n_descsz; ++i)
        out += fmt::format("{:02x}", static_cast<unsigned char>(at[text + i]));
      return out;
    }
    at += end;
    size -= end;
  }
  return {};
}

int look_into(dl_phdr_info* object, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  bool ours = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& p = object->dlpi_phdr[i];
    const std::uintptr_t start = object->dlpi_addr + p.p_vaddr;
    ours |= p.p_type == PT_LOAD && search.address >= start && search.address < start + p.p_memsz;
  }
  if (!ours) return 0;
  for (int i = 0; i < object->dlpi_phnum && search.id.empty(); ++i) {
    const ElfW(Phdr)& p = object->dlpi_phdr[i];
    if (p.p_type == PT_NOTE)
      search.id =
          id_in_notes(reinterpret_cast<const char*>(object->dlpi_addr + p.p_vaddr), p.p_memsz);
  }
  return 1;
}

}  // namespace

std::string build_id() {
  static const std::string id = [] {
    Search search{reinterpret_cast<std::uintptr_t>(&look_into), {}};
    dl_iterate_phdr(look_into, &search);
    return search.id.substr(0, 16);
  }();
  return id;
}

}  // namespace trammel::io

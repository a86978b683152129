#pragma once

#include "io/scene_files.h"
#include "model/builder.h"

/// Heights over a rectangle that stand in a scene or in a file.
namespace trammel::io {

/// The numbers of a text, a row a line, parted by commas, semicolons or blanks; what follows # does
/// not count.
struct NumberRows {
  std::vector<std::vector<double>> rows;
  std::string fault;  // with its line; empty: none
};
NumberRows number_rows(std::string_view text);

/// Null: complained.
std::shared_ptr<const model::Heights> heights_of(const Value& v, SceneFiles& files,
                                                 Findings& findings);

}  // namespace trammel::io

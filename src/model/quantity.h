#pragma once

#include <string>
#include <vector>

/// What results are lists of.
namespace trammel::model {

/// A quantity of many items with its units, and how a frame of it is filled: items x columns
/// numbers.
struct Quantity {
  std::string path, name;  // of the dataset; of the quantity (may be empty)
  std::vector<std::string> items, columns;
  std::vector<std::string> units;       // a column, or an item and column
  std::vector<std::string> kinds = {};  // of items that are not all of one: "law", "load"
};

/// Rows of which a frame has any number: points of contact.
struct Listing {
  std::string path;  // of the dataset
  std::vector<std::string> columns, units;
};

}  // namespace trammel::model

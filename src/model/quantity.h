#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/model.h"

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

/// Numbers that stay as they are over a run, of many items (or of rows without names), and texts
/// beside them, one an item.
struct Constants {
  std::string path;  // of the dataset
  std::vector<std::string> items, columns, units;
  std::vector<double> values;  // item after item
  std::vector<std::pair<std::string, std::vector<std::string>>> labels;
};
/// Appends the frame at X from the origin of an object, in the body frame of the scene: its origin,
/// and its axes as a quaternion.
void put_frame(const Pose& X, const Object& object, std::vector<double>& out);

}  // namespace trammel::model

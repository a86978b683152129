#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Numbers and a text as bytes for a browser (viewer/src/data/decode.ts reads them):
///   TRAMMEL1, bytes of the header (uint32), the header (JSON), arrays one behind the other
/// all little-endian, compressed by zlib, in base64. Of an array the first bytes of all its numbers
/// come first, then the second ones, and so on: those that are alike stand together, which
/// compresses better.
namespace trammel::report {

/// Where an array is, counted from the end of the header.
struct ArrayPlace {
  std::size_t offset = 0, count = 0;
  int bytes = 4;  // of a number: 4 float, 8 double
};

class Arrays {
 public:
  /// Return the number of the array.
  std::size_t add(std::span<const float> values);
  std::size_t add(std::span<const double> values);
  const std::vector<ArrayPlace>& places() const { return places_; }
  const std::string& bytes() const { return bytes_; }

 private:
  template <class T>
  std::size_t add_planes(std::span<const T> values);
  std::string bytes_;
  std::vector<ArrayPlace> places_;
};

/// Header and arrays, compressed; level 1: fast, to 9: small.
std::string packed(std::string_view header, const Arrays& arrays, int level = 6);
/// The same in base64.
std::string pack(std::string_view header, const Arrays& arrays);

std::string to_base64(std::string_view bytes);

}  // namespace trammel::report

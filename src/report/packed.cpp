#include "report/packed.h"

#include <fmt/core.h>
#include <zlib.h>

#include <array>
#include <bit>
#include <stdexcept>

namespace trammel::report {

static_assert(std::endian::native == std::endian::little);

template <class T>
std::size_t Arrays::add_planes(std::span<const T> values) {
  const std::size_t offset = bytes_.size(), n = values.size();
  bytes_.resize(offset + n * sizeof(T));
  for (std::size_t i = 0; i < n; ++i) {
    const auto one = std::bit_cast<std::array<char, sizeof(T)>>(values[i]);
    for (std::size_t k = 0; k < sizeof(T); ++k) bytes_[offset + k * n + i] = one[k];
  }
  places_.push_back({offset, n, static_cast<int>(sizeof(T))});
  return places_.size() - 1;
}

std::size_t Arrays::add(std::span<const float> values) { return add_planes(values); }
std::size_t Arrays::add(std::span<const double> values) { return add_planes(values); }

namespace {

std::string compressed(std::string_view bytes, int level) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                             reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), level);
  if (code != Z_OK) throw std::runtime_error(fmt::format("zlib: {}", zError(code)));
  out.resize(size);
  return out;
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k > bytes.size() ? '=' : kDigits[three >> (18 - 6 * k) & 63];
  }
  return out;
}

std::string packed(std::string_view header, const Arrays& arrays, int level) {
  std::string all = "TRAMMEL1";
  const auto length = std::bit_cast<std::array<char, 4>>(static_cast<std::uint32_t>(header.size()));
  all.append(length.data(), length.size());
  all += header;
  all += arrays.bytes();
  return compressed(all, level);
}

std::string pack(std::string_view header, const Arrays& arrays) {
  return to_base64(packed(header, arrays));
}

}  // namespace trammel::report

#include "io/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

namespace trammel::io {

namespace {

/// The surface that a file holds, and the line (of binary files: the facet) of each face.
struct Surface {
  body::Mesh mesh;
  std::vector<int> lines;
  SceneProblems problems;
  std::string file;

  void complain(int line, std::string text) {
    if (problems.size() < 8) problems.push_back({file, line, 1, "", std::move(text)});
  }
};

/// Words of a line; what follows a # is none of them.
std::vector<std::string_view> words(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> out;
  while (true) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return out;
    line.remove_prefix(first);
    out.push_back(line.substr(0, line.find_first_of(" \t\r")));
    line.remove_prefix(out.back().size());
  }
}

template <class Number>
std::optional<Number> number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  Number out{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  if (error != std::errc() || end != word.data() + word.size()) return {};
  return out;
}

/// Three finite numbers that follow the first words; complains.
std::optional<Vec3> point(Surface& s, int line, const std::vector<std::string_view>& w) {
  Vec3 out;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto x = i + 1 < w.size() ? number<double>(w[i + 1]) : std::nullopt;
    if (!x || !std::isfinite(*x)) {
      s.complain(line, i + 1 < w.size() ? fmt::format("'{}' is not a number", w[i + 1])
                                        : fmt::format("'{}' needs three numbers", w[0]));
      return {};
    }
    out[static_cast<int>(i)] = *x;
  }
  return out;
}

template <class F>
void for_each_line(std::string_view text, F&& f) {
  for (int line = 1; !text.empty(); ++line) {
    const auto end = std::min(text.find('\n'), text.size());
    if (const auto w = words(text.substr(0, end)); !w.empty()) f(line, w);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// A corner of an OBJ file, 3/1/2: the first number counts from 1, or back from the last vertex.
std::optional<int> corner(Surface& s, int line, std::string_view word) {
  const auto i = number<int>(word.substr(0, word.find('/')));
  const auto n = static_cast<int>(s.mesh.vertices.size());
  if (!i || *i == 0) return s.complain(line, fmt::format("'{}' is no vertex", word)), std::nullopt;
  if (*i < -n) return s.complain(line, fmt::format("there is no vertex {} yet", *i)), std::nullopt;
  return *i > 0 ? *i - 1 : n + *i;
}

void read_obj(std::string_view text, Surface& s) {
  for_each_line(text, [&](int line, const std::vector<std::string_view>& w) {
    if (w[0] == "v") s.mesh.vertices.push_back(point(s, line, w).value_or(Vec3::Zero()));
    if (w[0] != "f") return;
    std::vector<int> face;
    for (std::size_t i = 1; i < w.size(); ++i)
      if (const auto c = corner(s, line, w[i])) face.push_back(*c);
    s.mesh.faces.push_back(std::move(face));
    s.lines.push_back(line);
  });
  for (std::size_t f = 0; f < s.lines.size(); ++f)
    for (const int i : s.mesh.faces[f])
      if (i >= static_cast<int>(s.mesh.vertices.size()))
        s.complain(s.lines[f], fmt::format("there is no vertex {}", i + 1));
}

/// Corners of triangles that are one vertex, being the same to the last bit.
class Weld {
 public:
  explicit Weld(Surface& s) : s_(s) {}
  void corner(const Vec3& x) {
    const auto [it, fresh] =
        known_.try_emplace({x.x(), x.y(), x.z()}, static_cast<int>(s_.mesh.vertices.size()));
    if (fresh) s_.mesh.vertices.push_back(x);
    face_.push_back(it->second);
  }
  /// Triangles without area, as some programs write them, are left out.
  void end(int line) {
    const bool flat =
        face_.size() == 3 && (face_[0] == face_[1] || face_[1] == face_[2] || face_[2] == face_[0]);
    if (face_.size() != 3) s_.complain(line, fmt::format("a facet of {} corners", face_.size()));
    if (!flat) {
      s_.mesh.faces.push_back(face_);
      s_.lines.push_back(line);
    }
    face_.clear();
  }

 private:
  Surface& s_;
  std::map<std::array<double, 3>, int> known_;
  std::vector<int> face_;
};

void read_stl(std::string_view text, Surface& s) {
  Weld weld(s);
  int first = 0;
  for_each_line(text, [&](int line, const std::vector<std::string_view>& w) {
    if (w[0] == "facet") first = line;
    if (w[0] == "vertex") weld.corner(point(s, line, w).value_or(Vec3::Zero()));
    if (w[0] == "endfacet") weld.end(first);
    constexpr std::array<std::string_view, 7> kKnown{"solid",   "facet",    "outer",   "vertex",
                                                     "endloop", "endfacet", "endsolid"};
    if (std::find(kKnown.begin(), kKnown.end(), w[0]) == kKnown.end())
      s.complain(line, fmt::format("'{}' is no word of STL", w[0]));
  });
}

constexpr std::size_t kHead = 84, kFacet = 50;  // bytes of binary STL

std::uint32_t count_of(std::string_view text) {
  std::uint32_t n = 0;
  if (text.size() >= kHead) std::memcpy(&n, text.data() + 80, sizeof n);
  return n;
}

void read_binary_stl(std::string_view text, Surface& s) {
  const std::uint32_t n = count_of(text);
  if (text.size() < kHead + kFacet * n)
    return s.complain(0, fmt::format("is cut off: {} facets need {} bytes, it has {}", n,
                                     kHead + kFacet * n, text.size()));
  Weld weld(s);
  for (std::uint32_t f = 0; f < n; ++f) {
    std::array<float, 9> x{};
    std::memcpy(x.data(), text.data() + kHead + kFacet * f + 12, sizeof x);
    for (std::size_t k = 0; k < 9; k += 3) {
      const Vec3 p(x[k], x[k + 1], x[k + 2]);
      if (!p.allFinite()) s.complain(0, fmt::format("facet {}: a corner is not finite", f + 1));
      weld.corner(p);
    }
    weld.end(static_cast<int>(f) + 1);
  }
}

/// As programs write them that draw both sides; how many there were.
int drop_repeated(Surface& s) {
  const auto again = body::repeated(s.mesh);
  body::Mesh once{s.mesh.vertices, {}};
  std::vector<int> lines;
  for (std::size_t f = 0; f < s.lines.size(); ++f) {
    if (again.contains(static_cast<int>(f))) continue;
    once.faces.push_back(std::move(s.mesh.faces[f]));
    lines.push_back(s.lines[f]);
  }
  s.mesh = std::move(once);
  s.lines = std::move(lines);
  return static_cast<int>(again.size());
}

bool ends_with(const std::string& file, std::string_view what) {
  if (file.size() < what.size()) return false;
  return std::equal(what.rbegin(), what.rend(), file.rbegin(),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
}

}  // namespace

std::variant<MeshText, SceneProblems> parse_mesh(std::string_view text, const std::string& file,
                                                 Bounds bounds) {
  Surface s;
  s.file = file;
  const bool obj = ends_with(file, ".obj"), stl = ends_with(file, ".stl");
  // some programs begin binary files as text ones
  const bool binary =
      stl && (!text.starts_with("solid") || text.find('\0') != std::string_view::npos);
  if (obj)
    read_obj(text, s);
  else if (!stl)
    s.complain(0, "meshes are read from files that end in .obj or .stl");
  else
    binary ? read_binary_stl(text, s) : read_stl(text, s);
  const int repeated = drop_repeated(s);
  if (s.problems.empty())
    for (const body::MeshFault& fault :
         bounds == Bounds::solid ? body::faults(s.mesh) : body::surface_faults(s.mesh)) {
      const int line = fault.face < 0 ? 0 : s.lines[static_cast<std::size_t>(fault.face)];
      s.complain(binary ? 0 : line,
                 (binary && line > 0 ? fmt::format("facet {}: ", line) : "") + fault.text);
    }
  if (!s.problems.empty()) return std::move(s.problems);
  return MeshText{std::move(s.mesh), repeated};
}

}  // namespace trammel::io

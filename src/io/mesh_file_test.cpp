#include "io/mesh_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace trammel::io::mesh_file_test {
namespace {

/// A tetrahedron: corners at the origin and one along each axis.
const std::string kObj =
    "# by hand\no part\nv 0 0 0\nv 2 0 0 1.0\nv 0 3 0\nv 0 0 4\nvn 0 0 -1\nusemtl steel\n"
    "f 1/1/1 3/1/1 2/1/1\nf 1//1 2//1 4//1\nf -3 -2 -1\nf 1 4 3\n";

std::vector<std::array<Vec3, 3>> facets() {
  const Vec3 o(0, 0, 0), x(2, 0, 0), y(0, 3, 0), z(0, 0, 4);
  return {{o, y, x}, {o, x, z}, {x, y, z}, {o, z, y}};
}

std::string stl(const std::vector<std::array<Vec3, 3>>& all) {
  std::string out = "solid part\n";
  for (const auto& t : all) {
    out += "  facet normal 0 0 0\n    outer loop\n";
    for (const Vec3& v : t) out += fmt::format("      vertex {:e} {} {}\n", v.x(), v.y(), v.z());
    out += "    endloop\n  endfacet\n";
  }
  return out + "endsolid part\n";
}

std::string binary(const std::vector<std::array<Vec3, 3>>& all) {
  std::string out(80, ' ');
  out.replace(0, 5, "solid");  // as some programs begin them
  const auto put = [&](auto x) {
    char bytes[sizeof x];
    std::memcpy(bytes, &x, sizeof x);
    out.append(bytes, sizeof x);
  };
  put(static_cast<std::uint32_t>(all.size()));
  for (const auto& t : all) {
    for (int i = 0; i < 3; ++i) put(0.f);
    for (const Vec3& v : t)
      for (int i = 0; i < 3; ++i) put(static_cast<float>(v[i]));
    put(std::uint16_t{0});
  }
  return out;
}

TEST(MeshFile, ObjAndBothKindsOfStlAreRead) {
  for (const auto& [text, file] :
       {std::pair(kObj, "a.obj"), {stl(facets()), "a.STL"}, {binary(facets()), "a.stl"}}) {
    SCOPED_TRACE(file);
    const auto result = parse_mesh(text, file);
    if (const auto* problems = std::get_if<SceneProblems>(&result)) {
      ADD_FAILURE() << to_text(problems->front());
      continue;
    }
    const auto& [mesh, repeated] = std::get<MeshText>(result);
    EXPECT_EQ(repeated, 0);
    EXPECT_EQ(mesh.vertices.size(), 4u);
    EXPECT_EQ(mesh.faces.size(), 4u);
    const body::Moments m = solid(mesh, 1);
    EXPECT_NEAR(m.volume, 4, 1e-14);
    EXPECT_LE((m.com() - Vec3(0.5, 0.75, 1)).norm(), 1e-14);
  }
}

TEST(MeshFile, FacesThatStandTwiceAreLeftOut) {
  const auto result = parse_mesh(kObj + "f 3 2 1\nf 4 3 1\n", "a.obj");
  ASSERT_TRUE(std::holds_alternative<MeshText>(result));
  EXPECT_EQ(std::get<MeshText>(result).repeated, 2);
  EXPECT_NEAR(solid(std::get<MeshText>(result).mesh, 1).volume, 4, 1e-14);
}

std::string complaint(const std::string& text, const std::string& file) {
  const auto result = parse_mesh(text, file);
  const auto* problems = std::get_if<SceneProblems>(&result);
  return problems ? to_text(problems->front()) : "nothing";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(MeshFile, WhatIsWrongHasItsLine) {
  EXPECT_EQ(complaint(with(kObj, "v 0 3 0", "v 0 3"), "a.obj"),
            "a.obj:5:1: 'v' needs three numbers");
  EXPECT_EQ(complaint(with(kObj, "v 0 3 0", "v 0 3 y"), "a.obj"), "a.obj:5:1: 'y' is not a number");
  EXPECT_EQ(complaint(with(kObj, "v 0 3 0", "v 0 inf 0"), "a.obj"),
            "a.obj:5:1: 'inf' is not a number");
  EXPECT_EQ(complaint(with(kObj, "f 1 4 3", "f 1 0 3"), "a.obj"), "a.obj:12:1: '0' is no vertex");
  EXPECT_EQ(complaint(with(kObj, "-3 -2 -1", "-5 -2 -1"), "a.obj"),
            "a.obj:11:1: there is no vertex -5 yet");
  EXPECT_EQ(complaint(with(kObj, "f 1 4 3", "f 1 4 7"), "a.obj"),
            "a.obj:12:1: there is no vertex 7");
  EXPECT_EQ(complaint(with(kObj, "f 1 4 3\n", ""), "a.obj"),
            "a.obj:9:1: the edge from (0, 0, 0) to (0, 3, 0) has no other face: the surface is "
            "open there");
  auto open = facets();
  open.pop_back();
  EXPECT_EQ(complaint(stl(open), "a.stl"),
            "a.stl:2:1: the edge from (0, 0, 0) to (0, 3, 0) has no other face: the surface is "
            "open there");
  EXPECT_EQ(
      complaint(binary(open), "a.stl"),
      "a.stl: facet 1: the edge from (0, 0, 0) to (0, 3, 0) has no other face: the surface is open "
      "there");
  EXPECT_EQ(complaint(with(stl(facets()), "vertex", "vertix"), "a.stl"),
            "a.stl:4:1: 'vertix' is no word of STL");
  EXPECT_EQ(complaint(binary(facets()).substr(0, 150), "a.stl"),
            "a.stl: is cut off: 4 facets need 284 bytes, it has 150");
  EXPECT_EQ(complaint(kObj, "a.ply"), "a.ply: meshes are read from files that end in .obj or .stl");
  EXPECT_EQ(complaint("", "a.obj"), "a.obj: there are no faces");
}

}  // namespace
}  // namespace trammel::io::mesh_file_test

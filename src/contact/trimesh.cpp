#include "contact/trimesh.h"

#include <fmt/core.h>

#include <map>
#include <numeric>

#include "body/mesh_triangles.h"
#include "math/index.h"

namespace trammel::contact {

namespace {

constexpr double kFlat = 1e-6;  // sine of the angle below which neighbours are coplanar

void add_triangles(const body::Mesh& mesh, Trimesh& out) {
  for (const std::vector<int>& face : mesh.faces)
    for (const std::array<int, 3>& corners : body::triangles_of(mesh, face)) {
      Trimesh::Triangle t{corners, {}, {-1, -1, -1}, Vec3::Zero(), -1};
      const Vec3 &a = out.vertices[at(t.at[0])], &b = out.vertices[at(t.at[1])],
                 &c = out.vertices[at(t.at[2])];
      t.normal = (b - a).cross(c - a);
      const double longest = std::max({(b - a).norm(), (c - a).norm(), (c - b).norm()});
      if (!(t.normal.norm() > 1e-12 * longest * longest)) continue;  // covers nothing
      t.normal.normalize();
      out.triangles.push_back(t);
    }
}

void link_edges(Trimesh& mesh) {
  std::map<std::pair<int, int>, std::pair<int, int>> first;  // side and number, by ends
  for (int f = 0; f < count(mesh.triangles); ++f)
    for (int k = 0; k < 3; ++k) {
      Trimesh::Triangle& t = mesh.triangles[at(f)];
      const int a = t.at[at(k)], b = t.at[at((k + 1) % 3)];
      const int number = count(first);
      const auto [it, fresh] = first.insert({std::minmax({a, b}), {3 * f + k, number}});
      t.edge[at(k)] = it->second.second;
      if (fresh) continue;
      const int other = it->second.first / 3, side = it->second.first % 3;
      if (mesh.triangles[at(other)].beside[at(side)] >= 0) continue;  // more than two: a border
      t.beside[at(k)] = other;
      mesh.triangles[at(other)].beside[at(side)] = f;
    }
}

void find_patches(Trimesh& mesh) {
  int n = 0;
  for (int f = 0; f < count(mesh.triangles); ++f) {
    if (mesh.triangles[at(f)].patch >= 0) continue;
    std::vector<int> todo{f};
    mesh.triangles[at(f)].patch = n;
    while (!todo.empty()) {
      const Trimesh::Triangle& t = mesh.triangles[at(todo.back())];
      todo.pop_back();
      for (const int g : t.beside) {
        if (g < 0 || mesh.triangles[at(g)].patch >= 0) continue;
        const Vec3& m = mesh.triangles[at(g)].normal;
        // all of a patch like its first: what bends slowly is no plane
        const Vec3& first = mesh.triangles[at(f)].normal;
        if (m.cross(first).norm() > kFlat || m.dot(first) < 0) continue;
        mesh.triangles[at(g)].patch = n;
        todo.push_back(g);
      }
    }
    ++n;
  }
}

void find_corners(Trimesh& mesh) {
  mesh.around.resize(mesh.vertices.size());
  mesh.inner.assign(mesh.vertices.size(), 1);
  for (const Trimesh::Triangle& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const int a = t.at[at(k)], b = t.at[at((k + 1) % 3)], g = t.beside[at(k)];
      mesh.around[at(a)].push_back(b);
      mesh.around[at(b)].push_back(a);
      if (g < 0 || mesh.triangles[at(g)].patch != t.patch)
        mesh.inner[at(a)] = mesh.inner[at(b)] = 0;
    }
}

Aabb box_of_triangle(const Trimesh& mesh, int i) {
  const auto& t = mesh.triangles[at(i)];
  const Vec3 &a = mesh.vertices[at(t.at[0])], &b = mesh.vertices[at(t.at[1])],
             &c = mesh.vertices[at(t.at[2])];
  return {a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c)};
}

/// Halves at the median along the longest axis.
void split(Trimesh& mesh, int node, int first, int n) {
  Aabb box = box_of_triangle(mesh, mesh.order[at(first)]);
  for (int i = 1; i < n; ++i) {
    const Aabb b = box_of_triangle(mesh, mesh.order[at(first + i)]);
    box = {box.least.cwiseMin(b.least), box.most.cwiseMax(b.most)};
  }
  mesh.nodes[at(node)] = {box, first, n};
  if (n <= 4) return;
  int axis = 0;
  (box.most - box.least).maxCoeff(&axis);
  const auto middle = [&](int i) {
    const Aabb b = box_of_triangle(mesh, i);
    return b.least[axis] + b.most[axis];
  };
  const auto begin = mesh.order.begin() + first;
  std::nth_element(begin, begin + n / 2, begin + n, [&](int a, int b) {
    const double x = middle(a), y = middle(b);
    return x != y ? x < y : a < b;
  });
  const int children = count(mesh.nodes);
  mesh.nodes.resize(mesh.nodes.size() + 2);
  mesh.nodes[at(node)].first = children;
  mesh.nodes[at(node)].count = 0;
  split(mesh, children, first, n / 2);
  split(mesh, children + 1, first + n / 2, n - n / 2);
}

/// Without the tree.
void finish(Trimesh& mesh) {
  link_edges(mesh);
  find_patches(mesh);
  find_corners(mesh);
}

}  // namespace

MeshOrFault trimesh_of(const body::Mesh& mesh) {
  if (const auto wrong = body::surface_faults(mesh); !wrong.empty())
    return {nullptr, wrong[0].text};
  auto out = std::make_shared<Trimesh>();
  out->vertices = mesh.vertices;
  add_triangles(mesh, *out);
  if (out->triangles.empty()) return {nullptr, "has no face that covers anything"};
  finish(*out);
  out->order.resize(out->triangles.size());
  std::iota(out->order.begin(), out->order.end(), 0);
  out->nodes.resize(1);
  split(*out, 0, 0, count(out->order));
  return {std::move(out), {}};
}

GridOrFault grid_of(int nx, int ny, double dx, double dy, const std::vector<double>& heights) {
  if (nx < 2 || ny < 2) return {nullptr, "needs two points or more along x and y"};
  if (!(dx > 0 && dy > 0)) return {nullptr, "needs steps greater than 0"};
  if (heights.size() != at(nx) * at(ny))
    return {nullptr, fmt::format("has {} heights; {} by {} points need {}", heights.size(), nx, ny,
                                 at(nx) * at(ny))};
  auto out = std::make_shared<Grid>();
  out->nx = nx, out->ny = ny, out->dx = dx, out->dy = dy;
  body::Mesh mesh;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) {
      const double z = heights[at(i * ny + j)];
      if (!std::isfinite(z))
        return {nullptr, fmt::format("has no finite height at ({}, {})", i, j)};
      out->surface.vertices.emplace_back(i * dx, j * dy, z);
      if (i + 1 == nx || j + 1 == ny) continue;
      const int a = i * ny + j, b = a + ny;
      mesh.faces.push_back({a, b, b + 1});
      mesh.faces.push_back({a, b + 1, a + 1});
    }
  mesh.vertices = out->surface.vertices;
  add_triangles(mesh, out->surface);
  finish(out->surface);
  return {std::move(out), {}};
}

}  // namespace trammel::contact

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "body/mesh.h"
#include "contact/broad.h"

namespace trammel::contact {

struct MeshHulls;

/// A surface of triangles; solid is what is behind them. Coplanar neighbours form patches: edges
/// and corners within a patch are nothing that touches.
struct Trimesh {
  struct Triangle {
    std::array<int, 3> at;      // vertices, counterclockwise seen from outside
    std::array<int, 3> edge;    // numbers of edges, from each corner to the next
    std::array<int, 3> beside;  // triangles across the edges; -1: none
    Vec3 normal;
    int patch;
  };
  struct Node {
    Aabb box;
    int first, count;  // triangles in `order`; count 0: the nodes `first` and first + 1
  };

  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
  std::vector<std::vector<int>> around;  // vertices next to each vertex
  std::vector<char> inner;               // of vertices: within a patch
  std::vector<Node> nodes;
  std::vector<int> order;
  std::shared_ptr<const MeshHulls> hulls;  // of the solid within; null: it meets no surface

  /// f(triangle) of those whose boxes may overlap this one.
  template <class F>
  void for_near(const Aabb& box, const F& f) const {
    std::array<int, 128> todo;
    int n = 0;
    if (!nodes.empty()) todo[0] = 0, n = 1;
    while (n > 0) {
      const Node& node = nodes[static_cast<std::size_t>(todo[static_cast<std::size_t>(--n)])];
      if (!overlap(node.box, box)) continue;
      for (int i = 0; i < node.count; ++i) f(order[static_cast<std::size_t>(node.first + i)]);
      if (node.count > 0) continue;
      todo[static_cast<std::size_t>(n++)] = node.first;
      todo[static_cast<std::size_t>(n++)] = node.first + 1;
    }
  }
};

/// Heights over the points of a rectangle, from S along x and y; two triangles a cell.
struct Grid {
  int nx = 0, ny = 0;     // points
  double dx = 0, dy = 0;  // [m]
  Trimesh surface;        // without a tree; triangles 2 (i ny' + j) and the next are of cell (i, j)

  template <class F>
  void for_near(const Aabb& box, const F& f) const {
    const auto cell = [](double x, double step, int cells) {
      const double i = std::floor(x / step);
      return i < -1 ? -1 : i > cells ? cells : static_cast<int>(i);
    };
    const int x0 = std::max(0, cell(box.least.x(), dx, nx - 1));
    const int x1 = std::min(nx - 2, cell(box.most.x(), dx, nx - 1));
    const int y0 = std::max(0, cell(box.least.y(), dy, ny - 1));
    const int y1 = std::min(ny - 2, cell(box.most.y(), dy, ny - 1));
    for (int i = x0; i <= x1; ++i)
      for (int j = y0; j <= y1; ++j)
        for (const int k : {0, 1}) f(2 * (i * (ny - 1) + j) + k);
  }
};

struct MeshOrFault {
  std::shared_ptr<const Trimesh> mesh;
  std::string fault;  // a sentence
};
/// Of a surface, open or closed; faces of more than three corners are parted like a fan.
MeshOrFault trimesh_of(const body::Mesh& mesh);

struct GridOrFault {
  std::shared_ptr<const Grid> grid;
  std::string fault;
};
/// heights[i * ny + j] is that at x = i dx, y = j dy [m].
GridOrFault grid_of(int nx, int ny, double dx, double dy, const std::vector<double>& heights);

}  // namespace trammel::contact

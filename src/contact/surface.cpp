#include "contact/surface.h"

#include <algorithm>
#include <cmath>

#include "contact/direction.h"
#include "contact/gjk.h"
#include "contact/manifold.h"
#include "contact/narrow.h"

namespace trammel::contact {

namespace {

constexpr double kInCone = 1e-9;  // sine by which a direction may lean out of where it belongs

/// How deep a triangle is, below zero, by the shortest way out and along its normal.
struct Left {
  double gap = 0, face = 0;
};

class One {
 public:
  One(const Trimesh& mesh, int triangle, const Vec3& origin, const Convex& B, double margin,
      std::vector<Point>& out)
      : mesh_(mesh), t_(mesh.triangles[at(triangle)]), B_(B), margin_(margin), out_(out) {
    A_.core = Convex::Core::triangle;
    for (int k = 0; k < 3; ++k) A_.corners[at(k)] = mesh.vertices[at(t_.at[at(k)])] - origin;
    size_ = scale(A_) + scale(B);
  }

  /// What it gives is how deep the triangle is in B, where others are to say by which way out.
  Left run() {
    const Vec3& n = t_.normal;
    if (n.dot(middle(B_) - A_.corners[0]) < 0) return {};  // behind
    const double far_off = margin_ + B_.radius + 1e-11 * size_;
    const double face = n.dot(support(B_, -n).p - A_.corners[0]);
    if (face > far_off) return {};
    const std::size_t before = out_.size();
    if (face > -0.02 * scale(B_) - B_.radius && add_along_face(face)) return rename(before);
    out_.resize(before);
    const bool curved = is_smooth(B_) || B_.core == Convex::Core::round;
    const Nearest c =
        curved ? nearest_by_direction(A_, B_, far_off, size_) : nearest(A_, B_, far_off);
    if (c.gap > far_off) return {};
    switch (judge(c)) {
      case Way::own:
        add_along(c);
        break;
      case Way::face:
        add_along_face(face);
        break;
      case Way::others:
        if (c.gap >= 0) return {};
        if (rises_at(c) && add_points(A_, B_, t_.normal, margin_, out_) < 0) break;
        out_.resize(before);
        return {c.gap - B_.radius, face - B_.radius};
    }
    return rename(before);
  }

  /// Out of the triangle along its normal, whatever lies about it.
  void add_way_out() {
    const std::size_t before = out_.size();
    if (!(add_points(A_, B_, t_.normal, margin_, out_) < 0)) {
      out_.resize(before);
      const Support low = support(B_, -t_.normal);
      const double gap = t_.normal.dot(low.p - A_.corners[0]);
      Nearest c;
      c.p_A = low.p - gap * t_.normal;
      c.p_B = low.p;
      c.n = t_.normal;
      c.gap = gap;
      c.a = {kFace, kFace};
      c.b = {low.id, low.id};
      add_point(c);
    }
    rename(before);
  }

 private:
  enum class Way { own, face, others };

  /// A ball or an ellipsoid.
  bool has_one_point() const { return B_.core == Convex::Core::point || is_smooth(B_); }

  /// True: they touch along the normal.
  bool add_along_face(double face) {
    if (has_one_point()) {
      const Vec3 low = support(B_, -t_.normal).p, q = low - face * t_.normal;
      for (int k = 0; k < 3; ++k) {
        const Vec3 &a = A_.corners[at(k)], &b = A_.corners[at((k + 1) % 3)];
        if (t_.normal.dot((b - a).cross(q - a)) < 0) return false;
      }
      Nearest c;
      c.p_A = q;
      c.p_B = low;
      c.n = t_.normal;
      c.gap = face;
      c.a = {kFace, kFace};
      add_point(c);
      return true;
    }
    return add_points(A_, B_, t_.normal, margin_, out_) <= face - B_.radius + 1e-12 * size_;
  }

  void add_point(const Nearest& c) {
    const double gap = c.gap - B_.radius;
    if (gap > margin_) return;
    out_.push_back({0, 0, feature_of(c.a[0], c.a[1], c.b[0], c.b[1]), c.p_A,
                    c.p_B - B_.radius * c.n, c.n, gap});
  }

  void add_along(const Nearest& c) {
    if (has_one_point()) return add_point(c);
    const double least = add_points(A_, B_, c.n, margin_, out_);
    if (!(least <= c.gap - B_.radius + 1e-9 * size_)) add_point(c);
  }

  /// Whether the direction belongs to the feature of the triangle that it comes from.
  Way judge(const Nearest& c) const {
    const double along = c.n.dot(t_.normal);
    if (c.a[0] == kFace || std::abs(along) > 1 - 1e-11) return along > 0 ? Way::face : Way::others;
    const Way way = c.a[0] == c.a[1] ? judge_corner(c.a[0], c.n) : judge_edge(c.a, c.n);
    return way == Way::own && along < 0 && !is_border(c) ? Way::others : way;  // no way inwards
  }

  bool is_border(const Nearest& c) const {
    const auto none = [&](int k) { return t_.beside[at(k)] < 0; };
    if (c.a[0] != c.a[1]) return none(c.a[1] - c.a[0] == 1 ? c.a[0] : 2);
    return none(c.a[0]) || none((c.a[0] + 2) % 3);
  }

  Way judge_edge(const std::array<int, 2>& ends, const Vec3& n) const {
    const int k = ends[1] - ends[0] == 1 ? ends[0] : 2;
    const int g = t_.beside[at(k)];
    if (g < 0) return Way::own;
    const auto& other = mesh_.triangles[at(g)];
    if (other.patch == t_.patch) return Way::face;
    const Vec3& a = mesh_.vertices[at(t_.at[at(k)])];
    for (const int i : other.at) {
      const Vec3 d = mesh_.vertices[at(i)] - a;
      if (n.dot(d) > kInCone * d.norm()) return Way::others;
    }
    return Way::own;
  }

  Way judge_corner(int k, const Vec3& n) const {
    for (const int edge : {k, (k + 2) % 3}) {
      const int g = t_.beside[at(edge)];
      if (g >= 0 && mesh_.triangles[at(g)].patch == t_.patch && leans(k, n)) return Way::face;
    }
    return leans(k, n) ? Way::others : Way::own;
  }

  /// Whether the surface about the edge or the corner that the direction comes from rises over the
  /// triangle's plane: no way out by the edge or corner, then, is one of the whole surface.
  bool rises_at(const Nearest& c) const {
    const auto rises = [&](int i) {
      const Vec3 d = mesh_.vertices[at(i)] - mesh_.vertices[at(t_.at[0])];
      return t_.normal.dot(d) > kInCone * size_;
    };
    if (c.a[0] == kFace) return false;
    if (c.a[0] != c.a[1]) {
      const int g = t_.beside[at(c.a[1] - c.a[0] == 1 ? c.a[0] : 2)];
      if (g < 0) return false;
      const auto& other = mesh_.triangles[at(g)].at;
      return std::any_of(other.begin(), other.end(), rises);
    }
    const auto& around = mesh_.around[at(t_.at[at(c.a[0])])];
    return std::any_of(around.begin(), around.end(), rises);
  }

  /// Over an edge at corner k.
  bool leans(int k, const Vec3& n) const {
    const Vec3& a = mesh_.vertices[at(t_.at[at(k)])];
    for (const int i : mesh_.around[at(t_.at[at(k)])]) {
      const Vec3 d = mesh_.vertices[at(i)] - a;
      if (n.dot(d) > kInCone * d.norm()) return true;
    }
    return false;
  }

  /// From corners of the triangle to features of the surface; those within a patch are left out.
  Left rename(std::size_t before) {
    std::size_t kept = before;
    for (std::size_t i = before; i < out_.size(); ++i) {
      const int a1 = static_cast<int>(out_[i].feature >> 45 & kFace);
      const int a2 = static_cast<int>(out_[i].feature >> 30 & kFace);
      std::int64_t name = 0;
      if (a1 == kFace) {
        name = std::int64_t{2} << 28 | t_.patch;
      } else if (a1 == a2) {
        if (mesh_.inner[at(t_.at[at(a1)])]) continue;
        name = t_.at[at(a1)];
      } else {
        const int k = a2 - a1 == 1 ? a1 : 2, g = t_.beside[at(k)];
        if (g >= 0 && mesh_.triangles[at(g)].patch == t_.patch) continue;
        name = std::int64_t{1} << 28 | t_.edge[at(k)];
      }
      out_[kept] = out_[i];
      out_[kept++].feature = name << 30 | (out_[i].feature & ((std::int64_t{1} << 30) - 1));
    }
    out_.resize(kept);
    return {};
  }

  const Trimesh& mesh_;
  const Trimesh::Triangle& t_;
  const Convex& B_;
  Convex A_;
  double margin_, size_;
  std::vector<Point>& out_;
};

/// The triangle of the grid above or below a point of S, if it is one of its rectangle; -1.
int triangle_at(const Grid& grid, const Vec3& p) {
  const double x = p.x() / grid.dx, y = p.y() / grid.dy;
  if (!(x >= 0 && y >= 0 && x < grid.nx - 1 && y < grid.ny - 1)) return -1;
  const int cell = static_cast<int>(x) * (grid.ny - 1) + static_cast<int>(y);
  return 2 * cell + (x - std::floor(x) >= y - std::floor(y) ? 0 : 1);
}

/// True where the middle of B lies in the ground of a grid, which is solid below: the way out is
/// that of the triangle above it.
bool touch_buried(const Grid& grid, const Vec3& origin, const Convex& B, double margin,
                  std::vector<Point>& out) {
  const Vec3 inside = middle(B);
  const int above = triangle_at(grid, origin + inside);
  if (above < 0) return false;
  const Trimesh::Triangle& t = grid.surface.triangles[at(above)];
  if (t.normal.dot(origin + inside - grid.surface.vertices[at(t.at[0])]) >= 0) return false;
  One(grid.surface, above, origin, B, margin, out).add_way_out();
  return true;
}

}  // namespace

Aabb box_of(const Bounds& b, const Pose& X, double margin) {
  const Vec3 middle = X.p + X.R * b.middle;
  const Vec3 half = X.R.cwiseAbs() * b.half + Vec3::Constant(margin);
  return {middle - half, middle + half};
}

void touch_surface(const Shape& surface, const Pose& X_AB, Convex B, const Bounds& of_B,
                   double margin, std::vector<Point>& out) {
  B.X = {Vec3::Zero(), X_AB.R};
  if (surface.grid && touch_buried(*surface.grid, X_AB.p, B, margin, out)) return;
  Aabb box = box_of(of_B, X_AB, 0);
  const Vec3 wide = Vec3::Constant(margin + 1e-11 * (box.most - box.least).sum());
  box = {box.least - wide, box.most + wide};
  const Trimesh& mesh = surface.grid ? surface.grid->surface : *surface.mesh;
  const std::size_t before = out.size();
  Left left;
  int left_at = -1;
  const auto touch_one = [&](int i) {
    const Left l = One(mesh, i, X_AB.p, B, margin, out).run();
    if (l.gap < 0 && (left_at < 0 || l.face > left.face)) left = l, left_at = i;
  };
  if (surface.grid)
    surface.grid->for_near(box, touch_one);
  else
    mesh.for_near(box, touch_one);
  if (left_at < 0) return;
  // it leaves that to others: one of them is to be there
  const auto is_in = [&](const Point& p) { return p.gap < left.gap / 2; };
  if (std::none_of(out.begin() + static_cast<long>(before), out.end(), is_in))
    One(mesh, left_at, X_AB.p, B, margin, out).add_way_out();
}

bool comes_in(const Shape& surface, const Vec3& from, const Vec3& to) {
  const Trimesh& mesh = surface.grid ? surface.grid->surface : *surface.mesh;
  bool out = false;
  const auto look = [&](int i) {
    const Trimesh::Triangle& t = mesh.triangles[at(i)];
    const auto corner = [&](int k) -> const Vec3& { return mesh.vertices[at(t.at[at(k)])]; };
    const double before = t.normal.dot(from - corner(0)), after = t.normal.dot(to - corner(0));
    if (!(before >= 0 && after < 0)) return;
    const Vec3 through = from + before / (before - after) * (to - from);
    bool within = true;
    for (int k = 0; k < 3; ++k) {
      const Vec3 edge = corner((k + 1) % 3) - corner(k);
      within = within && t.normal.dot(edge.cross(through - corner(k))) >=
                             -kInCone * edge.norm() * (through - corner(k)).norm();
    }
    out = out || within;
  };
  const Aabb box{from.cwiseMin(to), from.cwiseMax(to)};
  if (surface.grid)
    surface.grid->for_near(box, look);
  else
    mesh.for_near(box, look);
  return out;
}

void sort_by_feature(std::vector<Point>& out, std::size_t first) {
  std::size_t end = first + 1;
  for (std::size_t i = first + 1; i < out.size(); ++i) {
    const Point point = out[i];
    std::size_t k = end;
    while (k > first && out[k - 1].feature > point.feature) --k;
    if (k > first && out[k - 1].feature == point.feature) {
      if (point.gap < out[k - 1].gap) out[k - 1] = point;
      continue;
    }
    for (std::size_t j = end; j > k; --j) out[j] = out[j - 1];
    out[k] = point;
    ++end;
  }
  out.resize(end);
}

}  // namespace trammel::contact

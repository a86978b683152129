#include "contact/surface.h"

#include <cmath>

#include "contact/gjk.h"
#include "contact/manifold.h"
#include "contact/narrow.h"
#include "contact/polish.h"

namespace trammel::contact {

namespace {

constexpr double kInCone = 1e-9;  // sine by which a direction may lean out of where it belongs

class One {
 public:
  One(const Trimesh& mesh, int triangle, const Vec3& origin, const Convex& B, double margin,
      std::vector<Point>& out)
      : mesh_(mesh), t_(mesh.triangles[at(triangle)]), B_(B), margin_(margin), out_(out) {
    A_.core = Convex::Core::triangle;
    for (int k = 0; k < 3; ++k) A_.corners[at(k)] = mesh.vertices[at(t_.at[at(k)])] - origin;
    size_ = scale(A_) + scale(B);
  }

  void run() {
    const Vec3& n = t_.normal;
    if (n.dot(middle(B_) - A_.corners[0]) < 0) return;  // behind
    const double far_off = margin_ + B_.radius + 1e-11 * size_;
    const double face = n.dot(support(B_, -n).p - A_.corners[0]);
    if (face > far_off) return;
    const std::size_t before = out_.size();
    if (face > -0.02 * scale(B_) - B_.radius && add_along_face(face)) return rename(before);
    out_.resize(before);
    Nearest c = nearest(A_, B_, far_off);
    if (c.gap > far_off) return;
    if (B_.core == Convex::Core::round) c = polished(A_, B_, c, size_);
    switch (judge(c)) {
      case Way::own:
        add_along(c);
        break;
      case Way::face:
        add_along_face(face);
        break;
      case Way::others:
        return;
    }
    rename(before);
  }

 private:
  enum class Way { own, face, others };

  /// True: they touch along the normal.
  bool add_along_face(double face) {
    if (B_.core == Convex::Core::point) {
      const Vec3 q = B_.X.p - face * t_.normal;
      for (int k = 0; k < 3; ++k) {
        const Vec3 &a = A_.corners[at(k)], &b = A_.corners[at((k + 1) % 3)];
        if (t_.normal.dot((b - a).cross(q - a)) < 0) return false;
      }
      Nearest c;
      c.p_A = q;
      c.p_B = B_.X.p;
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
    if (B_.core == Convex::Core::point) return add_point(c);
    const double least = add_points(A_, B_, c.n, margin_, out_);
    if (!(least <= c.gap - B_.radius + 1e-9 * size_)) add_point(c);
  }

  /// Whether the direction belongs to the feature of the triangle that it comes from.
  Way judge(const Nearest& c) const {
    const double along = c.n.dot(t_.normal);
    if (c.a[0] == kFace || std::abs(along) > 1 - 1e-11) return along > 0 ? Way::face : Way::others;
    return c.a[0] == c.a[1] ? judge_corner(c.a[0], c.n) : judge_edge(c.a, c.n);
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
  void rename(std::size_t before) {
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
  }

  const Trimesh& mesh_;
  const Trimesh::Triangle& t_;
  const Convex& B_;
  Convex A_;
  double margin_, size_;
  std::vector<Point>& out_;
};

}  // namespace

void touch_triangle(const Trimesh& mesh, int triangle, const Vec3& origin, const Convex& B,
                    double margin, std::vector<Point>& out) {
  One(mesh, triangle, origin, B, margin, out).run();
}

}  // namespace trammel::contact

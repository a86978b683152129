#include "contact/detector.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "contact/broad.h"
#include "contact/convex.h"
#include "contact/manifold.h"
#include "contact/mesh_hulls.h"
#include "contact/narrow.h"
#include "contact/seams.h"
#include "contact/surface.h"
#include "contact/trimesh.h"
#include "math/parallel.h"

namespace trammel::contact {

namespace {

constexpr int kPlaceGrain = 512;  // shapes

bool is_unbounded(Shape::Kind kind) {
  return kind == Shape::Kind::plane || kind == Shape::Kind::half_space;
}

/// Tighter than the box about its box.
Aabb box_of_round_ends(const Convex& c, double margin) {
  const Vec3 half = (c.X.R.col(2) * c.size.z()).cwiseAbs() + Vec3::Constant(c.radius + margin);
  return {c.X.p - half, c.X.p + half};
}

Aabb box_of_ellipsoid(const Convex& c, double margin) {
  const Mat3 stretched = c.X.R * c.size.asDiagonal();
  const Vec3 half = stretched.rowwise().norm() + Vec3::Constant(margin);
  return {c.X.p - half, c.X.p + half};
}

/// Corners of a mesh on a plane through `origin`, seen from where the mesh lies.
void add_corners_on_plane(const Vec3& origin, const Vec3& n, const Trimesh& mesh, const Mat3& R,
                          double margin, std::vector<Point>& out) {
  for (int i = 0; i < count(mesh.vertices); ++i) {
    if (mesh.inner[at(i)]) continue;
    const Vec3 p = R * mesh.vertices[at(i)];
    const double gap = n.dot(p - origin);
    if (gap > margin) continue;
    const std::int64_t plane = feature_of(kFace, kFace, 0, 0);
    out.push_back({0, 0, plane | i, p - gap * n, p, n, gap});
  }
}

}  // namespace

struct Detector::Self {
  std::vector<Placed> shapes;
  PairRule rule;
  Seams seams;
  std::vector<Convex> convex;
  std::vector<Bounds> local;
  std::vector<int> bounded, unbounded;
  std::vector<Pose> X;      // of shapes
  std::vector<Aabb> boxes;  // of `bounded`
  Broad broad;
  std::vector<std::pair<int, int>> on_planes, all;
  std::vector<std::vector<Point>> pieces;  // of threads
  std::vector<std::size_t> first_of_piece;
  int candidates = 0;

  void check() const;
  void place(std::span<const Pose> X_WO, std::span<const double> margin);
  void find_on_planes(std::span<const double> margin);
  void touch_pair(int A, int B, double margin, std::vector<Point>& out) const;
  void touch_all(std::span<const double> margin, std::vector<Point>& out);
  void touch_surface(int A, int B, double margin, std::vector<Point>& out) const;
  void touch_plane(int A, int B, double margin, std::vector<Point>& out) const;
  void touch_solids(int A, int B, double margin, std::vector<Point>& out) const;
  bool as_hulls(int A, int B) const {
    return stands_as_hulls(shapes[at(A)].shape, shapes[at(B)].shape);
  }
  bool lacks_hulls(int A, int B) const {
    return is_surface(shapes[at(A)].shape.kind) && is_surface(shapes[at(B)].shape.kind) &&
           !as_hulls(A, B) && !as_hulls(B, A);
  }
  bool wanted(int A, int B) const {
    return rule.may_meet(shapes[at(A)].object, shapes[at(B)].object);
  }
};

/// Objects are few kinds of shapes: only those pairs are looked through that cannot meet.
void Detector::Self::check() const {
  std::vector<int> other;
  for (int i = 0; i < count(shapes); ++i)
    if (!is_convex(shapes[at(i)].shape.kind)) other.push_back(i);
  for (const int i : other)
    for (const int j : other)
      if (i < j && wanted(i, j) &&
          (!can_meet(shapes[at(i)].shape.kind, shapes[at(j)].shape.kind) || lacks_hulls(i, j)))
        throw std::invalid_argument(fmt::format(
            "shapes {} ({}) and {} ({}) may meet, but contact is found between pairs "
            "of which one is convex, or a mesh that has hulls",
            i, name_of(shapes[at(i)].shape.kind), j, name_of(shapes[at(j)].shape.kind)));
}

void Detector::Self::place(std::span<const Pose> X_WO, std::span<const double> margin) {
  parallel::for_pieces(count(shapes), kPlaceGrain, [&](int first, int last) {
    for (std::size_t i = at(first); i < at(last); ++i) {
      X[i] = X_WO[at(shapes[i].object)] * shapes[i].X_OS;
      convex[i].X = X[i];
    }
  });
  parallel::for_pieces(count(bounded), kPlaceGrain, [&](int first, int last) {
    for (std::size_t k = at(first); k < at(last); ++k) {
      const std::size_t i = at(bounded[k]);
      // with what rounding makes of a gap at the margin
      const double wide = margin[i] + 1e-11 * local[i].half.sum() + 1e-14 * X[i].p.norm();
      const Shape::Kind kind = shapes[i].shape.kind;
      const bool round = kind == Shape::Kind::sphere || kind == Shape::Kind::capsule;
      boxes[k] = kind == Shape::Kind::ellipsoid ? box_of_ellipsoid(convex[i], wide)
                 : round                        ? box_of_round_ends(convex[i], wide)
                                                : box_of(local[i], X[i], wide);
    }
  });
}

void Detector::Self::find_on_planes(std::span<const double> margin) {
  on_planes.clear();
  for (const int i : unbounded)
    for (std::size_t k = 0; k < bounded.size(); ++k) {
      if (!wanted(i, bounded[k])) continue;
      const Vec3 n = X[at(i)].R.col(2), half = (boxes[k].most - boxes[k].least) / 2;
      const double height = n.dot(boxes[k].least + half - X[at(i)].p);
      const double reach = n.cwiseAbs().dot(half) + margin[at(i)];
      const bool two_sided = shapes[at(i)].shape.kind == Shape::Kind::plane;
      if ((two_sided ? std::abs(height) : height) <= reach)
        on_planes.push_back(std::minmax(i, bounded[k]));
    }
  std::sort(on_planes.begin(), on_planes.end());
}

void Detector::Self::touch_plane(int A, int B, double margin, std::vector<Point>& out) const {
  Vec3 n = X[at(A)].R.col(2);
  const Vec3 origin = X[at(A)].p - X[at(B)].p;  // seen from B
  Convex there = convex[at(B)];
  there.X.p = Vec3::Zero();
  const Trimesh* mesh = shapes[at(B)].shape.mesh.get();
  const Vec3 inside = mesh ? Vec3(there.X.R * local[at(B)].middle) : middle(there);
  if (shapes[at(A)].shape.kind == Shape::Kind::plane && n.dot(inside - origin) < 0) n = -n;
  if (mesh)
    add_corners_on_plane(origin, n, *mesh, there.X.R, margin, out);
  else
    add_points_on_plane(origin, n, there, margin, out);
}

/// In the axes of the surface, and back.
void Detector::Self::touch_surface(int A, int B, double margin, std::vector<Point>& out) const {
  const std::size_t before = out.size();
  const Pose X_AB = inverse(X[at(A)]) * X[at(B)];
  const Shape &surface = shapes[at(A)].shape, &shape = shapes[at(B)].shape;
  if (stands_as_hulls(shape, surface))
    touch_hulls(surface, X_AB, *shape.mesh->hulls, margin, out);
  else
    contact::touch_surface(surface, X_AB, convex[at(B)], local[at(B)], margin, out);
  const Mat3& R = X[at(A)].R;
  for (std::size_t i = before; i < out.size(); ++i) {
    out[i].p_A = R * out[i].p_A;
    out[i].p_B = R * out[i].p_B;
    out[i].n = R * out[i].n;
  }
}

/// Convex shapes, or meshes as their hulls; from A's origin.
void Detector::Self::touch_solids(int A, int B, double margin, std::vector<Point>& out) const {
  const Vec3 p_AB = X[at(B)].p - X[at(A)].p;
  if (as_hulls(A, B)) {
    const auto &a = *shapes[at(A)].shape.mesh->hulls, &b = *shapes[at(B)].shape.mesh->hulls;
    return touch_hulls(a, {Vec3::Zero(), X[at(A)].R}, b, {p_AB, X[at(B)].R}, margin, out);
  }
  Convex a = convex[at(A)], b = convex[at(B)];
  a.X.p.setZero();
  b.X.p = p_AB;
  touch(a, b, margin, out);
}

void Detector::Self::touch_pair(int A, int B, double margin, std::vector<Point>& out) const {
  const std::size_t before = out.size();
  const bool plane_A = is_unbounded(shapes[at(A)].shape.kind);
  const bool plane_B = is_unbounded(shapes[at(B)].shape.kind);
  const bool surface_A = is_surface(shapes[at(A)].shape.kind) && !as_hulls(A, B);
  const bool surface_B = is_surface(shapes[at(B)].shape.kind) && !as_hulls(B, A);
  const bool seen_from_B = plane_A || (surface_A && !plane_B);
  const Vec3 origin = seen_from_B ? X[at(B)].p : X[at(A)].p;
  if (plane_A) {
    touch_plane(A, B, margin, out);
  } else if (plane_B || surface_B) {
    if (plane_B)
      touch_plane(B, A, margin, out);
    else
      touch_surface(B, A, margin, out);
    for (std::size_t i = before; i < out.size(); ++i) out[i] = swapped(out[i]);
  } else if (surface_A) {
    touch_surface(A, B, margin, out);
  } else {
    touch_solids(A, B, margin, out);
  }
  for (std::size_t i = before; i < out.size(); ++i) {
    out[i].A = A;
    out[i].B = B;
    out[i].p_A += origin;
    out[i].p_B += origin;
  }
  if (out.size() > before + 1) sort_by_feature(out, before);
  if (out.size() > before && seams.any(A, B) &&
      seams.hide(std::span(out).subspan(before), A, B, convex))
    out.resize(before);
}

Detector::Detector(std::vector<Placed> shapes, PairRule rule) : self_(std::make_unique<Self>()) {
  Self& s = *self_;
  s.shapes = std::move(shapes);
  s.rule = std::move(rule);
  s.check();
  s.seams = Seams(s.shapes);
  for (int i = 0; i < count(s.shapes); ++i) {
    const Shape& shape = s.shapes[at(i)].shape;
    s.convex.push_back(convex_of(shape));
    s.local.push_back(bounds(shape));
    (is_unbounded(shape.kind) ? s.unbounded : s.bounded).push_back(i);
  }
  s.X.resize(s.shapes.size());
  s.boxes.resize(s.bounded.size());
}

Detector::~Detector() = default;
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;

const std::vector<Placed>& Detector::shapes() const { return self_->shapes; }
int Detector::candidates() const { return self_->candidates; }

bool Detector::hides(std::span<const Point> points) const {
  return !points.empty() && self_->seams.any(points[0].A, points[0].B) &&
         self_->seams.hide(points, points[0].A, points[0].B, self_->convex);
}

void Detector::find(std::span<const Pose> X_WO, std::span<const double> margin,
                    std::vector<Point>& out) {
  Self& s = *self_;
  out.clear();
  s.place(X_WO, margin);
  s.find_on_planes(margin);
  const auto& pairs = s.broad.pairs(
      s.boxes, [&](int i, int j) { return s.wanted(s.bounded[at(i)], s.bounded[at(j)]); });
  s.all.clear();
  auto plane = s.on_planes.begin();
  for (const auto& [i, j] : pairs) {
    const std::pair pair{s.bounded[at(i)], s.bounded[at(j)]};
    for (; plane != s.on_planes.end() && *plane < pair; ++plane) s.all.push_back(*plane);
    s.all.push_back(pair);
  }
  s.all.insert(s.all.end(), plane, s.on_planes.end());
  s.candidates = count(s.all);
  s.touch_all(margin, out);
}

/// Threads take pieces, each with a list of its own: the order of the points is that of the pairs.
void Detector::Self::touch_all(std::span<const double> margin, std::vector<Point>& out) {
  constexpr int kGrain = 256;
  const auto touch = [&](int first, int last, std::vector<Point>& to) {
    for (int i = first; i < last; ++i) {
      const auto [A, B] = all[at(i)];
      touch_pair(A, B, margin[at(A)] + margin[at(B)], to);
    }
  };
  const int n = count(all);
  if (n < 2 * kGrain || parallel::threads() < 2) return touch(0, n, out);
  const int n_pieces = (n + kGrain - 1) / kGrain;
  if (count(pieces) < n_pieces) pieces.resize(at(n_pieces));
  parallel::for_each(n_pieces, [&](int p) {
    pieces[at(p)].clear();
    touch(p * kGrain, std::min(n, (p + 1) * kGrain), pieces[at(p)]);
  });
  std::vector<std::size_t>& first = first_of_piece;
  first.assign(at(n_pieces) + 1, 0);
  for (int p = 0; p < n_pieces; ++p) first[at(p) + 1] = first[at(p)] + pieces[at(p)].size();
  out.resize(first.back());
  parallel::for_each(n_pieces, [&](int p) {
    std::copy(pieces[at(p)].begin(), pieces[at(p)].end(),
              out.begin() + static_cast<long>(first[at(p)]));
  });
}

}  // namespace trammel::contact

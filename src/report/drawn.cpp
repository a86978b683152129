#include "report/drawn.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/dense.h"
#include "report/frames.h"
#include "report/header.h"

namespace trammel::report {

namespace {

/// Those of the viewer (viewer/src/theme.ts).
constexpr std::array kColors = {"#56a0d3", "#e0a030", "#3aa887", "#c987b0",
                                "#8c9fb5", "#d98354", "#b8b04a", "#7c8fd0"};
constexpr const char* kRail = "#6b6258";
constexpr const char* kScenery = "#b9c0c7";
constexpr double kStandardGauge = 1.435;  // [m]

/// The uniform box that has a mass and an inertia: Ixx Iyy Izz Ixy Ixz Iyz. Without any: a point.
Shape box_like(std::span<const double> row) {
  const double mass = row[0];
  const Vec3 com(row[1], row[2], row[3]);
  Mat3 I;
  I << row[4], row[7], row[8], row[7], row[5], row[9], row[8], row[9], row[6];
  Shape out;
  out.solid.kind = model::Solid::Kind::point;
  if (com.allFinite()) out.X_BS.p = com;
  if (!(mass > 0) || !I.allFinite() || !(I.trace() > 0)) return out;
  const dense::Axes3 axes = dense::principal_axes(I);
  const Vec3 I0 = axes.values;
  Vec3 edges;
  for (int k = 0; k < 3; ++k) edges[k] = std::sqrt(std::max(0., 6 * (I0.sum() - 2 * I0[k]) / mass));
  out.solid.kind = model::Solid::Kind::box;
  out.solid.size = edges.cwiseMax(0.02 * edges.maxCoeff());
  out.X_BS.R = axes.vectors;
  if (out.X_BS.R.determinant() < 0) out.X_BS.R.col(0) *= -1;
  return out;
}

/// Two rails where something runs on the track, as the viewer has them.
std::vector<Piece> rails(const Line& line, double size) {
  const double gauge = size > 0.15 ? kStandardGauge : 2.5 * size, width = 0.05 * gauge;
  std::vector<Piece> out;
  for (const double side : {-1., 1.})
    out.push_back({ribbon(line, side * (gauge + width) / 2, width), kRail, line.name});
  return out;
}

/// The least arm of a body along a track: [m].
double size_of(const io::Constants* bodies) {
  double out = std::numeric_limits<double>::infinity();
  if (bodies)
    for (std::size_t i = 0; i < bodies->items.size(); ++i) {
      const double* row = bodies->values.data() + i * bodies->columns.size();
      const double arm = std::sqrt((row[4] + row[5] + row[6]) / row[0] / 2);
      if (arm > 0) out = std::min(out, arm);
    }
  return std::isfinite(out) ? out : 1;
}

void pieces(DrawnBody& body, const std::vector<Shape>& shapes, const std::string& color,
            double point) {
  for (const Shape& s : shapes)
    if (!s.hole)
      body.pieces.push_back({tessellate(s, point), s.color.empty() ? color : s.color,
                             s.text.empty() ? body.name : s.text});
}

/// Each frame that is 1/fps after the one kept before it, and the last, which takes the place of
/// one that single precision does not tell from it.
std::vector<std::size_t> apart(const std::vector<double>& time, double fps) {
  std::vector<std::size_t> out;
  const auto single = [&](std::size_t i) { return static_cast<float>(time[i] - time[0]); };
  for (std::size_t i = 0; i < time.size(); ++i) {
    const double since = out.empty() ? 2 / fps : time[i] - time[out.back()];
    const bool last = i + 1 == time.size();
    const bool later = out.empty() || single(i) > single(out.back());
    if (later && (last || since > (1 - 1e-6) / fps))
      out.push_back(i);
    else if (last && out.size() > 1)
      out.back() = i;
  }
  return out;
}

/// Calls f(place among those kept, row) for a series, if it is there.
template <class F>
const io::Series* each(const io::ResultsReader& results, const char* path,
                       const std::vector<std::size_t>& kept, F f) {
  const auto& all = results.series();
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const io::Series& s) { return s.path == path; });
  if (it == all.end()) return nullptr;
  each_row(results, static_cast<std::size_t>(it - all.begin()), kept, f);
  return &*it;
}

void move(Drawn& out, const io::ResultsReader& results, const std::vector<std::size_t>& kept) {
  const std::size_t n = out.bodies.size();
  out.motion.resize(kept.size() * n);
  each(results, "/bodies/position", kept, [&](std::size_t k, const double* row) {
    for (std::size_t i = 0; i < n; ++i)
      out.motion[k * n + i].p = Vec3(row[3 * i], row[3 * i + 1], row[3 * i + 2]);
  });
  each(results, "/bodies/orientation", kept, [&](std::size_t k, const double* row) {
    for (std::size_t i = 0; i < n; ++i)
      out.motion[k * n + i].A = Quat(row[4 * i], row[4 * i + 1], row[4 * i + 2], row[4 * i + 3])
                                    .normalized()
                                    .toRotationMatrix();
  });
  each(results, "/bodies/velocity", kept, [&](std::size_t k, const double* row) {
    for (std::size_t i = 0; i < n; ++i)
      out.motion[k * n + i].speed = Vec3(row[3 * i], row[3 * i + 1], row[3 * i + 2]).norm();
  });
}

/// Affine bodies have their whole matrix, row after row.
void stretch(Drawn& out, const io::ResultsReader& results, const std::vector<std::size_t>& kept) {
  const auto& all = results.series();
  const auto it = std::find_if(all.begin(), all.end(),
                               [](const io::Series& s) { return s.path == "/bodies/affine"; });
  if (it == all.end()) return;
  std::vector<std::size_t> body;
  for (const std::string& name : it->items)
    for (std::size_t i = 0; i < out.bodies.size(); ++i)
      if (out.bodies[i].name == name) body.push_back(i);
  for (const std::size_t i : body) out.bodies[i].affine = true;
  each(results, "/bodies/affine", kept, [&](std::size_t k, const double* row) {
    for (std::size_t j = 0; j < body.size(); ++j)
      out.motion[k * out.bodies.size() + body[j]].A =
          Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(row + 9 * j);
  });
}

/// What has no size is drawn as a ball that is seen: a hundredth of what the bodies span at first.
double point_size(const Drawn& out) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (std::size_t i = 0; i < out.bodies.size() && !out.time.empty(); ++i) {
    low = low.cwiseMin(out.at(0, i).p);
    high = high.cwiseMax(out.at(0, i).p);
  }
  const double span = (high - low).norm();
  return std::isfinite(span) && span > 0 ? 0.01 * span : 0.05;
}

}  // namespace

double strain(const Mat3& A) { return (A.transpose() * A - Mat3::Identity()).norm(); }

Drawn drawn(const io::ResultsReader& results, double fps) {
  Drawn out;
  const Shown scene = shown(results.header());
  out.problem = scene.problem;
  const std::vector<double> time = results.time();
  const std::vector<std::size_t> kept = apart(time, fps);
  out.frames_of_run = time.size();
  for (const std::size_t i : kept) out.time.push_back(time[i]);
  const io::Constants* bodies = table_of(results.header(), "/model/bodies");
  if (bodies)
    for (const std::string& name : bodies->items) out.bodies.push_back({name, {}, false});
  move(out, results, kept);
  stretch(out, results, kept);
  const double point = point_size(out);
  for (std::size_t i = 0; i < out.bodies.size(); ++i) {
    DrawnBody& body = out.bodies[i];
    const auto own = scene.colors.find(body.name);
    const std::string color = own != scene.colors.end() ? own->second : kColors[i % kColors.size()];
    const auto it = scene.shapes.find(body.name);
    if (it != scene.shapes.end()) pieces(body, it->second, color, point);
    if (body.pieces.empty() && !scene.hidden.contains(body.name)) {
      const std::size_t width = bodies->columns.size();
      pieces(body, {box_like(std::span(bodies->values).subspan(i * width, width))}, color, point);
    }
  }
  for (const Shape& s : scene.scenery)
    out.still.push_back({tessellate(s, point), s.color.empty() ? kScenery : s.color,
                         s.text.empty() ? "scenery" : s.text});
  const double size = size_of(bodies);
  for (const Line& line : scene.tracks) {
    const auto carrier = std::find_if(out.bodies.begin(), out.bodies.end(),
                                      [&](const DrawnBody& b) { return b.name == line.body; });
    std::vector<Piece>& place = carrier == out.bodies.end() ? out.still : carrier->pieces;
    for (Piece& p : rails(line, size)) place.push_back(std::move(p));
  }
  return out;
}

}  // namespace trammel::report

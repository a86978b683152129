#pragma once

#include <string>
#include <utility>
#include <vector>

#include "math/types.h"
#include "plot/drawing.h"

/// Mechanisms as line drawings: solids seen from afar, their hidden lines thin.
namespace trammel::plot {

/// A body's looks.
struct Finish {
  std::string line, hidden, fill;
};

/// A solid: what hides others, and the lines that are drawn of it. Both in the picture's axes.
struct SketchSolid {
  /// A convex part: the points x with n.x <= c for each of its faces.
  struct Part {
    std::vector<std::pair<Vec3, double>> faces;
    std::vector<Vec3> corners;
  };
  std::vector<Part> parts;
  std::vector<std::vector<Vec3>> lines;
};

class Sketch {
 public:
  /// Seen from a direction: azimuth from x towards y, elevation above the plane x, y [rad].
  Sketch(double azimuth, double elevation);

  /// What is added from now on is in these axes, e.g. those of a joint.
  void place(const Mat3& axes) { axes_ = axes; }
  void finish(const Finish& finish) { finish_ = finish; }

  void box(const Pose& at, const Vec3& size);
  /// Along x from the middle; a bore makes a tube of it.
  void cylinder(const Pose& at, double radius, double length, double bore = 0);
  void ball(const Vec3& middle, double radius);
  /// From its base at the pose, its tip along x.
  void cone(const Pose& at, double radius, double height);
  /// The prism of a convex outline in y, z, along x from the middle.
  void prism(const Pose& at, const std::vector<std::pair<double, double>>& outline, double length);

  /// Lines that are no solid, but are hidden by them.
  void line(const std::vector<Vec3>& points, double width = 1.4);
  /// Over everything.
  void arrow(const Vec3& from, const Vec3& to, const std::string& text, const Pen& pen,
             bool both_ends);
  /// About an axis through a point, from a place to its image after the angle [rad].
  void turn(const Vec3& middle, const Vec3& axis, const Vec3& from, double angle,
            const std::string& text, const Pen& pen);
  void mark(const Vec3& at, double radius, const std::string& colour);
  void text(const Vec3& at, const Point& shift, const std::string& text, const std::string& colour);

  /// Fits it all into the room below `top` and above `bottom` [px].
  Drawing draw(double width, double height, double top, double bottom) const;

 private:
  struct Solid {
    SketchSolid solid;
    Finish finish;
  };
  struct Strand {
    std::vector<Vec3> points;
    Finish finish;
    double width;
  };
  struct Arrow {
    std::vector<Vec3> points;
    std::string text;
    Pen pen;
    bool both_ends;
  };
  struct Dot {
    Vec3 at;
    double radius;  // px
    std::string colour;
  };
  struct Word {
    Vec3 at;
    Point shift;  // px
    std::string text, colour;
  };
  struct View;

  Vec3 in(const Vec3& x) const { return axes_ * x; }
  Pose in(const Pose& at) const { return {axes_ * at.p, axes_ * at.R}; }
  void add(SketchSolid solid) { solids_.push_back({std::move(solid), finish_}); }
  void add_round(SketchSolid& solid, const Pose& at, double radius, double length) const;
  void draw_fills(Drawing& out, const View& view) const;
  void draw_lines(Drawing& out, const View& view) const;
  void draw_arrows(Drawing& out, const View& view) const;
  bool hidden(const Vec3& x) const;

  Mat3 view_;  // rows: right, up, towards the viewer
  Mat3 axes_ = Mat3::Identity();
  Finish finish_;
  std::vector<Solid> solids_;
  std::vector<Strand> strands_;
  std::vector<Arrow> arrows_;
  std::vector<Dot> dots_;
  std::vector<Word> words_;
};

}  // namespace trammel::plot

// Bodies of several solids: what they add up to.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "body/moments.h"
#include "model/build_bodies.h"
#include "model/check.h"

namespace trammel::model {

namespace {

constexpr double kSkin = 1e-9;  // how far a hole may stick out, of its size: rounding

bool alike(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }
bool is_size(double x) { return x > 0 && std::isfinite(x); }

/// A solid at work: its density is known, or sought.
struct Filled {
  const SolidPart* part;
  double volume = 0, density = 0;  // of a thin one the mass
};

/// Adds up the solids of one body.
class Sum {
 public:
  Sum(Draft& draft, const BodySpec& spec) : d_(draft), s_(spec) {}

  /// Returns false where it complained. The second moment is about the centre of mass.
  bool make(body::Moments& out) {
    const std::size_t before = d_.problems.size();
    check_spec();
    for (const SolidPart& p : s_.solids) check(p);
    if (d_.problems.size() > before) return false;
    for (const SolidPart& p : s_.solids)
      if (!p.hole) fill(p);
    for (const SolidPart& p : s_.solids)
      if (p.hole) dig(p);
    if (d_.problems.size() > before) return false;
    check_mass();
    if (d_.problems.size() > before) return false;
    const Vec3 com = total(Vec3::Zero()).com();
    out = total(com);  // about itself: a body far from its frame is as exact
    out = {out.mass, out.volume, out.mass * com, out.second};
    if (s_.mass != 0) scale(out);
    return true;
  }

 private:
  void complain(const std::string& path, std::string text) {
    d_.complain(path.empty() ? s_.path : path, fmt::format("body '{}': {}", s_.name, text));
  }

  void check_spec() {
    if (s_.solid) complain("", "'solid' and 'solids' exclude each other");
    if (s_.inertia) complain("", "its inertia follows from its solids: it has none of its own");
    if (s_.com != Vec3::Zero())
      complain(s_.path + ".com", "its centre of mass follows from its solids");
    if (s_.mass != 0 && s_.density)
      complain(s_.path + ".density", "mass and density exclude each other");
    if (s_.mass != 0 && !is_size(s_.mass))
      complain(s_.path + ".mass", fmt::format("the mass must be positive, not {} kg", s_.mass));
    if (s_.density && !is_size(*s_.density))
      complain(s_.path + ".density",
               fmt::format("the density must be positive, not {} kg/m^3", *s_.density));
    if (std::all_of(s_.solids.begin(), s_.solids.end(), [](const auto& p) { return p.hole; }))
      complain("", "it has nothing but holes");
  }

  void check(const SolidPart& p) {
    const std::string name(body::name_of(p.solid));
    if (const std::string text = wrong_solid(p.solid); !text.empty()) complain(p.path, text);
    if (std::string text = wrong_position(p.X_BS.p); !text.empty()) complain(p.path, text);
    if (std::string text = wrong_axes(p.X_BS.R); !text.empty()) complain(p.path, text);
    if (p.mass && p.density)
      complain(p.path, "a solid has a mass or a density, the other one follows");
    if (p.mass && !is_size(*p.mass))
      complain(p.path, fmt::format("the mass of a {} must be positive, not {} kg{}", name, *p.mass,
                                   *p.mass < 0 ? ": 'hole' takes away" : ""));
    if (p.density && !is_size(*p.density))
      complain(p.path, fmt::format("the density of a {} must be positive, not {} kg/m^3{}", name,
                                   *p.density, *p.density < 0 ? ": 'hole' takes away" : ""));
    const bool thin = body::is_thin(p.solid);
    if (thin && p.hole) complain(p.path, fmt::format("a {} has no volume: it is no hole", name));
    if (thin && p.density)
      complain(p.path, fmt::format("a {} has no volume: give it a mass, not a density", name));
    if (s_.mass != 0 && (p.mass || p.density))
      complain(p.path,
               "the mass of all of the body's solids is given: then they have one density, "
               "and none a mass or a density of its own");
    if (p.mass || (p.density && !thin)) return;
    if (thin)
      complain(p.path, fmt::format("a {} has no volume: it needs a mass of its own", name));
    else if (!p.density && !p.hole && s_.mass == 0 && !s_.density)
      complain(p.path, fmt::format("this {} needs a mass or a density, or the body one for all of "
                                   "its solids",
                                   name));
  }

  void fill(const SolidPart& p) {
    const double volume = model::volume(p.solid);
    const double density = p.mass ? *p.mass / (body::is_thin(p.solid) ? 1 : volume)
                                  : p.density.value_or(s_.density.value_or(1));
    filled_.push_back({&p, volume, density});
  }

  /// Takes a hole out of what is around it.
  void dig(const SolidPart& p) {
    const double volume = model::volume(p.solid);
    if (p.mass || p.density)
      return filled_.push_back({&p, volume, p.mass ? *p.mass / volume : *p.density});
    const Filled* around = at(p.X_BS.p, 0, nullptr);
    if (!around)
      return complain(p.path, fmt::format("the middle of this hole lies in no solid of the body: "
                                          "where nothing is there is nothing to take away; else "
                                          "give it a mass or a density",
                                          body::name_of(p.solid)));
    for (const Filled& f : filled_)
      if (!f.part->hole && !alike(f.density, around->density) && lies_in(p.X_BS.p, f, 0))
        return complain(p.path, fmt::format("this hole is in solids of {:.6g} and {:.6g} kg/m^3: "
                                            "give it a density",
                                            around->density, f.density));
    const std::vector<Vec3> skin = body::outline(p.solid);
    double size = 0;
    for (const Vec3& x : skin) size = std::max(size, x.norm());
    for (const Vec3& x : skin)
      if (!at(place(p, x), kSkin * size, around))
        return complain(p.path,
                        fmt::format("this hole sticks out of the solid that it is in, at ({:.6g}, "
                                    "{:.6g}, {:.6g}) m: it would take away what is not there; "
                                    "shorten it, or give it a density",
                                    place(p, x)[0], place(p, x)[1], place(p, x)[2]));
    filled_.push_back({&p, volume, around->density});
  }

  static Vec3 place(const SolidPart& p, const Vec3& x) { return p.X_BS.p + p.X_BS.R * x; }
  static bool lies_in(const Vec3& p_B, const Filled& f, double skin) {
    return body::contains(f.part->solid, f.part->X_BS.R.transpose() * (p_B - f.part->X_BS.p), skin);
  }
  /// Returns a solid that a point lies in, of the density of another if there is one; null: none.
  const Filled* at(const Vec3& p_B, double skin, const Filled* like) const {
    for (const Filled& f : filled_)
      if (!f.part->hole && (!like || alike(f.density, like->density)) && lies_in(p_B, f, skin))
        return &f;
    return nullptr;
  }

  body::Moments total(const Vec3& origin) const {
    body::Moments out;
    for (const Filled& f : filled_) out += moments_of(f, origin);
    return out;
  }

  static body::Moments moments_of(const Filled& f, const Vec3& origin) {
    const Pose& X = f.part->X_BS;
    body::Moments m = body::moments(f.part->solid, f.part->hole ? -f.density : f.density);
    if (f.part->hole) m.volume = -m.volume;
    return m.turned(X.R).about(origin - X.p);
  }

  void check_mass() {
    double filled = 0, dug = 0;
    for (const Filled& f : filled_)
      (f.part->hole ? dug : filled) += std::abs(moments_of(f, Vec3::Zero()).mass);
    constexpr double kLeast = 1e-12;  // of what was there: rounding
    if (filled - dug > kLeast * filled) return;
    complain("", fmt::format("its holes take away {:.6g} of the {:.6g}{} that its solids have", dug,
                             filled, s_.mass != 0 ? " m^3" : " kg"));
  }

  /// From a density of one to the mass that is given.
  void scale(body::Moments& m) const {
    const double density = s_.mass / m.mass;
    m.mass = s_.mass;
    m.first *= density;
    m.second *= density;
  }

  Draft& d_;
  const BodySpec& s_;
  std::vector<Filled> filled_;
};

/// Second moments that are nothing but rounding are none: a point has no inertia.
Mat3 without_rounding(const Mat3& second, const body::Moments& m) {
  const double least = 1e-28 * m.mass * m.com().squaredNorm();
  return second.cwiseAbs().maxCoeff() <= least ? Mat3(Mat3::Zero()) : second;
}

}  // namespace

BodySpec of_solids(Draft& d, const BodySpec& spec) {
  BodySpec out = spec;
  out.solids.clear();
  out.density.reset();
  out.solid.reset();
  out.mass = 1;
  out.inertia = {1, 1, 1, 0, 0, 0};
  body::Moments m;
  if (!Sum(d, spec).make(m)) return out;
  out.mass = m.mass;
  out.com = m.com();
  const Mat3 I = body::inertia_of_second(without_rounding(m.second, m));
  out.inertia = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
  if (!out.affine) return out;
  if (out.affine->volume)
    d.complain(spec.path + ".volume",
               fmt::format("body '{}': its volume is that of its solids", spec.name));
  else if (m.volume > 0)
    out.affine->volume = m.volume;
  return out;
}

}  // namespace trammel::model

#include "cli/generate.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

namespace trammel::cli {

namespace {

using Text = fmt::memory_buffer;

template <class... T>
void add(Text& text, fmt::format_string<T...> format, T&&... values) {
  fmt::format_to(std::back_inserter(text), format, std::forward<T>(values)...);
}

void add_head(Text& text, const std::string& name, const std::string& title, double duration) {
  add(text,
      "format = 1\nname = \"{}\"\ntitle = \"{}\"\n\n[simulation]\nduration = \"{} s\"\nstep = \"1 "
      "ms\"\n",
      name, title, duration);
}

void add_revolute(Text& text, const std::string& name, const std::string& a, const std::string& b,
                  double x, double z) {
  add(text,
      "\n[[joint]]\nname = \"{}\"\ntype = \"revolute\"\na = \"{}\"\nb = \"{}\"\nat = [{}, 0, {}]\n"
      "axis = [0, 1, 0]\n",
      name, a, b, x, z);
}

// A rod of 1 kg and 1 m, thin: what it resists a turn about itself with plays no part here.
void add_rod(Text& text, const std::string& name, bool upright, double x, double z) {
  constexpr double kAcross = 1.0 / 12, kAlong = 1e-3;  // [kg m^2]
  add(text,
      "\n[[body]]\nname = \"{}\"\nmass = \"1 kg\"\ninertia = [{}, {}, {}]\nposition = [{}, 0, {}]\n"
      "velocity = [{}, 0, 0]\n",
      name, upright ? kAcross : kAlong, kAcross, upright ? kAlong : kAcross, x, z,
      upright ? 0.5 : 1.0);
  if (upright) add(text, "angular_velocity = [0, 1, 0]\n");
}

}  // namespace

std::string chain_scene(int links) {
  Text text;
  add_head(text, "chain", fmt::format("Chain of {} links", links), 2);
  for (int i = 0; i < links; ++i) {
    add(text,
        "\n[[body]]\nname = \"link{}\"\ndensity = \"1000 kg/m^3\"\nbox = [1, 0.05, 0.05]\n"
        "position = [{}.5, 0, 0]\n",
        i + 1, i);
    const std::string a = i == 0 ? "ground" : fmt::format("link{}", i);
    add(text,
        "\n[[joint]]\nname = \"ball{0}\"\ntype = \"spherical\"\na = \"{1}\"\nb = \"link{0}\"\n"
        "at = [{2}, 0, 0]\n",
        i + 1, a, i);
  }
  add(text,
      "\n[[plot]]\nname = \"end\"\ny = [\"link{0}.position.z\", \"link{0}.velocity.x, "
      "link{0}.velocity.z\"]\n",
      links);
  return fmt::to_string(text);
}

std::string fourbar_scene(int windows) {
  Text text;
  add_head(text, "fourbar",
           fmt::format("Four-bar linkage of {} window{}", windows, windows == 1 ? "" : "s"), 10);
  for (int i = 0; i <= windows; ++i) {
    add_rod(text, fmt::format("up{}", i), true, i, 0.5);
    add_revolute(text, fmt::format("foot{}", i), "ground", fmt::format("up{}", i), i, 0);
  }
  for (int i = 1; i <= windows; ++i) {
    const std::string across = fmt::format("across{}", i);
    add_rod(text, across, false, i - 0.5, 1);
    add_revolute(text, fmt::format("left{}", i), fmt::format("up{}", i - 1), across, i - 1, 1);
    add_revolute(text, fmt::format("right{}", i), fmt::format("up{}", i), across, i, 1);
  }
  add(text, "\n[[plot]]\nname = \"swing\"\ny = [\"foot0.angle\", \"up0.angular_velocity.y\"]\n");
  return fmt::to_string(text);
}

std::string pendulum_scene() {
  return R"(# A ball on a massless rod, let go where the rod is horizontal.
format = 1
name = "pendulum"
title = "Pendulum"

[simulation]
duration = "10 s"
step = "1 ms"
output_step = "10 ms"

[[body]]
name = "bob"
mass = "2 kg"
sphere = "5 cm"
position = ["1 m", 0, 0]

[[joint]]
name = "pivot"
type = "revolute"
b = "bob"
at = [0, 0, 0]
axis = [0, 1, 0]

[[plot]]
name = "swing"
y = ["pivot.angle", "energy.kinetic, energy.gravity"]
)";
}

std::string mesh_scene(const body::Mesh& mesh, const MeshBody& body) {
  Text text;
  add(text,
      "format = 1\nname = \"{0}\"\n\n[[body]]\nname = \"{0}\"\ndensity = \"{1}\"\n[body.mesh]\n"
      "unit = \"{2}\"\nvertices = [\n",
      body.name, body.density, body.unit);
  for (const Vec3& v : mesh.vertices) add(text, "  [{}, {}, {}],\n", v.x(), v.y(), v.z());
  add(text, "]\nfaces = [\n");
  for (const std::vector<int>& face : mesh.faces) add(text, "  [{}],\n", fmt::join(face, ", "));
  add(text, "]\n");
  return fmt::to_string(text);
}

}  // namespace trammel::cli

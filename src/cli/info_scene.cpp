#include <fmt/format.h>

#include <cmath>

#include "cli/info.h"
#include "cli/text_table.h"
#include "io/json.h"
#include "math/index.h"
#include "model/system.h"

namespace trammel::cli {

namespace {

std::string titled(const std::string& title, const TextTable& table) {
  return table.empty() ? "" : "\n" + title + "\n" + table.text();
}

std::string vector_text(const Vec3& v) {
  return fmt::format("({}, {}, {})", number(v.x()), number(v.y()), number(v.z()));
}

struct BodyFacts {
  std::string name, kind;
  double mass = 0;
  Vec3 centre = Vec3::Zero();   // at the start [m]
  std::vector<double> inertia;  // Ixx Iyy Izz Ixy Ixz Iyz in body axes [kg m^2]; empty: unknown
};

double mass_of(const model::Built& built, const model::Object& o) {
  if (o.pool < 0) return 0;
  const model::PoolSlot& slot = built.model->pools[at(o.pool)];
  const int n = slot.pool->n_objects;
  return slot.pool->mass(built.params.values.data() + slot.param, o.index / n, o.index % n);
}

std::vector<double> inertia_of(const model::Built& built, const model::Object& o) {
  if (o.pool < 0) return {};
  const model::PoolSlot& slot = built.model->pools[at(o.pool)];
  const int n = slot.pool->n_objects;
  const auto six =
      slot.pool->inertia(built.params.values.data() + slot.param, o.index / n, o.index % n);
  return six ? std::vector<double>(six->begin(), six->end()) : std::vector<double>();
}

/// "inertia 1, 2, 3 kg m^2", with the products where there are any.
std::string inertia_text(const std::vector<double>& six) {
  if (six.empty()) return "";
  std::string out =
      fmt::format("inertia {}, {}, {}", number(six[0]), number(six[1]), number(six[2]));
  const double least = 1e-12 * (six[0] + six[1] + six[2]);
  if (std::abs(six[3]) + std::abs(six[4]) + std::abs(six[5]) > least)
    out += fmt::format("; {}, {}, {}", number(six[3]), number(six[4]), number(six[5]));
  return out + " kg m^2";
}

std::vector<BodyFacts> body_facts(const Prepared& p) {
  const model::Model& m = *p.loaded.built.model;
  std::vector<BodyFacts> out;
  for (std::size_t i = 1; i < m.objects.size(); ++i) {
    const model::Object& o = m.objects[i];
    if (model::is_dial(m, o)) continue;
    out.push_back({o.name, std::string(m.kind(o)), mass_of(p.loaded.built, o),
                   p.simulation->formulation().now().T_WO[i].p, inertia_of(p.loaded.built, o)});
  }
  return out;
}

std::vector<std::string> coordinate_names(const model::Joint& joint) {
  std::vector<std::string> out;
  for (const joint::Coordinate& c : joint.table->coordinates)
    out.push_back(fmt::format("{} [{}]", c.name, joint::symbol(c.row.unit())));
  return out;
}

struct LawFacts {
  std::string name, type, on;
  std::vector<std::pair<std::string, double>> numbers;
};

std::vector<LawFacts> law_facts(const model::Built& built) {
  const model::Model& m = *built.model;
  std::vector<LawFacts> out;
  for (const model::LawOnRow& l : m.laws) {
    if (!of_scene(m, l)) continue;
    LawFacts f{l.name,
               std::string(l.law.type->name),
               m.joints[at(l.joint)].name + "." + m.rows[at(l.row)].name,
               {}};
    for (std::size_t i = 0; i < l.law.type->parameters.size(); ++i) {
      const double x = built.params.values[at(l.law.first_param) + i];
      if (x != l.law.type->parameters[i].fallback)
        f.numbers.emplace_back(l.law.type->parameters[i].name, x);
    }
    out.push_back(std::move(f));
  }
  return out;
}

std::string type_text(const model::Joint& j) {
  if (j.coupling >= 0) return "coupling";
  return j.table->name.empty() || j.table->name == j.name ? "own rows" : j.table->name;
}

std::string as_text(const Prepared& p) {
  const model::Model& m = *p.loaded.built.model;
  const io::Scene& scene = p.loaded.scene;
  TextTable bodies("llrlll"), joints("llllrl"), laws("llll"), tracks("lrll");
  for (const BodyFacts& b : body_facts(p))
    bodies.row({b.name, b.kind, b.mass > 0 ? number(b.mass) : "-", "kg",
                "centre at " + vector_text(b.centre) + " m", inertia_text(b.inertia)});
  for (const model::Joint& j : m.joints)
    joints.row({j.name, type_text(j), j.coupling < 0 ? m.objects[at(j.object_A)].name : "-",
                j.coupling < 0 ? m.objects[at(j.object_B)].name : "-",
                count(static_cast<long>(j.table->rows.size()), "row"),
                fmt::format("{}", fmt::join(coordinate_names(j), ", "))});
  for (const LawFacts& l : law_facts(p.loaded.built)) {
    std::string numbers;
    for (const auto& [name, x] : l.numbers)
      numbers += fmt::format("{}{} {}", numbers.empty() ? "" : ", ", name, number(x, 6));
    laws.row({l.name, l.type, l.on, numbers});
  }
  for (const model::Track& t : m.tracks)
    tracks.row({t.name, number(t.track->length(), 8), "m",
                fmt::format("{}{}", count(static_cast<long>(t.track->pieces()), "piece"),
                            t.track->closed() ? ", closed" : "")});
  std::string out = scene.title.empty() ? scene.builder.name : scene.title;
  out += "\n  " + degrees_of_freedom_text(count_parts(p.loaded.built)) + "\n";
  out += fmt::format("  {} s in steps of {} s\n", number(scene.settings.duration),
                     number(scene.settings.step));
  out += titled("bodies", bodies) + titled("joints", joints) + titled("laws", laws) +
         titled("tracks", tracks);
  if (!m.load_names.empty()) out += fmt::format("\nloads\n  {}\n", fmt::join(m.load_names, ", "));
  out += info_systems(p.loaded.built, false);
  return out;
}

std::string as_json(const Prepared& p) {
  const model::Model& m = *p.loaded.built.model;
  io::Json j;
  j.begin('{').field("scene", p.loaded.scene.builder.name).field("title", p.loaded.scene.title);
  j.field("duration_s", p.loaded.scene.settings.duration)
      .field("step_s", p.loaded.scene.settings.step);
  j.key("bodies").begin('[');
  for (const BodyFacts& b : body_facts(p))
    j.begin('{')
        .field("name", b.name)
        .field("kind", b.kind)
        .field("mass", b.mass)
        .field("centre", std::vector<double>{b.centre.x(), b.centre.y(), b.centre.z()})
        .field("inertia", b.inertia)
        .end();
  j.end().key("joints").begin('[');
  for (const model::Joint& x : m.joints)
    j.begin('{')
        .field("name", x.name)
        .field("type", x.table->name)
        .field("a", m.objects[at(x.object_A)].name)
        .field("b", m.objects[at(x.object_B)].name)
        .field("rows", x.table->rows.size())
        .field("coordinates", coordinate_names(x))
        .end();
  j.end().key("laws").begin('[');
  for (const LawFacts& l : law_facts(p.loaded.built)) {
    j.begin('{').field("name", l.name).field("type", l.type).field("on", l.on);
    j.key("numbers").begin('{');
    for (const auto& [name, x] : l.numbers) j.field(name, x);
    j.end().end();
  }
  j.end().key("tracks").begin('[');
  for (const model::Track& t : m.tracks)
    j.begin('{').field("name", t.name).field("length_m", t.track->length()).end();
  j.end().field("loads", m.load_names).key("systems");
  info_systems(p.loaded.built, j);
  return j.end().text();
}

}  // namespace

std::string info_scene(const Prepared& prepared, bool json) {
  return json ? as_json(prepared) : as_text(prepared);
}

}  // namespace trammel::cli

// The rows of joints, and which law each is under.
#include "model/build_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "joint/evaluate.h"
#include "law/conflicts.h"
#include "law/locked.h"
#include "math/index.h"

namespace trammel::model {

namespace {

using law::kInf;

int add_row(Draft& d, int joint, const joint::Coordinate& c) {
  RowInfo info;
  info.joint = joint;
  info.row = c.row;
  info.name = c.name;
  info.sign = c.sign;
  if (const int c_index = d.model.joints[at(joint)].coupling; c_index >= 0)
    d.model.couplings[at(c_index)].row = static_cast<int>(d.model.rows.size());
  if (c.row.turns()) info.angle = d.model.n_angles++;
  d.model.rows.push_back(std::move(info));
  return static_cast<int>(d.model.rows.size()) - 1;
}

int add_lock_params(Draft& d, std::string owner, const law::ConstraintSpec& l) {
  return d.add_params(
      std::move(owner),
      {"value", "force_min", "force_max", "erp", "stiffness", "unilateral", "restitution"},
      law::numbers_of_lock(l));
}

/// Where a row of the joint's own is held unless told otherwise: at zero, a distance at what it is
/// at the start.
double start_value(const Draft& d, const Joint& j, const joint::Coordinate& c) {
  if (!c.row.distance()) return 0;
  const Pose none, A = d.X_WB[at(j.object_A)] * j.X_OA, B = d.X_WB[at(j.object_B)] * j.X_OB;
  const body::Transform at_A{A.p, A.R}, at_B{B.p, B.R};
  joint::Arc arc{j.arc < 0 ? 0 : d.state.s[at(j.arc)], 0};
  joint::Sample sample;
  joint::sample({{.T_WO = &at_A, .X_OF = &none},
                 {.T_WO = &at_B, .X_OF = &none},
                 j.track < 0 ? nullptr : d.model.tracks[at(j.track)].track.get()},
                c.row.features(), 1, arc, sample);
  return c.sign * joint::value(c.row, sample, arc);
}

const RowSpec* options_of(const JointSpec& s, const joint::Coordinate& row) {
  const auto it = std::find_if(s.rows.begin(), s.rows.end(),
                               [&](const RowSpec& r) { return r.row == row.name; });
  return it == s.rows.end() ? nullptr : &*it;
}

law::ConstraintSpec with_options(const law::ConstraintSpec& l, const RowSpec& r) {
  return law::lock(r.value.value_or(l.target.x),
                   {r.force_min.value_or(-law::kInf), r.force_max.value_or(law::kInf)},
                   r.erp.value_or(l.erp), r.unilateral, r.restitution.value_or(0));
}

/// The lock on a row of the joint's own, with the options a scene gives for it.
law::Law lock(Draft& d, const Joint& j, const JointSpec& s, const joint::Coordinate& row) {
  law::Law law;
  law.type = law::find_type("locked");
  const RowSpec* options = options_of(s, row);
  const bool distance = row.row.distance();
  law::ConstraintSpec l;
  l.target.x = start_value(d, j, row);
  if (!options && !distance && !row.row.coupled()) {
    need_equality_lock(d);
    law.first_param = d.default_lock;
    return law;
  }
  if (options) {
    l = with_options(l, *options);
    for (const law::Fault& f : law::lock_faults(l, row.name, options->erp.has_value()))
      d.complain(path_of(*options, s), f.text);
    if (!row.row.holonomic() && (options->value || options->unilateral))
      d.complain(path_of(*options, s),
                 fmt::format("'{}' is a rate without a value: it can only be held", row.name));
  }
  if (distance && row.sign * l.target.x <= 0) {
    if (options && options->value)
      d.complain(path_of(*options, s), "a distance must be positive");
    else
      d.complain(s.path, fmt::format("joint '{}': its points coincide, a distance must be positive",
                                     s.name));
  }
  law.first_param = add_lock_params(d, "joint." + s.name + "." + row.name, l);
  return law;
}

void put_law(Draft& d, int row, law::Law law, std::string name, std::string path, bool of_table) {
  d.model.rows[at(row)].law = static_cast<int>(d.model.laws.size());
  d.model.laws.push_back({std::move(name), std::move(path), std::move(law),
                          d.model.rows[at(row)].joint, row, of_table});
}

void put_lock(Draft& d, int row, law::Law law, const JointSpec& s) {
  if (law.first_param != d.default_lock)
    return put_law(d, row, std::move(law), s.name + "." + d.model.rows[at(row)].name, s.path, true);
  d.model.rows[at(row)].law = d.default_law;
}

/// A law of the scene that is to find its row, or rows.
struct Pending {
  const LawSpec* spec;
  joint::Coordinate coordinate;
  std::vector<joint::Coordinate> further;
  std::optional<law::Law> law;
  bool used = false;
};

/// True where both have a law, and these cannot act on one coordinate.
bool exclude(const Draft& d, const Pending& a, const Pending& b) {
  if (!a.law || !b.law) return false;
  const auto spec = [&](const law::Law& law) {
    return law.type->constraint(law, d.params.values.data() + law.first_param, 0);
  };
  return law::exclude(spec(*a.law), spec(*b.law));
}

void check_alone(Draft& d, const std::vector<Pending>& laws, std::size_t i, const JointSpec& s) {
  for (std::size_t k = 0; k < i; ++k)
    if (same(laws[k].coordinate.row, laws[i].coordinate.row) && exclude(d, laws[k], laws[i]))
      return d.complain(laws[i].spec->path + ".coordinate",
                        fmt::format("'{}' of joint '{}' is already held by law '{}'",
                                    laws[i].coordinate.name, s.name, laws[k].spec->name));
}

/// Returns the coordinates of a law on several rows but its first.
std::vector<joint::Coordinate> further_of(Draft& d, const LawSpec& l, const joint::Table& table) {
  std::vector<joint::Coordinate> out;
  for (const std::string& name : l.further) {
    LawSpec own = l;
    own.coordinate = name;
    if (auto c = coordinate_of(d, own, table)) out.push_back(*c);
  }
  return out;
}

/// A law on several rows adds all of them: what the joint holds is not its to share.
void check_rows(Draft& d, const Pending& p, const JointSpec& s, const joint::Table& table) {
  const int given = 1 + static_cast<int>(p.spec->further.size());
  if (p.law && given != p.law->type->rows)
    d.complain(p.spec->path + ".coordinate",
               fmt::format("a {} acts on {} coordinates, not on {}", p.law->type->name,
                           p.law->type->rows, given));
  std::vector<joint::Coordinate> all = p.further;
  all.push_back(p.coordinate);
  for (const joint::Coordinate& own : table.rows)
    for (const joint::Coordinate& c : all)
      if (given > 1 && same(own.row, c.row))
        d.complain(p.spec->path + ".coordinate",
                   fmt::format("'{}' of joint '{}' is a row of the joint itself: a law on several "
                               "coordinates wants coordinates that are free",
                               c.name, s.name));
}

std::vector<Pending> laws_on(Draft& d, int joint, const JointSpec& s) {
  std::vector<Pending> out;
  const joint::Table& table = *d.model.joints[at(joint)].table;
  for (const LawSpec* l : d.laws_of[at(joint)])
    if (auto c = coordinate_of(d, *l, table)) {
      out.push_back({l, *c, further_of(d, *l, table), make_law(d, *l, *c)});
      check_rows(d, out.back(), s, table);
      check_alone(d, out, out.size() - 1, s);
    }
  return out;
}

/// Options of a row are those of its lock.
void check_unlocked(Draft& d, const JointSpec& s, const joint::Coordinate& row,
                    const std::string& law) {
  const RowSpec* r = options_of(s, row);
  if (r && (r->value || r->force_min || r->force_max || r->erp || r->restitution || r->unilateral))
    d.complain(path_of(*r, s),
               fmt::format("row '{}' of joint '{}' is under law '{}': what holds it is said there",
                           row.name, s.name, law));
}

void put(Draft& d, int row, Pending& p, bool of_table) {
  p.used = true;
  d.model.rows[at(row)].sign = p.coordinate.sign;
  if (!p.law) return;
  d.law_index[p.spec] = static_cast<int>(d.model.laws.size());
  put_law(d, row, *p.law, p.spec->name, p.spec->path, of_table);
}

/// Adds the further rows of a law, whose first has just been added.
void put_further(Draft& d, int joint, const Pending& p) {
  const RowInfo first = d.model.rows.back();
  for (std::size_t k = 0; k < p.further.size(); ++k) {
    RowInfo& row = d.model.rows[at(add_row(d, joint, p.further[k]))];
    row.sign = p.further[k].sign;
    row.law = first.law;
    row.part = static_cast<int>(k) + 1;
  }
}

}  // namespace

void need_equality_lock(Draft& d) {
  if (d.default_law >= 0) return;
  law::Law law;
  law.type = law::find_type("locked");
  law.first_param = d.default_lock = add_lock_params(d, "", {});
  d.default_law = static_cast<int>(d.model.laws.size());
  d.model.laws.push_back({"", "", std::move(law), -1, -1, true});
}

void add_rows_under(Draft& d, int index, const std::function<law::Law(const joint::Row&)>& law_of) {
  const Joint& j = d.model.joints[at(index)];
  const int first = static_cast<int>(d.model.rows.size());
  for (const joint::Coordinate& row : j.table->rows)
    put_law(d, add_row(d, index, row), law_of(row.row), j.name + "." + row.name, j.path, true);
  d.model.groups.push_back({index, first, static_cast<int>(d.model.rows.size()) - first});
}

void add_rows(Draft& d, int index, const JointSpec& s) {
  const Joint& j = d.model.joints[at(index)];
  std::vector<Pending> pending = laws_on(d, index, s);
  const int first = static_cast<int>(d.model.rows.size());
  for (const joint::Coordinate& row : j.table->rows) {
    const int i = add_row(d, index, row);
    const auto it = std::find_if(pending.begin(), pending.end(), [&](const Pending& p) {
      return !p.used && same(p.coordinate.row, row.row);
    });
    if (it == pending.end()) {
      put_lock(d, i, lock(d, j, s, row), s);
      continue;
    }
    check_unlocked(d, s, row, it->spec->name);
    put(d, i, *it, true);
  }
  for (Pending& p : pending) {
    if (p.used) continue;
    put(d, add_row(d, index, p.coordinate), p, false);
    put_further(d, index, p);
  }
  // all touch the same blocks: dense blocks, as large as solvers take them
  constexpr int kLargest = 6;
  for (int i = first, n = static_cast<int>(d.model.rows.size()); i < n; i += kLargest)
    d.model.groups.push_back({index, i, std::min(kLargest, n - i)});
}

}  // namespace trammel::model

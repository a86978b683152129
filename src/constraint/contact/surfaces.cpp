#include "constraint/contact/surfaces.h"

#include <algorithm>
#include <limits>

#include "contact/shape.h"
#include "solve/tied.h"

namespace trammel::constraint {

namespace {
constexpr double kMargin = 0.01;  // smallest margin, as a share of the shape's least extent

/// Blocks with rows, of another kind than free rigid bodies, or of systems.
std::vector<unsigned char> find_tied(const model::Model& m, const solve::Graph& graph) {
  std::vector<unsigned char> out;
  for (std::size_t b = 0; b < graph.blocks.size(); ++b)
    out.push_back(graph.first_end[b] >= 0 || graph.blocks[b].form != solve::MassForm::split ||
                  graph.blocks[b].n != 6);
  for (const model::Object& o : m.objects)
    if (o.block >= 0 && o.jacobian >= 0) out[at(o.block)] = 1;
  return out;
}
}  // namespace

ContactSurfaces::ContactSurfaces(const model::Kinematics& kinematics)
    : kin(kinematics),
      tied(find_tied(kin.model(), kin.graph())),
      any_tied(std::any_of(tied.begin(), tied.end(), [](unsigned char t) { return t; })),
      ties(solve::tied_blocks(kin.graph())) {
  for (const model::Object& o : model().objects) {
    const bool is_free = o.block >= 0 && !tied[at(o.block)];
    free_of.push_back(is_free ? n_free() : -1);
    if (!is_free) continue;
    free_u.push_back(model().blocks[at(o.block)].v);
    free_block.push_back(o.block);
  }
  for (const model::ContactShape& s : model().contacts.shapes) {
    const contact::Extent e = contact::extent(s.shape);
    reach.push_back(s.X_OS.p.norm() + e.reach);
    least.push_back(kMargin * e.least);
    runs.push_back(model().objects[at(s.object)].moved || s.surface_velocity != Vec3::Zero());
  }
}

const model::ContactLaw& law_of(const ContactSurfaces& s, const contact::Point& p) {
  return s.model().contacts.law(p.A, p.B);
}

std::string name_of(const ContactSurfaces& s, const contact::Point& p) {
  return s.object(p.A).name + ", " + s.object(p.B).name;
}

Vec3 place_of(const ContactSurfaces& s, const contact::Point& p) {
  if (s.block_of(p.A) < 0) return p.p_B;
  return s.block_of(p.B) >= 0 ? Vec3(0.5 * (p.p_A + p.p_B)) : p.p_A;
}

double least_extent(const ContactSurfaces& s, const contact::Point& p) {
  double out = std::numeric_limits<double>::infinity();
  for (const int shape : {p.A, p.B})
    if (s.least[at(shape)] > 0) out = std::min(out, s.least[at(shape)] / kMargin);
  return out;
}

bool is_rigid(const ContactSurfaces& s, const contact::Point& p) {
  const auto of = [&](int shape) {
    const model::Object& o = s.object(shape);
    return o.block < 0 || (o.jacobian < 0 && !body::can_strain(o.motion_kind));
  };
  return of(p.A) && of(p.B);
}

void tie(const ContactSurfaces& s, const contact::Point& p, Forest& islands) {
  const int a = s.block_of(p.A), b = s.block_of(p.B);
  if (a >= 0 && b >= 0) islands.unite(a, b);
}

int island_of(const ContactSurfaces& s, const contact::Point& p, Forest& islands) {
  return islands.root(s.block_of(p.A) >= 0 ? s.block_of(p.A) : s.block_of(p.B));
}

}  // namespace trammel::constraint

#pragma once

#include <string>
#include <vector>

#include "contact/point.h"
#include "math/forest.h"
#include "math/index.h"
#include "model/kinematics.h"

/// What of contact stays the same throughout a run.
namespace trammel::constraint {

/// Shapes, the objects that they are on, and what of these moves. Free bodies are rigid ones of
/// their own six coordinates that no row holds: their points are solved for upon them.
struct ContactSurfaces {
  explicit ContactSurfaces(const model::Kinematics& kinematics);

  const model::Kinematics& kin;
  std::vector<double> reach, least;  // of shapes: from the object's origin; the smallest margin [m]
  std::vector<unsigned char> runs;   // of shapes: the surface has a velocity of its own
  std::vector<int> free_of;          // of objects: the free body; -1: it is none
  std::vector<int> free_u, free_block;  // of free bodies: first unknown, block
  std::vector<unsigned char> tied;      // of blocks: with rows, or of another kind
  bool any_tied = false;
  Forest ties;  // blocks that rows tie together

  const model::Model& model() const { return kin.model(); }
  const model::ContactShape& shape(int i) const { return model().contacts.shapes[at(i)]; }
  int object_of(int i) const { return shape(i).object; }
  const model::Object& object(int i) const { return model().objects[at(object_of(i))]; }
  /// The block of its object; -1: it has none.
  int block_of(int i) const { return object(i).block; }
  /// True where the momentum of a shape's object is in the balance of momenta: not of what the
  /// world holds, all of it or, of systems in generalised coordinates, in ways that no row tells.
  bool in_balance(int i) const { return object(i).block >= 0 && object(i).jacobian < 0; }
  int n_free() const { return count(free_u); }
  /// The free body that a shape is on; -1: none.
  int body_of(int i) const { return free_of[at(object_of(i))]; }
};

const model::ContactLaw& law_of(const ContactSurfaces& s, const contact::Point& p);
std::string name_of(const ContactSurfaces& s, const contact::Point& p);  // "box, ground"
/// Where its impulses act: with a gap between them on the surface of what moves, which will come
/// to the other; between two that move in the middle.
Vec3 place_of(const ContactSurfaces& s, const contact::Point& p);
/// Of the lesser of both shapes [m]; infinite where neither has an end.
double least_extent(const ContactSurfaces& s, const contact::Point& p);
/// True where a gap is within the smallest margins.
inline bool is_near(const ContactSurfaces& s, const contact::Point& p) {
  return p.gap <= s.least[at(p.A)] + s.least[at(p.B)];
}
/// True for a point between rigid bodies of their own six coordinates, or what has none.
bool is_rigid(const ContactSurfaces& s, const contact::Point& p);

/// Ties the blocks of both ends, and says which of the islands a point is in.
void tie(const ContactSurfaces& s, const contact::Point& p, Forest& islands);
int island_of(const ContactSurfaces& s, const contact::Point& p, Forest& islands);

}  // namespace trammel::constraint

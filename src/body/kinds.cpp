#include "body/kinds.h"

#include "body/affine.h"
#include "body/rigid.h"
#include "body/system.h"

namespace trammel::body {

namespace {

template <class T>
bool is(const Pool& pool) {
  return dynamic_cast<const T*>(&pool) != nullptr;
}

constexpr Kind kKinds[] = {{RigidPool::kKind, true, false, is<RigidPool>},
                           {AffinePool::kKind, true, true, is<AffinePool>},
                           {SystemPool::kKind, false, false, is<SystemPool>},
                           {kPrescribed},
                           {kGround}};

}  // namespace

const Kind* find_kind(std::string_view name) {
  for (const Kind& kind : kKinds)
    if (kind.name == name) return &kind;
  return nullptr;
}

bool name_is_taken(const Pool& pool) {
  const Kind* kind = find_kind(pool.kind());
  return kind && !(kind->is && kind->is(pool));
}

}  // namespace trammel::body

#include "sim/pushes.h"

#include <algorithm>
#include <stdexcept>

#include "model/topology.h"

namespace trammel::sim {

namespace {

/// A load of three numbers from `first` on.
law::Load load_of(const char* type, int object, const Pushes& pushes, std::size_t first) {
  law::Load out;
  out.type = law::find_load_type(type);
  out.object = object;
  for (std::size_t k = 0; k < 3; ++k)
    out.value[k] = Signal::function([pushes, i = first + k](double) {
      return Jet{(*pushes)[i], 0, 0};
    });
  return out;
}

}  // namespace

model::Built with_pushes(const model::Built& built, std::span<const model::BodyHandle> bodies,
                         const Pushes& pushes) {
  if (bodies.empty()) return built;
  if (!built.model) throw std::invalid_argument("there is no model: build one first");
  if (!built.model->transient_types.empty())
    throw std::invalid_argument(
        "bodies of a mechanism with transient joints cannot be pushed: add "
        "loads where it is built");
  model::Built out = built;
  auto own = std::make_shared<model::Model>(*built.model);
  pushes->assign(6 * bodies.size(), 0.);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (std::find(bodies.begin(), bodies.begin() + static_cast<long>(i), bodies[i]) !=
        bodies.begin() + static_cast<long>(i))
      throw std::invalid_argument("a body that is to be pushed is named twice");
    const int object = model::checked(*built.model, bodies[i]);
    const std::string name = "push." + own->objects[static_cast<std::size_t>(object)].name;
    own->loads.push_back(load_of("force", object, pushes, 6 * i));
    own->load_names.push_back(name + ".force");
    own->loads.push_back(load_of("torque", object, pushes, 6 * i + 3));
    own->load_names.push_back(name + ".torque");
    own->n_ledger += 2;
  }
  own->topology = std::make_shared<const model::Topology>(*own);
  out.state.ledger.resize(static_cast<std::size_t>(own->n_ledger), 0.);
  out.model = std::move(own);
  return out;
}

}  // namespace trammel::sim

#include "model/contact.h"

#include "model/model.h"

namespace trammel::model {

contact::PairRule pair_rule(const Model& model) {
  std::vector<char> fixed;
  for (const Object& o : model.objects) fixed.push_back(o.block < 0);
  return model.contacts.rule(std::move(fixed));
}

}  // namespace trammel::model

#pragma once

#include "constraint/contact/wrenches.h"
#include "model/ledger.h"
#include "model/model.h"
#include "model/reactions.h"

/// Names what is integrated beside coordinates and velocities: works, and impulses from outside.
namespace trammel::form {

/// Offsets among the works: first those of the ledger from model::kFirstLaw on.
struct Works {
  explicit Works(const model::Model& model, bool impulses = false)
      : ledger(model.n_ledger - model::kFirstLaw),
        n_wrench_impulses(impulses ? static_cast<int>(constraint::wrench_impulses_size(model))
                                   : 0) {}
  int ledger, n_wrench_impulses;
  int slot(int of_ledger) const { return of_ledger - model::kFirstLaw; }
  int locks() const { return ledger; }
  int impulse() const { return ledger + 1; }  // linear impulse from outside [N s]
  int moment() const { return ledger + 4; }   // angular impulse about the world's origin [N m s]
  // angular momentum changed by corrections of positions [N m s]
  int corrected() const { return ledger + 7; }
  int impacts() const { return ledger + 10; }   // losses of impacts, negative [J]
  int contacts() const { return ledger + 11; }  // friction of contacts [J]
  // impulses of each joint and load, where Settings::impulses
  int wrench_impulses() const { return ledger + 12; }
  int size() const { return wrench_impulses() + n_wrench_impulses; }
};

}  // namespace trammel::form

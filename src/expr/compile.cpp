#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "expr/steps.h"

namespace trammel::expr {

/// Lays the graph out as a tape.
class Compiler {
 public:
  Compiler(const Graph& graph, Tape::Options options) : g_(graph) { tape_.order_ = options.order; }

  Tape tape(std::span<const Expression> outputs, std::span<const Expression> inputs,
            std::size_t active) {
    const std::vector<Id> ids = reachable(g_, outputs);
    slots_.assign(ids.empty() ? 0 : ids.back() + 1, Slot{});
    tape_.n_inputs_ = inputs.size();
    tape_.n_active_ = std::min(active, inputs.size());
    place_inputs(inputs);
    for (const Id id : ids) place_leaf(id);
    for (const Id id : ids)
      if (arity(g_.node(id).op) > 0 || g_.node(id).op == Op::call) place_operation(id);
    place_jets();
    for (const Expression& e : outputs) tape_.outputs_.push_back({slot(e.id), is_active(e.id)});
    tape_.n_slots_ = next_;
    Steps{tape_};
    return std::move(tape_);
  }

 private:
  struct Slot {
    std::uint32_t at = kNone;
    bool active = false;
  };
  static constexpr std::uint32_t kNone = ~0u;

  std::uint32_t slot(Id id) const { return slots_[id].at; }
  bool is_active(Id id) const { return slots_[id].active; }

  void place_inputs(std::span<const Expression> inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i, ++next_) {
      assert(inputs[i].graph == &g_ && g_.node(inputs[i].id).op == Op::variable);
      if (inputs[i].id >= slots_.size()) continue;
      assert(slot(inputs[i].id) == kNone);  // distinct
      slots_[inputs[i].id] = {next_, i < tape_.n_active_};
    }
  }

  void place_leaf(Id id) {
    if (g_.node(id).op == Op::variable && slot(id) == kNone)
      throw fmt::format("'{}' is not among the inputs", g_.name(id));
    if (g_.node(id).op != Op::constant) return;
    slots_[id].at = next_++;
    tape_.constants_.push_back(g_.node(id).value);
  }

  void place_operation(Id id) {
    const Op op = g_.node(id).op;
    const auto args = g_.args(id);
    Tape::Operation out{op};
    if (op == Op::call) {
      out.a = place_pick(id);
      out.active = tape_.jets_[tape_.picks_[out.a].jet].active;
    } else {
      std::uint32_t* const to[] = {&out.a, &out.b, &out.c};
      for (std::size_t i = 0; i < args.size(); ++i) {
        *to[i] = slot(args[i]);
        if (is_active(args[i])) out.active = static_cast<std::uint8_t>(out.active | (1u << i));
      }
      if (is_flat(op)) out.active = 0;
      if (op == Op::sin || op == Op::cos) pair_up(out);
    }
    tape_.code_.push_back(out);
    slots_[id] = {next_++, out.active != 0};
  }

  // The second of sin(u) and cos(u) is computed with the first.
  void pair_up(Tape::Operation& fresh) {
    const auto [at, alone] = circle_.try_emplace(fresh.a, tape_.code_.size());
    if (alone) return;
    Tape::Operation& first = tape_.code_[at->second];
    first.pair = 1;
    first.b = next_;
    fresh.pair = 2;
  }

  std::uint32_t place_pick(Id id) {
    const Call& call = g_.call_of(id);
    Tape::Pick pick;
    pick.jet = find_jet(id, pick.first);
    pick.at = static_cast<std::uint32_t>(jet_index(call.partial));
    pick.result = call.result;
    Tape::Jet& jet = tape_.jets_[pick.jet];
    jet.order = std::max(jet.order, order(call.partial));
    if (const int top = order(call.partial) + extra(jet); top > call.function->order)
      throw fmt::format("a derivative of order {} of '{}' is needed, it gives up to {}", top,
                        call.function->name, call.function->order);
    pick.slopes = place_slopes(call.partial);
    tape_.picks_.push_back(pick);
    return static_cast<std::uint32_t>(tape_.picks_.size() - 1);
  }

  int extra(const Tape::Jet& jet) const { return jet.active ? tape_.order_ : 0; }

  std::uint32_t place_slopes(Partial partial) {
    const auto at = static_cast<std::uint32_t>(tape_.slopes_.size());
    const auto add = [&] {
      tape_.slopes_.push_back(static_cast<std::uint32_t>(jet_index(partial)));
    };
    for (auto& i : partial) ++i, add(), --i;
    for (std::size_t i = 0; i < partial.size(); ++i)
      for (std::size_t j = i; j < partial.size(); ++j) {
        ++partial[i], ++partial[j];
        add();
        --partial[i], --partial[j];
      }
    return at;
  }

  std::uint32_t find_jet(Id id, bool& added) {
    std::vector<std::uint32_t> args;
    for (const Id arg : g_.args(id)) args.push_back(slot(arg));
    const auto fresh = static_cast<std::uint32_t>(tape_.jets_.size());
    const auto [at, is_new] =
        jet_of_.try_emplace({g_.call_of(id).function.get(), std::move(args)}, fresh);
    if ((added = is_new)) add_jet(id);
    return at->second;
  }

  void add_jet(Id id) {
    Tape::Jet jet{g_.call_of(id).function};
    jet.first = static_cast<std::uint32_t>(tape_.arguments_.size());
    jet.n = static_cast<std::uint32_t>(g_.args(id).size());
    for (const Id arg : g_.args(id)) {
      tape_.arguments_.push_back({slot(arg), is_active(arg)});
      jet.active = jet.active || is_active(arg);
    }
    tape_.jets_.push_back(std::move(jet));
  }

  void place_jets() {
    for (Tape::Jet& jet : tape_.jets_) {
      jet.offset = tape_.jets_size_;
      jet.results = static_cast<std::uint32_t>(n_results(*jet.function));
      for (int i = 0; i <= extra(jet); ++i)
        jet.size[static_cast<std::size_t>(i)] =
            static_cast<std::uint32_t>(jet_size(static_cast<int>(jet.n), jet.order + i));
      tape_.jets_size_ += jet.results * jet.size[static_cast<std::size_t>(extra(jet))];
    }
  }

  const Graph& g_;
  Tape tape_;
  std::vector<Slot> slots_;  // by id
  std::map<std::pair<const Function*, std::vector<std::uint32_t>>, std::uint32_t> jet_of_;
  std::map<std::uint32_t, std::size_t> circle_;  // sin or cos in the code by its argument's slot
  std::uint32_t next_ = 0;
};

Compiled Tape::compile(std::span<const Expression> outputs, std::span<const Expression> inputs,
                       Options options) {
  assert(!outputs.empty());
  try {
    return {Compiler(*outputs[0].graph, options).tape(outputs, inputs, options.active), ""};
  } catch (const std::string& error) {
    return {{}, error};
  }
}

Compiled Tape::compile(std::span<const Expression> outputs, std::span<const Expression> inputs) {
  return compile(outputs, inputs, Options{});
}

}  // namespace trammel::expr

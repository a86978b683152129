#include "form/row_answer.h"

#include <algorithm>

#include "constraint/stage_rows.h"
#include "form/solving.h"
#include "solve/product.h"

namespace trammel::form::velocity {

RowAnswer::RowAnswer(const Step& s, const model::KinematicsCache& at, const StageRows& rows,
                     const Tools& tools)
    : s_(s), at_(at), rows_(rows), tools_(tools) {
  const std::size_t n = rows.active.size();
  for (auto* list : {&holds_, &stays_}) list->resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    holds_[i] = rows.active[i] && rows.bound[i] == 0 && rows.lo[i] < rows.hi[i];
    stays_[i] = holds_[i] && constraint::never_yields(s.roles.hold[i], rows.lo[i], rows.hi[i]);
  }
  lo_.assign(n, -law::kInf);
  hi_.assign(n, law::kInf);
  for (auto* list : {&r_, &x_, &impulse_}) list->resize(n);
  set_.assign(n, 0);
}

bool RowAnswer::operator()(const std::vector<double>& f, std::vector<double>& du, bool yielding) {
  constexpr int kPasses = 2;  // redundant rows want a second
  const solve::Graph& graph = s_.mechanism.kin->graph();
  const brief::vector<unsigned char>& hold = yielding ? stays_ : holds_;
  brief::vector<double> P(f.begin(), f.end());
  std::fill(impulse_.begin(), impulse_.end(), 0.);
  for (int k = 0;; ++k) {
    solve::apply_inverse_mass(graph, at_.inv_mass.data(), P.data(), du.data());
    if (k == kPasses || r_.empty()) return true;
    solve::multiply(graph, at_.J.data(), du.data(), r_.data());
    for (std::size_t i = 0; i < r_.size(); ++i)
      r_[i] = hold[i] ? r_[i] + rows_.compliance[i] * impulse_[i] : 0;
    solve::Effort effort;
    if (!tools_.solver.correct({at_.J.data(), at_.inv_mass.data()},
                               {hold, rows_.compliance, lo_, hi_, s_.mechanism.table.others}, r_,
                               impulse_, set_, x_, effort))
      return false;
    for (std::size_t i = 0; i < x_.size(); ++i) impulse_[i] += x_[i];
    solve::add_transpose(graph, at_.J.data(), x_.data(), P.data());
  }
}

}  // namespace trammel::form::velocity

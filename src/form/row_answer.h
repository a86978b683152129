#pragma once

#include "form/velocity_values.h"
#include "math/brief.h"

namespace trammel::form::velocity {

/// How the mechanism responds to impulses while the rows that hold now hold on, J at `at`.
class RowAnswer {
 public:
  RowAnswer(const Step& s, const model::KinematicsCache& at, const StageRows& rows,
            const Tools& tools);
  bool operator()(const std::vector<double>& f, std::vector<double>& du, bool yielding);

 private:
  const Step& s_;
  const model::KinematicsCache& at_;
  const StageRows& rows_;
  const Tools& tools_;
  brief::vector<unsigned char> holds_, stays_;  // rows: those that hold; that no force makes yield
  brief::vector<double> lo_, hi_, r_, x_, impulse_;
  brief::vector<signed char> set_;
};

}  // namespace trammel::form::velocity

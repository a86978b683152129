// What runs by the energy formulation alone are warned of.
#include "sim/judgement_energy.h"

#include <fmt/format.h>

#include <cmath>

#include "math/index.h"

namespace trammel::sim {

namespace {

/// Returns `least` [N/m] rounded up to one digit: "3e+10 N/m".
std::string stiffness_text(double least) {
  constexpr double kRounding = 1e-9;
  const double ten = std::pow(10., std::floor(std::log10(least)));
  return fmt::format("{:.0e} N/m", std::ceil(least / ten * (1 - kRounding)) * ten);
}

/// Returns the remedy of joints that give way `times` as much as they may.
std::string stiffer(const form::Settings& f, double times) {
  constexpr double kMargin = 1.2;  // what vibrates gives way a little more than by its stiffness
  std::string out = "use ";
  if (f.difference == form::Settings::Difference::midpoint)
    out += "difference = \"bdf2\" and ";  // by midpoint joints are springs
  out += "joint_stiffness = \"inf\"";
  if (f.joint_stiffness < 0) return out + " instead of gamma";
  return out + fmt::format(", or at least \"{}\" under a steady load",
                           stiffness_text(kMargin * times * f.joint_stiffness));
}

}  // namespace

void judge_sag(const Watch& watch, const model::Model& model, const Settings& settings,
               std::vector<Warning>& out) {
  const Sag& sag = watch.seen.sag;
  if (!(sag.share.worst > kSagLimit)) return;
  const model::RowInfo& row = model.rows[at(sag.share.subject)];
  Warning w;
  w.kind = WarningKind::soft_joints;
  w.subject = model.joints[at(row.joint)].name;
  w.t_first = sag.share.t_first;
  w.t_worst = sag.share.t_worst;
  w.value = sag.share.worst;
  w.limit = kSagLimit;
  w.unit = "1";
  const joint::Unit unit = row.row.unit();
  w.text =
      fmt::format("its row '{}' gives way by {:.3g} {}", row.name, sag.value, joint::symbol(unit));
  if (unit == joint::Unit::metre)
    w.text +=
        fmt::format(", {:.2g} % of the mechanism's size of {:.3g} m", 100 * w.value, watch.size());
  w.text += ": in the energy formulation joints are springs";
  w.remedy = stiffer(settings.form, w.value / w.limit);
  out.push_back(w);
}

}  // namespace trammel::sim

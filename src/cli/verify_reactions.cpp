#include "cli/verify_reactions.h"

#include <fmt/format.h>

#include <cmath>

#include "cli/text_table.h"

namespace trammel::cli {

namespace {

std::string error_table(const verify::Report& r) {
  TextTable table("lrlrrl");
  table.row({"series", "order", "worst", "value", "off by", ""});
  for (const verify::ReactionError& e : r.reactions.errors)
    table.row({r.series[e.series].name,
               std::isfinite(e.order) ? fmt::format("{:.2f}", e.order) : "-",
               fmt::format("'{}'.{}", e.joint, e.component), fmt::format("{:.4g}", e.value),
               fmt::format("{:.2g} {}", e.error, e.unit), fmt::format("at {:.4g} s", e.t)});
  return table.text();
}

std::string pair_table(const verify::Report& r) {
  TextTable table("lllrrll");
  table.row({"between", "", "worst", "difference", "explained", "", ""});
  for (const verify::ReactionPair& p : r.reactions.pairs)
    table.row({r.series[p.a].name, r.series[p.b].name, fmt::format("'{}'.{}", p.joint, p.component),
               fmt::format("{:.2g}", std::abs(p.value_a - p.value_b)),
               fmt::format("{:.2g} {}", p.allowed, p.unit), fmt::format("at {:.4g} s", p.t),
               p.differs ? "differs" : ""});
  return table.text();
}

}  // namespace

std::string reactions_text(const verify::Report& r) {
  const verify::ReactionReport& all = r.reactions;
  std::string out;
  if (!all.errors.empty())
    out += fmt::format("reactions of {} ({}), in the first run of each series:\n{}",
                       count(static_cast<long>(all.joints), "joint"),
                       count(static_cast<long>(all.components), "component"), error_table(r));
  if (!all.pairs.empty()) out += pair_table(r);
  for (const std::string& what : all.left_out)
    out += fmt::format("  reactions left out: {}\n", what);
  return out.empty() ? out : out + "\n";
}

void put_reactions(io::Json& out, const verify::Report& r) {
  const verify::ReactionReport& all = r.reactions;
  out.key("reactions").begin('{').field("joints", all.joints).field("components", all.components);
  out.key("series").begin('[');
  for (const verify::ReactionError& e : all.errors) {
    out.begin('{').field("name", r.series[e.series].name).field("observed_order", e.order);
    out.field("joint", e.joint).field("component", e.component).field("unit", e.unit);
    out.field("t", e.t).field("value", e.value).field("error", e.error).end();
  }
  out.end().key("pairs").begin('[');
  for (const verify::ReactionPair& p : all.pairs) {
    out.begin('{').field("a", r.series[p.a].name).field("b", r.series[p.b].name);
    out.field("joint", p.joint).field("component", p.component).field("unit", p.unit);
    out.field("t", p.t).field("value_a", p.value_a).field("value_b", p.value_b);
    out.field("difference", std::abs(p.value_a - p.value_b)).field("allowed", p.allowed);
    out.field("agrees", !p.differs).end();
  }
  out.end().field("not_compared", all.left_out).end();
}

}  // namespace trammel::cli

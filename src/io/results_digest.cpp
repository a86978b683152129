#include "io/results_digest.h"

#include "math/digest.h"

namespace trammel::io {

namespace {

void add(Digest& digest, const std::vector<std::string>& texts) {
  digest.add(static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) digest.add(kept(text));
}

}  // namespace

std::string_view kept(std::string_view text) { return text.substr(0, text.find('\0')); }

std::uint64_t digest_of(const Header& header, const std::vector<std::string>& series,
                        const std::vector<std::string>& tables) {
  Digest out;
  for (const std::string* text : {&header.version, &header.formulation, &header.scene_path})
    out.add(kept(*text));
  out.add(std::string_view(header.scene_text));
  for (const auto& [name, value] : header.attributes) {
    out.add(kept(name));
    out.add(kept(value));
  }
  add(out, series);
  add(out, tables);
  std::vector<std::string> lists;
  for (const Rows& list : header.lists) lists.push_back(list.path);
  if (!lists.empty()) add(out, lists);  // older files have none
  return out.value();
}

std::uint64_t digest_of(const Rows& list) {
  Digest out;
  out.add(kept(list.path));
  for (const auto* texts : {&list.columns, &list.units}) add(out, *texts);
  return out.value();
}

std::uint64_t digest_of(const Series& series) {
  Digest out;
  out.add(kept(series.path));
  out.add(kept(series.quantity));
  for (const auto* texts : {&series.items, &series.columns, &series.units}) add(out, *texts);
  return out.value();
}

std::uint64_t digest_of(const Constants& table) {
  Digest out;
  out.add(kept(table.path));
  for (const auto* texts : {&table.items, &table.columns, &table.units}) add(out, *texts);
  out.add(table.values.data(), table.values.size() * sizeof(double));
  for (const auto& [name, texts] : table.labels) {
    out.add(kept(name));
    add(out, texts);
  }
  return out.value();
}

std::uint64_t digest_of(std::span<const std::int64_t, 3> progress) {
  Digest out;
  out.add(progress.data(), progress.size_bytes());
  return out.value();
}

RowDigest::RowDigest(std::string_view path) {
  Digest out;
  out.add(path);
  path_ = out.value();
}

std::uint64_t RowDigest::of(std::size_t frame, std::span<const double> row) const {
  Digest out;
  out.add(path_);
  out.add(static_cast<std::uint64_t>(frame));
  out.add(row.data(), row.size_bytes());
  return out.value();
}

std::uint64_t list_digest(const RowDigest& of, std::size_t frame, std::uint64_t first,
                          std::span<const double> rows) {
  Digest out;
  out.add(of.of(frame, rows));
  out.add(first);
  return out.value();
}

}  // namespace trammel::io

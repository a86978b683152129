#include "io/scene_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include "io/mesh_file.h"
#include "io/scene_text.h"
#include "io/scene_walk.h"
#include "io/whole_file.h"
#include "units/nearest.h"

namespace trammel::io {

namespace fs = std::filesystem;

namespace {
constexpr std::size_t kMostShapeBytes = 8u << 20;
constexpr std::string_view kObj = "# OBJ\n";
}  // namespace

FileText read_text(const std::string& file) {
  // Opening a pipe waits for a writer, and reading one for what it writes: perhaps for ever.
  if (const std::string why = why_reading_waits(file); !why.empty())
    return {"", "cannot be read: " + why};
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> f(std::fopen(file.c_str(), "rb"),
                                                          std::fclose);
  if (!f) return {"", fmt::format("cannot be opened: {}", std::strerror(errno))};
  FileText out;
  char buffer[1 << 16];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, f.get())) {
    out.text.append(buffer, n);
    if (out.text.size() > kMostBytes) break;  // check_text says so
  }
  if (std::ferror(f.get())) out.problem = fmt::format("cannot be read: {}", std::strerror(errno));
  return out;
}

const toml::table* SceneFiles::add(std::string text, const std::string& file) {
  const auto number = static_cast<int>(files_.size());
  findings_.origins.files.push_back(file);
  File& added = files_.emplace_back(File{std::move(text), {}});
  findings_.sources.push_back(added.text);
  if (const auto problem = check_text(added.text)) {
    findings_.complain("", {problem->place.line, problem->place.column, number}, problem->text);
    return nullptr;
  }
  try {
    added.root = toml::parse(std::string_view(added.text), std::to_string(number));
    return &added.root;
  } catch (const toml::parse_error& e) {
    findings_.complain("", place_of(e.source()),
                       fmt::format("{} (what follows was not read)", e.description()));
  }
  return nullptr;
}

/// The path of a file that another one names.
std::string SceneFiles::beside(const std::string& name, int file) const {
  const fs::path by = findings_.origins.files[static_cast<std::size_t>(file)];
  return (by.parent_path() / name).lexically_normal().string();
}

std::optional<std::string> SceneFiles::text_of(const std::string& file, Place by,
                                               const std::string& path) {
  if (kept_) return kept_text(file, by, path);
  FileText read = read_text(file);
  if (read.problem.empty()) return std::move(read.text);
  findings_.complain(path, by, fmt::format("'{}' {}", file, read.problem));
  return {};
}

/// As [files] calls a file: from the folder of the scene.
std::string SceneFiles::name_of(const std::string& file) const {
  const fs::path folder = fs::path(findings_.origins.files[0]).parent_path();
  return folder.empty() ? file : fs::path(file).lexically_relative(folder).string();
}

std::optional<std::string> SceneFiles::kept_text(const std::string& file, Place by,
                                                 const std::string& path) {
  const std::string name = name_of(file);
  if (const auto text = (*kept_)[name].value<std::string>()) return text;
  std::vector<std::string> known;
  for (const auto& [key, text] : *kept_) known.emplace_back(key.str());
  findings_.complain(path, by,
                     fmt::format("[files] has no '{}'{}", name, units::did_you_mean(name, known)));
  return {};
}

std::shared_ptr<const body::Mesh> SceneFiles::mesh(const std::string& name, Place by,
                                                   const std::string& path) {
  const std::string file = beside(name, by.file);
  const auto it = meshes_.find(file);
  return it != meshes_.end() ? it->second : meshes_[file] = read_mesh(file, by, path);
}

const std::string* SceneFiles::numbers(const std::string& name, Place by, const std::string& path) {
  const std::string file = beside(name, by.file);
  auto it = numbers_.find(file);
  if (it == numbers_.end()) it = numbers_.emplace(file, whole(file, by, path)).first;
  return it->second ? &*it->second : nullptr;
}

/// The text of a file that a shape is in.
std::optional<std::string> SceneFiles::whole(const std::string& file, Place by,
                                             const std::string& path) {
  try {
    return kept_ ? kept_text(file, by, path) : read_whole(file, kMostShapeBytes);
  } catch (const FileError& e) {
    findings_.complain(path, by, e.what());
    return {};
  }
}

std::shared_ptr<const body::Mesh> SceneFiles::read_mesh(const std::string& file, Place by,
                                                        const std::string& path) {
  const auto complain = [&](const std::string& text) {
    findings_.complain(path, by, fmt::format("'{}' {}", file, text));
    return nullptr;
  };
  const std::optional<std::string> given = whole(file, by, path);
  if (!given) return nullptr;
  const std::string& text = *given;
  const bool obj = text.starts_with(kObj);  // as appendix() writes them, whatever they are called
  auto read = parse_mesh(text, obj ? "x.obj" : file, Bounds::anything);
  if (auto* mesh = std::get_if<MeshText>(&read))
    return std::make_shared<const body::Mesh>(std::move(mesh->mesh));
  const SceneProblem& first = std::get<SceneProblems>(read).front();
  return complain(
      fmt::format("{}{}", first.line > 0 ? fmt::format("line {}: ", first.line) : "", first.text));
}

const toml::table* SceneFiles::load(const std::string& name, Place by, const std::string& path) {
  const std::string file = beside(name, by.file);
  const auto [it, fresh] = known_.try_emplace(file, -1);
  if (!fresh) return it->second < 0 ? nullptr : &files_[static_cast<std::size_t>(it->second)].root;
  auto text = text_of(file, by, path);
  if (!text) return nullptr;
  const auto number = static_cast<int>(files_.size());
  const toml::table* root = add(std::move(*text), file);
  const auto other = root ? other_format(*root) : std::nullopt;
  if (other)
    findings_.complain(path, {other->place.line, other->place.column, number}, other->text);
  if (!root || other) return nullptr;
  it->second = number;
  return root;
}

std::optional<TextProblem> other_format(const toml::table& root) {
  const toml::node* format = root.get("format");
  if (!format) return TextProblem{{1, 1}, "'format' is missing: a scene begins with format = 1"};
  if (format->value<std::int64_t>() == 1 && format->is_integer()) return {};
  return TextProblem{place_of(format->source()),
                     fmt::format("found {}, this version reads format = 1", type_name(*format))};
}

namespace {

using Way = std::vector<std::pair<std::string, std::size_t>>;  // a key, or an index

/// How to go from a node down to a table.
bool find_way(const toml::node& from, const toml::table& to, Way& way) {
  if (&from == &to) return true;
  const auto follow = [&](const toml::node& next, std::string key, std::size_t i) {
    way.emplace_back(std::move(key), i);
    if (find_way(next, to, way)) return true;
    way.pop_back();
    return false;
  };
  if (const toml::table* t = from.as_table()) {
    for (const auto& [key, next] : *t)
      if (follow(next, std::string(key.str()), 0)) return true;
  } else if (const toml::array* a = from.as_array()) {
    for (std::size_t i = 0; i < a->size(); ++i)
      if (follow((*a)[i], "", i)) return true;
  }
  return false;
}

}  // namespace

toml::table* SceneFiles::copy(const toml::table& table) {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    Way way;
    if (!find_way(files_[i].root, table, way)) continue;
    toml::node* node =
        &copies_.emplace_back(toml::parse(std::string_view(files_[i].text), std::to_string(i)));
    for (const auto& [key, index] : way)
      node = node->is_table() ? node->as_table()->get(key) : node->as_array()->get(index);
    return node->as_table();
  }
  return &copies_.emplace_back(table);  // of a copy: places are lost
}

namespace {

/// A mesh as OBJ, to the last bit.
std::string obj_of(const body::Mesh& mesh) {
  std::string out(kObj);
  for (const Vec3& x : mesh.vertices) out += fmt::format("v {} {} {}\n", x[0], x[1], x[2]);
  for (const std::vector<int>& face : mesh.faces) {
    out += 'f';
    for (const int i : face) out += fmt::format(" {}", i + 1);
    out += '\n';
  }
  return out;
}

}  // namespace

std::string SceneFiles::appendix() const {
  if (kept_ || (files_.size() < 2 && meshes_.empty() && numbers_.empty())) return "";
  toml::table texts;
  for (const auto& [file, number] : known_)
    if (number > 0)
      texts.insert_or_assign(name_of(file), files_[static_cast<std::size_t>(number)].text);
  for (const auto& [file, mesh] : meshes_)
    if (mesh) texts.insert_or_assign(name_of(file), obj_of(*mesh));
  for (const auto& [file, text] : numbers_)
    if (text) texts.insert_or_assign(name_of(file), *text);
  std::ostringstream out;
  out << toml::toml_formatter(toml::table{{"files", texts}},
                              toml::toml_formatter::default_flags &
                                  ~toml::format_flags::allow_multi_line_strings &
                                  ~toml::format_flags::allow_literal_strings);
  return "\n# The files of parts and shapes above, so that this is whole.\n" + out.str() + "\n";
}

}  // namespace trammel::io

#pragma once

#include <toml++/toml.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "io/scene_text.h"
#include "io/scene_value.h"

namespace trammel::body {
struct Mesh;
}

namespace trammel::io {

/// The texts that a scene is made of: its own, those of the files of its parts, and meshes.
class SceneFiles {
 public:
  explicit SceneFiles(Findings& findings) : findings_(findings) {}

  /// Parses a text under a name. Nothing: complained.
  const toml::table* add(std::string text, const std::string& file);
  /// The first one, and its text.
  toml::table& own() { return files_.front().root; }
  const std::string& text() const { return files_.front().text; }
  /// Texts that are not looked for on the disk: [files] of the scene.
  void keep(const toml::table& files) { kept_ = &files; }
  /// The file of a part, from the folder of the one that names it. Nothing: complained.
  const toml::table* load(const std::string& name, Place by, const std::string& path);
  /// A surface for looking, likewise. Null: complained.
  std::shared_ptr<const body::Mesh> mesh(const std::string& name, Place by,
                                         const std::string& path);
  /// A text of numbers, likewise. Null: complained.
  const std::string* numbers(const std::string& name, Place by, const std::string& path);
  std::string beside(const std::string& name, int file) const;
  /// Reads the file again in which a table stands: the same table as one's own, to be changed.
  toml::table* copy(const toml::table& table);
  /// What to put behind the scene's text so that it needs no other files.
  std::string appendix() const;

 private:
  struct File {
    std::string text;
    toml::table root;
  };
  std::optional<std::string> text_of(const std::string& file, Place by, const std::string& path);
  std::optional<std::string> kept_text(const std::string& file, Place by, const std::string& path);
  std::string name_of(const std::string& file) const;
  std::shared_ptr<const body::Mesh> read_mesh(const std::string& file, Place by,
                                              const std::string& path);
  std::optional<std::string> whole(const std::string& file, Place by, const std::string& path);

  Findings& findings_;
  std::deque<File> files_;  // as Origins::files
  std::deque<toml::table> copies_;
  std::map<std::string, int> known_;
  std::map<std::string, std::shared_ptr<const body::Mesh>> meshes_;  // null: complained
  std::map<std::string, std::optional<std::string>> numbers_;        // nothing: complained
  const toml::table* kept_ = nullptr;
};

/// The format is asked for first: of another one nothing else could be said. Returns a problem.
std::optional<TextProblem> other_format(const toml::table& root);

/// The text of a file, or why there is none.
struct FileText {
  std::string text, problem;
};
FileText read_text(const std::string& file);

}  // namespace trammel::io

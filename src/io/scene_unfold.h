#pragma once

#include <toml++/toml.h>

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "io/scene_files.h"
#include "io/scene_override.h"
#include "io/scene_walk.h"

/// What a scene has once its parts are put in their places and its repetitions have gone round.
namespace trammel::io {

struct Unfolded {
  std::map<std::string, std::vector<Element>, std::less<>> elements;  // by family
  Names names;
  JointTables joints;
  std::deque<Scope> scopes;  // the first is the scene itself
};

/// Reads parameters, data, defaults and the heads of parts and repetitions on the way.
class Unfolding {
 public:
  Unfolding(Unfolded& out, Findings& findings, SceneFiles& files, Overrides& overrides)
      : out_(out),
        findings_(findings),
        files_(files),
        overrides_(overrides),
        walker_(findings, out.joints, out.names, out.scopes.emplace_back(findings)) {}

  void run(const toml::table& root);

 private:
  /// A part that is written elsewhere, and says more: data and defaults before those there.
  struct Top {
    const toml::table* table = nullptr;
    std::string path;
  };
  /// What a part is made of.
  struct Content {
    const toml::table* table = nullptr;
    const Family* family = nullptr;
    std::vector<Formulas::Given> given;
    bool of_file = false;
    std::string file;
    Value ground = {};
    std::vector<Top> tops = {};  // the last one comes first
  };
  /// A time that contents are unfolded.
  struct Turn {
    std::vector<Formulas::Given> given;
    std::size_t number = 0, of = 1;
    std::vector<Top> tops = {};
  };
  using Siblings = std::vector<const toml::table*>;

  void contents(const toml::table& table, const Family& family, Scope& scope,
                const std::string& path, const Turn& turn);
  void element(const toml::table& table, const Key& key, Scope& scope, const std::string& path,
               std::size_t i, const Siblings& siblings);
  void add_names_of(const Element& system);
  std::optional<std::string> name_of(const toml::table& table, Scope& scope,
                                     const std::string& path);
  void part(const Element& head, Scope& around, const Siblings& siblings);
  std::optional<Content> content_of(const toml::table& part, const Value& head, Scope& around,
                                    const Siblings& siblings, int depth);
  std::optional<Content> content_of_file(const Value& file);
  std::optional<Content> content_like(const toml::table& part, const Value& like, Scope& around,
                                      const Siblings& siblings, int depth);
  std::vector<Formulas::Given> given_to(const toml::table& part, const std::string& path,
                                        Scope& around);
  Element beside(const Siblings& siblings, std::size_t i, Scope& around, const std::string& name);
  void put_on(const Top& top, const Value& below, Scope& scope);
  void repeat(const Element& head, Scope& around);
  std::optional<std::size_t> turns(const Value& head);
  bool name_turn(const Value& head, std::size_t k, Scope& scope);
  bool too_many(std::size_t more, const toml::table& table, const std::string& path);
  void place(const Value& pose, Scope& scope, const Turn& turn);
  void check_grounds();
  void collect_joints();

  Unfolded& out_;
  Findings& findings_;
  SceneFiles& files_;
  Overrides& overrides_;
  Walker walker_;
  std::vector<std::string> open_files_;
  std::map<std::string, std::string> taken_;  // full name -> family, of parts and elements
  std::set<const toml::table*> checked_;      // files whose keys are known
  std::vector<std::string> paths_;
  std::vector<std::pair<std::string, Scope*>> grounds_;  // path of what a part says -> the part
  int depth_ = 0;
  std::size_t count_ = 0;
  bool full_ = false;  // and told
};

}  // namespace trammel::io

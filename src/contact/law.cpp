// The table of laws, from those that name two materials, one or none.
#include "contact/law.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "math/index.h"
#include "units/claim.h"
#include "units/nearest.h"

namespace trammel::contact {

namespace {

constexpr int kAny = -1, kNone = -2;

class Table {
 public:
  Table(const std::vector<std::string>& materials, const std::vector<char>& used,
        std::vector<Problem>& problems)
      : materials_(materials), used_(used), problems_(problems) {}

  void take(const LawSpec& s) {
    check_numbers(s);
    std::array<int, 2> pair{};
    for (std::size_t k = 0; k < 2; ++k) pair[k] = find(s.between[k], s, k);
    if (pair[0] == kNone || pair[1] == kNone) return;
    if (pair[0] > pair[1]) std::swap(pair[0], pair[1]);
    const auto [other, is_new] = laws_.try_emplace(pair, &s);
    if (!is_new)
      complain(s.path, fmt::format("the law between '{}' and '{}' is given twice: see {}",
                                   s.between[0], s.between[1], other->second->path));
  }

  std::vector<Law> all() {
    const std::size_t n = materials_.size();
    std::vector<Law> out(n * n);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = a; b < n; ++b)
        out[a * n + b] = out[b * n + a] = between(static_cast<int>(a), static_cast<int>(b));
    return out;
  }

 private:
  void complain(std::string path, std::string text) {
    problems_.push_back({std::move(path), std::move(text)});
  }

  int find(const std::string& name, const LawSpec& s, std::size_t k) {
    if (name == kAnyMaterial) return kAny;
    const auto it = std::find(materials_.begin(), materials_.end(), name);
    if (it != materials_.end()) return static_cast<int>(it - materials_.begin());
    std::vector<std::string> names = materials_;
    names.emplace_back(kAnyMaterial);
    complain(fmt::format("{}.between[{}]", s.path, k),
             fmt::format("there is no material '{}'{}", name, units::did_you_mean(name, names)));
    return kNone;
  }

  void check_numbers(const LawSpec& s) {
    const auto check = [&](const char* key, double x, double most, const char* rule) {
      if (x >= 0 && x <= most && std::isfinite(x)) return;
      complain(fmt::format("{}.{}", s.path, key), fmt::format("{} {}", x, rule));
    };
    constexpr double any = std::numeric_limits<double>::max();
    check("friction", s.law.friction, any, "is no coefficient of friction: it is 0 or more");
    check("restitution", s.law.restitution, 1, "is no coefficient of restitution: it is 0 to 1");
    check("rolling_friction", s.law.rolling, any, "m is no lever of friction: it is 0 or more");
    check("spinning_friction", s.law.spinning, any, "m is no lever of friction: it is 0 or more");
    check("cohesion", s.law.cohesion, any, "N is no cohesion: it is 0 or more");
  }

  const LawSpec* of(int a, int b) const {
    const auto found = laws_.find({std::min(a, b), std::max(a, b)});
    return found == laws_.end() ? nullptr : found->second;
  }

  Law between(int a, int b) {
    if (const LawSpec* own = of(a, b)) return own->law;
    const LawSpec *first = of(a, kAny), *second = of(b, kAny);
    if (first && second && first != second && used_[at(a)] && used_[at(b)])
      complain(second->path,
               fmt::format("'{}' and '{}' have a law each with any other material: say which "
                           "holds between them by a law of their own",
                           materials_[at(a)], materials_[at(b)]));
    if (first || second) return (first ? first : second)->law;
    if (const LawSpec* all = of(kAny, kAny)) return all->law;
    return {};
  }

  const std::vector<std::string>& materials_;
  const std::vector<char>& used_;
  std::vector<Problem>& problems_;
  std::map<std::array<int, 2>, const LawSpec*> laws_;  // the lesser material first
};

}  // namespace

std::vector<std::string> materials_of(const std::vector<MaterialSpec>& specs,
                                      std::vector<Problem>& problems) {
  std::unordered_map<std::string, int> names{{std::string(kDefaultMaterial), 0}};
  std::vector<std::string> all{std::string(kDefaultMaterial)};
  for (const MaterialSpec& s : specs) {
    if (s.name == kAnyMaterial || s.name == kDefaultMaterial)
      problems.push_back(
          {s.path + ".name",
           fmt::format("'{}' means {} in laws: choose another name", s.name,
                       s.name == kAnyMaterial ? "every material"
                                              : "the material of shapes that name none")});
    else if (claim(s.name, s.path, "material", names, count(all), problems))
      all.push_back(s.name);
  }
  return all;
}

std::vector<Law> table_of(const std::vector<LawSpec>& specs,
                          const std::vector<std::string>& materials, const std::vector<char>& used,
                          std::vector<Problem>& problems) {
  const std::size_t before = problems.size();
  Table table(materials, used, problems);
  for (const LawSpec& s : specs) table.take(s);
  return problems.size() > before ? std::vector<Law>{} : table.all();
}

}  // namespace trammel::contact

// Damaged files: bits turned, blocks lost, doubled or in each other's place, files cut short. What
// a command says of them is what it says of whole ones, or that they are damaged.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "cli/forked.h"

namespace trammel::cli::damage_test {
namespace {

namespace fs = std::filesystem;

constexpr char kScene[] = R"(format = 1
title = "a pendulum with a brake"
[simulation]
duration = "0.4 s"
step = "2 ms"
output_step = "2 ms"
[[body]]
name = "bob"
box = ["0.1 m", "0.2 m", "0.4 m"]
mass = "2 kg"
position = ["0.6 m", 0, 0]
[[joint]]
name = "pivot"
type = "revolute"
b = "bob"
at = [0, 0, 0]
axis = [0, 1, 0]
[[joint]]
name = "slide"
type = "prismatic"
b = "bob2"
at = [0, 2, 0]
axis = [0, 0, 1]
[[body]]
name = "bob2"
sphere = "0.1 m"
mass = "1 kg"
position = [0, 2, 0]
[[law]]
name = "stop"
type = "limit"
joint = "slide"
from = "-0.2 m"
restitution = 0.5
[[probe]]
name = "tip"
body = "bob"
point = [0.1, 0, 0]
)";

/// One kind of damage, anywhere.
void damage(std::string& bytes, Dice& dice) {
  if (bytes.empty()) return;
  const auto block = [&](std::size_t size) {
    size = std::min(size, bytes.size());
    return std::pair(dice.below((bytes.size() - size) / size + 1) * size, size);
  };
  switch (dice.below(8)) {
    case 0:
    case 1:  // a bit
      bytes[dice.below(bytes.size())] ^= static_cast<char>(1u << dice.below(8));
      break;
    case 2:  // some bytes
      for (int i = 0; i < 8; ++i)
        bytes[dice.below(bytes.size())] = static_cast<char>(dice.below(256));
      break;
    case 3:  // cut
      bytes.resize(dice.below(bytes.size()));
      break;
    case 4: {  // a block of zeros
      const auto [at, size] = block(dice.below(2) ? 512 : 4096);
      bytes.replace(at, size, std::string(size, '\0'));
      break;
    }
    case 5: {  // a block twice
      const auto [from, size] = block(dice.below(2) ? 512 : 4096);
      const auto [to, same] = block(size);
      bytes.replace(to, same, bytes.substr(from, same));
      break;
    }
    case 6: {  // two blocks in each other's place
      const auto [one, size] = block(4096);
      const auto [two, same] = block(4096);
      const std::string first = bytes.substr(one, size);
      bytes.replace(one, size, bytes.substr(two, same));
      bytes.replace(two, same, first);
      break;
    }
    default:  // noise
      const auto [at, size] = block(64);
      for (std::size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<char>(dice.below(256));
  }
}

/// Of a table by time, its lines and their fields.
using Rows = std::map<std::string, std::vector<std::string>>;
Rows rows_of(const std::string& csv) {
  Rows out;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields;
    std::istringstream rest(line);
    for (std::string field; std::getline(rest, field, ',');) fields.push_back(field);
    out[fields.empty() ? "" : fields.front()] = fields;
  }
  return out;
}

/// Every number of a recovered table is one of the whole one, or left out.
bool holds(const Rows& part, const Rows& whole) {
  return std::all_of(part.begin(), part.end(), [&](const auto& row) {
    const auto wanted = whole.find(row.first);
    if (wanted == whole.end() || row.second.size() > wanted->second.size()) return false;
    for (std::size_t i = 0; i < row.second.size(); ++i)
      if (!row.second[i].empty() && row.second[i] != wanted->second[i]) return false;
    return true;
  });
}

class Damage : public Forked {
 protected:
  using Commands = std::vector<std::vector<std::string>>;

  void SetUp() override {
    Forked::SetUp();
    std::ofstream("s.toml") << kScene;
    const Ended ran = trammel({"run", "s.toml", "-o", "whole", "--quiet"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    for (const auto& command : reading_) {
      fresh();
      said_.push_back(trammel(command));
      ASSERT_EQ(said_.back().code, 0) << said_.back().err;
    }
    ASSERT_EQ(trammel(resume_).code, 0);
    resumed_ = trammel({"export", "r"}).out;
    table_ = rows_of(said_[2].out);
    ASSERT_EQ(table_.size(), 202u);
  }

  void fresh() const {
    fs::remove_all("r");
    fs::copy("whole", "r");
  }

  /// What a command does with the damaged folder; false: something was passed on.
  bool same_or_refused(const Ended& e, const std::string& out) const {
    if (e.signal != 0) return false;
    if (e.code == kDone) return e.out == out || !e.err.empty();
    return e.code == kInput && !e.err.empty();
  }

  /// One damaged file, and every command on it.
  void look(const std::string& file, Dice& dice, int number) {
    fresh();
    std::string bytes = contents_of(fs::path("r") / file);
    damage(bytes, dice);
    std::ofstream(fs::path("r") / file, std::ios::binary | std::ios::trunc) << bytes;
    const auto what = [&](const std::vector<std::string>& command, const Ended& e) {
      return fmt::format("damage {} of {}: trammel {}: exit {}, signal {}: {}", number, file,
                         fmt::join(command, " "), e.code, e.signal, e.err);
    };
    for (std::size_t i = 0; i < reading_.size(); ++i) {
      const Ended e = trammel(reading_[i]);
      const bool warned = i == 0 || i + 1 == reading_.size();  // by the checksums of the folder
      ASSERT_TRUE(same_or_refused(e, said_[i].out) &&
                  (warned || e.code != kDone || e.out == said_[i].out))
          << what(reading_[i], e) << "\n"
          << e.out;
      refused_ += e.code != kDone;
    }
    fs::remove_all("again");
    fs::copy("r", "again");
    const Ended resumed = trammel(resume_);
    ASSERT_TRUE(resumed.signal == 0 && (resumed.code == kDone || resumed.code == kInput))
        << what(resume_, resumed);
    if (resumed.code == kDone) {
      const Ended e = trammel({"export", "r"});
      ASSERT_EQ(e.code, kDone) << what(resume_, e);
      ASSERT_EQ(e.out, resumed_) << what(resume_, resumed);
    }
    fs::remove_all("r");
    fs::rename("again", "r");
    const Ended saved = trammel({"recover", "r"});
    ASSERT_TRUE(saved.signal == 0 && (saved.code == kDone || saved.code == kInput))
        << what({"recover", "r"}, saved);
    if (saved.code != kDone) return;
    ++saved_;
    const Ended e = trammel({"export", "r"});
    ASSERT_EQ(e.code, kDone) << what({"recover", "r"}, e);
    ASSERT_TRUE(holds(rows_of(e.out), table_)) << what({"recover", "r"}, saved);
  }

  void look_at(int count) {
    Dice dice(20251122);
    const std::vector<std::string> files{"results.h5", "results.h5",       "results.h5",
                                         "results.h5", "checkpoint-a.bin", "checkpoint-b.bin",
                                         "scene.toml", "summary.json"};
    for (int i = 0; i < count && !HasFatalFailure(); ++i)
      look(files[static_cast<std::size_t>(i) % files.size()], dice, i);
    RecordProperty("refused", static_cast<int>(refused_));
    RecordProperty("saved", static_cast<int>(saved_));
    EXPECT_GT(refused_, count / 4);  // damage is seen
    EXPECT_GT(saved_, count / 2);
  }

  const Commands reading_{{"info", "r"},
                          {"info", "r", "--events", "--channels"},
                          {"export", "r"},
                          {"export", "r", "--json"},
                          {"plot", "r", "-y", "pivot.angle", "-o", "-"},
                          {"check", "r/scene.toml"}};
  const std::vector<std::string> resume_{"resume", "r", "--until", "0.5 s", "--quiet"};
  std::vector<Ended> said_;
  std::string resumed_;
  Rows table_;
  long refused_ = 0, saved_ = 0;
};

TEST_F(Damage, OfFewFilesIsNeverPassedOn) { look_at(24); }
using SlowDamage = Damage;
TEST_F(SlowDamage, OfSomeFilesIsNeverPassedOn) { look_at(64); }
using FullDamage = Damage;
TEST_F(FullDamage, OfThousandFilesIsNeverPassedOn) { look_at(1000); }

}  // namespace
}  // namespace trammel::cli::damage_test

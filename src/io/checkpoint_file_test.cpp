#include "io/checkpoint_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "io/whole_file.h"
#include "version.h"

namespace trammel::io::checkpoint_file_test {
namespace {

namespace fs = std::filesystem;

class CheckpointFile : public testing::Test {
 protected:
  CheckpointFile() {
    std::string name = (fs::temp_directory_path() / "trammel_checkpoint_XXXXXX").string();
    dir_ = mkdtemp(name.data());
    files_ = checkpoint_files(dir_);
  }
  ~CheckpointFile() override { fs::remove_all(dir_); }

  std::string dir_;
  std::vector<std::string> files_;
};

Checkpoint sample(std::int64_t step) {
  return {{kVersion, build_id(), 77, step, 0.5 * static_cast<double>(step), 12, 3, 0},
          fmt::format("contents of {}", step) + std::string(1, '\0') + "and more"};
}

std::string error_of(const std::string& file) {
  try {
    read_checkpoint(file);
  } catch (const CheckpointError& e) {
    return e.what();
  }
  return "no error";
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(CheckpointFile, ComesBackAsWritten) {
  CheckpointWriter(dir_).write(sample(4), true);
  const Checkpoint back = read_checkpoint(files_[0]);
  EXPECT_EQ(back.contents, sample(4).contents);
  EXPECT_EQ(back.header.scene, 77u);
  EXPECT_EQ(back.header.step, 4);
  EXPECT_EQ(back.header.t, 2);
  EXPECT_EQ(back.header.frames, 12u);
  EXPECT_EQ(back.header.events, 3u);
  EXPECT_EQ(back.header.complete, 0);
}

// Each replaces the older one, in this process and after another.
TEST_F(CheckpointFile, TheTwoFilesTakeTurns) {
  {
    CheckpointWriter writer(dir_);
    for (int step : {1, 2, 3}) writer.write(sample(step), false);
  }
  EXPECT_EQ(read_checkpoint(files_[0]).header.step, 3);
  EXPECT_EQ(read_checkpoint(files_[1]).header.step, 2);
  CheckpointWriter(dir_).write(sample(4), false);
  EXPECT_EQ(read_checkpoint(files_[1]).header.step, 4);
  const Checkpoints all = read_checkpoints(dir_);
  ASSERT_EQ(all.good.size(), 2u);
  EXPECT_EQ(all.good[0].header.step, 4);
  EXPECT_TRUE(all.complaints.empty());
  for (const auto& entry : fs::directory_iterator(dir_))
    EXPECT_EQ(entry.path().extension(), ".bin") << entry.path();
}

TEST_F(CheckpointFile, TruncatedAtAnyLengthIsRefused) {
  CheckpointWriter(dir_).write(sample(4), false);
  const std::string whole = read_whole(files_[0]);
  for (std::size_t n = 0; n < whole.size(); ++n) {
    std::ofstream(files_[0], std::ios::binary) << whole.substr(0, n);
    EXPECT_HAS(error_of(files_[0]), "it is damaged: it ") << n;
  }
  std::ofstream(files_[0], std::ios::binary) << whole << 'x';
  EXPECT_HAS(error_of(files_[0]), "it is damaged: it has");
}

TEST_F(CheckpointFile, AnyChangedByteIsRefused) {
  CheckpointWriter(dir_).write(sample(4), false);
  const std::string whole = read_whole(files_[0]);
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const int change : {0x01, 0x80, 0xff}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      std::ofstream(files_[0], std::ios::binary) << bytes;
      EXPECT_NE(error_of(files_[0]), "no error") << i;
    }
}

TEST_F(CheckpointFile, DamagedOneLeavesTheOther) {
  CheckpointWriter writer(dir_);
  writer.write(sample(1), false);
  writer.write(sample(2), false);
  fs::resize_file(files_[1], 40);
  const Checkpoints all = read_checkpoints(dir_);
  ASSERT_EQ(all.good.size(), 1u);
  EXPECT_EQ(all.good[0].header.step, 1);
  ASSERT_EQ(all.complaints.size(), 1u);
  EXPECT_HAS(all.complaints[0], files_[1] + ": it is damaged: it has 40 bytes of");
  CheckpointWriter(dir_).write(sample(3), false);  // over the damaged one
  EXPECT_EQ(read_checkpoint(files_[1]).header.step, 3);
  EXPECT_EQ(read_checkpoint(files_[0]).header.step, 1);
}

TEST_F(CheckpointFile, NoneAndNoneOfOursAreRefused) {
  EXPECT_THROW(read_checkpoints(dir_), CheckpointError);
  std::ofstream(files_[0])
      << "something else altogether, longer than the beginning of a checkpoint";
  EXPECT_HAS(error_of(files_[0]), "no checkpoint of Trammel");
  EXPECT_THROW(read_checkpoints(dir_), CheckpointError);
  EXPECT_HAS(error_of(dir_ + "/none"), "none cannot be read: No such file or directory");
}

TEST_F(CheckpointFile, AnotherVersionOrBuildIsRefused) {
  Checkpoint other = sample(4);
  other.header.version = "0.0.9";
  CheckpointWriter(dir_).write(other, false);
  EXPECT_HAS(error_of(files_[0]),
             "Trammel 0.0.9 has written it, this is Trammel " + std::string(kVersion));
  other = sample(5);
  other.header.build = "0123456789abcdef";
  CheckpointWriter(dir_).write(other, false);
  EXPECT_HAS(error_of(files_[1]), "the build 0123456789abcdef of Trammel");
  EXPECT_HAS(error_of(files_[1]), "this is the build " + build_id());
}

TEST_F(CheckpointFile, ABuildHasAnId) {
  EXPECT_EQ(build_id().size(), 16u);
  EXPECT_EQ(build_id().find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST_F(CheckpointFile, WriteErrorsSayWhyAndLeaveTheOldOne) {
  CheckpointWriter writer(dir_);
  writer.write(sample(1), false);
  writer.write(sample(2), false);
  fs::create_directory(files_[0] + ".part");  // in the way of the next one
  try {
    writer.write(sample(3), false);
    ADD_FAILURE() << "no error";
  } catch (const CheckpointError& e) {
    EXPECT_HAS(std::string(e.what()), "checkpoint-a.bin cannot be written: Is a directory");
  }
  EXPECT_EQ(read_checkpoints(dir_).good.size(), 2u);
}

TEST_F(CheckpointFile, ReadsRegularFilesOfAnAllowedSizeOnly) {
  const auto error = [](const std::string& path, std::size_t most) -> std::string {
    try {
      read_whole(path, most);
    } catch (const FileError& e) {
      return e.what();
    }
    return "no error";
  };
  const std::string path = (std::filesystem::path(dir_) / "text").string();
  write_whole(path, std::string(3 << 20, 'x'));
  EXPECT_EQ(error(path, 3 << 20), "no error");
  EXPECT_HAS(error(path, (3 << 20) - 1), "it has more than 2 MB");
  EXPECT_HAS(error("/dev/zero", 1 << 20), "it is no regular file");
  EXPECT_HAS(error(dir_, 1 << 20), "it is no regular file");
}

TEST_F(CheckpointFile, AFullDeviceIsTold) {
  try {
    write_whole("/dev/full", "text");
    ADD_FAILURE() << "no error";
  } catch (const FileError& e) {
    EXPECT_HAS(std::string(e.what()), "/dev/full cannot be written: No space left on device");
  }
}

}  // namespace
}  // namespace trammel::io::checkpoint_file_test

#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/results.h"
#include "io/results_digest.h"

/// The part of the HDF5 library that results files need, owned and checked. Not installed.
namespace trammel::io::h5 {

/// Owns one identifier of HDF5 and closes it.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*closer)(hid_t)) : id_(id), close_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  /// Whether all went well; the handle is empty afterwards in any case.
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

/// Prepares HDF5 for the calling thread: it does not print its errors (a setting of each thread),
/// and at the program's exit it ends only if no write has failed (see `end_library`).
void prepare();

/// Throws ResultsError "<path>: <what>: <HDF5's reason>".
[[noreturn]] void fail(const std::string& path, std::string_view what);

/// A file with the path for its complaints.
struct File {
  std::string path;
  Handle id;

  template <class T>  // hid_t, herr_t, htri_t: negative means failure
  T check(T result, std::string_view what) const {
    if (result < 0) fail(path, what);
    return result;
  }

  /// Brings what was written to the disk.
  void sync() const;

  /// Throws if a write failed that HDF5 said nothing of.
  void demand_written() const;

  /// After a failed write, for a file opened with driver_id(): leaves it on disk as it is, with
  /// what was flushed before, and lets HDF5 believe in the writes of its clean-up. (It crashes at
  /// exit if a file cannot be closed.)
  void abandon() const;
};

hid_t driver_id();  // for files to be written; as HDF5 itself, from one thread at a time

Handle string_type(std::size_t bytes);  // of fixed length
Handle space(const std::vector<hsize_t>& dims, const std::vector<hsize_t>& max = {});

void write_attribute(const File& file, hid_t object, const char* name, const std::string& value);
void write_attribute(const File& file, hid_t object, const char* name, int value);
void write_attribute(const File& file, hid_t object, const char* name, std::uint64_t value);
void write_attribute(const File& file, hid_t object, const char* name,
                     const std::vector<std::string>& values);
bool has_attribute(hid_t object, const char* name);
/// Whether it holds texts of any length, which lie in a heap without checksums: older files.
bool is_variable_text(const File& file, hid_t object, const char* name);
/// One string or many, of fixed length; the attribute must be there.
std::vector<std::string> read_strings(const File& file, hid_t object, const char* name);
int read_int(const File& file, hid_t object, const char* name);
std::uint64_t read_digest(const File& file, hid_t object);  // the attribute `digest`
std::vector<std::string> attribute_names(const File& file, hid_t object);

/// An event as it lies in the file.
struct EventRecord {
  double t, value;
  char kind[32], subject[96], text[256], unit[16];
  std::uint64_t digest;  // of all before it, and of its place among the events
};
EventRecord pack(const Event& event, std::size_t place);
bool sound(const EventRecord& record, std::size_t place);
Event unpack(const EventRecord& record);
Handle event_type();

}  // namespace trammel::io::h5

#include "io/results_hdf5.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "math/digest.h"

namespace trammel::io {

std::string channel_name(const Series& series, std::size_t item, std::size_t column) {
  std::string name;
  for (const std::string* part : {&series.items[item], &series.quantity, &series.columns[column]})
    if (!part->empty()) name += (name.empty() ? "" : ".") + *part;
  return name;
}

}  // namespace trammel::io

namespace trammel::io::h5 {

namespace {

// HDF5 walks its stack of errors from the outermost call inwards; the innermost knows the cause.
herr_t keep_last(unsigned, const H5E_error2_t* error, void* reason) {
  *static_cast<std::string*>(reason) = error->desc ? error->desc : "";
  return 0;
}

constexpr std::string_view kMark = "error message = '";

// The operating system's words out of HDF5's, which repeat the path, flags and addresses.
std::string system_words(const std::string& reason) {
  const std::size_t from = reason.find(kMark);
  if (from == std::string::npos) return reason;
  const std::size_t start = from + kMark.size();
  return reason.substr(start, reason.find('\'', start) - start);
}

// Longest beginning of the text that fits and does not end inside a character of UTF-8.
template <std::size_t n>
void copy_text(char (&to)[n], const std::string& from) {
  std::size_t length = std::min(from.size(), n - 1);
  if (length < from.size())
    while (length > 0 && (static_cast<unsigned char>(from[length]) & 0xc0) == 0x80) --length;
  std::memset(to, 0, n);
  std::memcpy(to, from.data(), length);
}

}  // namespace

namespace {

// HDF5's driver for plain files, whose writes to an abandoned file go nowhere. A file is abandoned
// after its first failed write: HDF5 cannot close a file, nor come to its end, while writes fail,
// be it in the middle of creating one.
struct Driver {
  H5FD_class_t plain, ours;
  hid_t id = -1;
  std::vector<const void*> abandoned;  // by the address of the file's descriptor
  std::string failure;                 // the system's words of the last write that failed, if any
};

Driver& driver();

const void* key(H5FD_t* file) {
  void* descriptor = nullptr;
  driver().plain.get_handle(file, H5P_DEFAULT, &descriptor);
  return descriptor;
}

bool is_abandoned(H5FD_t* file) {
  const auto& list = driver().abandoned;
  return !list.empty() && std::ranges::find(list, key(file)) != list.end();
}

void abandon_file(const void* file) {
  driver().failure = std::strerror(errno);
  driver().abandoned.push_back(file);
}

herr_t write_or_drop(H5FD_t* file, H5FD_mem_t type, hid_t list, haddr_t at, size_t size,
                     const void* data) {
  if (is_abandoned(file)) return 0;
  const herr_t done = driver().plain.write(file, type, list, at, size, data);
  if (done < 0) abandon_file(key(file));
  return done;
}

herr_t truncate_or_drop(H5FD_t* file, hid_t list, hbool_t closing) {
  if (is_abandoned(file)) return 0;
  const herr_t done = driver().plain.truncate(file, list, closing);
  if (done < 0) abandon_file(key(file));
  return done;
}

herr_t forget_and_close(H5FD_t* file) {
  std::erase(driver().abandoned, key(file));
  return driver().plain.close(file);
}

// The library shows its driver only on an open file.
H5FD_class_t plain_driver() {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_sec2(access.get());
  H5FD_t* const file = H5FDopen("/dev/null", H5F_ACC_RDONLY, access.get(), 1);
  if (!file) throw ResultsError("cannot reach HDF5's driver for files");
  const H5FD_class_t out = *file->cls;
  H5FDclose(file);
  return out;
}

Driver make_driver() {
  Driver out;
  out.plain = out.ours = plain_driver();
  out.ours.name = "trammel";
  out.ours.write = write_or_drop;
  out.ours.truncate = truncate_or_drop;
  out.ours.close = forget_and_close;
  out.id = H5FDregister(&out.ours);
  return out;
}

// Never destroyed: HDF5 closes at its exit what is open still, after the destructors of statics.
Driver& driver() {
  static Driver* const only = new Driver(make_driver());
  return *only;
}

// A failed write can leave HDF5 (1.10.8) with the identifier of a file that it has already freed;
// H5_term_library reads it and crashes. Every file of ours is closed by then, so nothing is lost.
void end_library() {
  if (driver().failure.empty()) H5close();
}

}  // namespace

void prepare() {
  // HDF5 registers its own end when it starts, unless it is told before.
  [[maybe_unused]] static const bool registered =
      H5dont_atexit() >= 0 && std::atexit(end_library) == 0;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

void fail(const std::string& path, std::string_view what) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_last, &reason);
  H5Eclear2(H5E_DEFAULT);
  const bool is_systems = reason.find(kMark) != std::string::npos;
  reason = system_words(reason);
  // what HDF5 finds wrong after a lost write is that write's doing
  if (!is_systems && !driver().failure.empty())
    reason += fmt::format("; a write failed before: {}", driver().failure);
  throw ResultsError(fmt::format("{}: {}{}{}", path, what, reason.empty() ? "" : ": ", reason));
}

hid_t driver_id() { return driver().id; }

void File::abandon() const {
  void* descriptor = nullptr;
  if (id && H5Fget_vfd_handle(id.get(), H5P_DEFAULT, &descriptor) >= 0) abandon_file(descriptor);
}

void File::demand_written() const {
  void* descriptor = nullptr;
  if (id && H5Fget_vfd_handle(id.get(), H5P_DEFAULT, &descriptor) >= 0 &&
      std::ranges::find(driver().abandoned, descriptor) != driver().abandoned.end())
    throw ResultsError(path + ": a write failed");
}

void File::sync() const {
  void* descriptor = nullptr;
  check(H5Fget_vfd_handle(id.get(), H5P_DEFAULT, &descriptor), "cannot be brought to the disk");
  if (fdatasync(*static_cast<const int*>(descriptor)) != 0)
    throw ResultsError(
        fmt::format("{}: cannot be brought to the disk: {}", path, std::strerror(errno)));
}

Handle string_type(std::size_t bytes) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), bytes);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  return type;
}

Handle space(const std::vector<hsize_t>& dims, const std::vector<hsize_t>& max) {
  if (dims.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  const hsize_t* limit = max.empty() ? nullptr : max.data();
  return {H5Screate_simple(static_cast<int>(dims.size()), dims.data(), limit), H5Sclose};
}

namespace {

void write_any(const File& file, hid_t object, const char* name, hid_t type, const Handle& shape,
               const void* data) {
  const Handle attribute(H5Acreate2(object, name, type, shape.get(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  file.check(attribute.get(), fmt::format("cannot write the attribute '{}'", name));
  file.check(H5Awrite(attribute.get(), type, data),
             fmt::format("cannot write the attribute '{}'", name));
}

}  // namespace

void write_attribute(const File& file, hid_t object, const char* name, const std::string& value) {
  const std::string text(kept(value));  // one byte at least: there is no type of none
  write_any(file, object, name, string_type(std::max<std::size_t>(text.size(), 1)).get(), space({}),
            text.c_str());
}

void write_attribute(const File& file, hid_t object, const char* name, int value) {
  write_any(file, object, name, H5T_NATIVE_INT, space({}), &value);
}

void write_attribute(const File& file, hid_t object, const char* name, std::uint64_t value) {
  write_any(file, object, name, H5T_NATIVE_UINT64, space({}), &value);
}

void write_attribute(const File& file, hid_t object, const char* name,
                     const std::vector<std::string>& values) {
  std::size_t longest = 1;
  for (const std::string& value : values) longest = std::max(longest, kept(value).size());
  std::string data(longest * values.size() + 1, '\0');  // HDF5 wants a buffer even for nothing
  for (std::size_t i = 0; i < values.size(); ++i)
    data.replace(i * longest, kept(values[i]).size(), kept(values[i]));
  write_any(file, object, name, string_type(longest).get(), space({values.size()}), data.data());
}

bool has_attribute(hid_t object, const char* name) { return H5Aexists(object, name) > 0; }

bool is_variable_text(const File& file, hid_t object, const char* name) {
  const std::string what = fmt::format("cannot read the attribute '{}'", name);
  const Handle attribute(file.check(H5Aopen(object, name, H5P_DEFAULT), what), H5Aclose);
  const Handle stored(file.check(H5Aget_type(attribute.get()), what), H5Tclose);
  return H5Tis_variable_str(stored.get()) > 0;
}

std::vector<std::string> read_strings(const File& file, hid_t object, const char* name) {
  const std::string what = fmt::format("cannot read the attribute '{}'", name);
  const Handle attribute(file.check(H5Aopen(object, name, H5P_DEFAULT), what), H5Aclose);
  const Handle shape(file.check(H5Aget_space(attribute.get()), what), H5Sclose);
  const Handle stored(file.check(H5Aget_type(attribute.get()), what), H5Tclose);
  const auto n = static_cast<std::size_t>(H5Sget_simple_extent_npoints(shape.get()));
  const std::size_t size = H5Tget_size(stored.get());
  if (H5Tget_class(stored.get()) != H5T_STRING || H5Tis_variable_str(stored.get()) != 0 ||
      size == 0 || n * size != H5Aget_storage_size(attribute.get()))
    throw DamagedResults(fmt::format("{}: {}: it is not text of fixed length", file.path, what));
  std::string data(n * size + 1, '\0');  // HDF5 wants a buffer even for nothing
  file.check(H5Aread(attribute.get(), string_type(size).get(), data.data()), what);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < n; ++i)
    out.emplace_back(kept(std::string_view(data).substr(i * size, size)));
  return out;
}

int read_int(const File& file, hid_t object, const char* name) {
  const std::string what = fmt::format("cannot read the attribute '{}'", name);
  const Handle attribute(file.check(H5Aopen(object, name, H5P_DEFAULT), what), H5Aclose);
  int value = 0;
  file.check(H5Aread(attribute.get(), H5T_NATIVE_INT, &value), what);
  return value;
}

std::uint64_t read_digest(const File& file, hid_t object) {
  const std::string what = "cannot read the attribute 'digest'";
  const Handle attribute(file.check(H5Aopen(object, "digest", H5P_DEFAULT), what), H5Aclose);
  std::uint64_t value = 0;
  file.check(H5Aread(attribute.get(), H5T_NATIVE_UINT64, &value), what);
  return value;
}

std::vector<std::string> attribute_names(const File& file, hid_t object) {
  std::vector<std::string> names;
  const auto keep = [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  file.check(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &names),
             "cannot list the attributes");
  return names;
}

namespace {
std::uint64_t digest_of(const EventRecord& record, std::size_t place) {
  Digest out;
  out.add(static_cast<std::uint64_t>(place));
  out.add(&record, offsetof(EventRecord, digest));
  return out.value();
}
}  // namespace

bool sound(const EventRecord& record, std::size_t place) {
  return record.digest == digest_of(record, place);
}

EventRecord pack(const Event& event, std::size_t place) {
  EventRecord record{event.t, event.value, {}, {}, {}, {}, 0};
  copy_text(record.kind, event.kind);
  copy_text(record.subject, event.subject);
  copy_text(record.text, event.text);
  copy_text(record.unit, event.unit);
  record.digest = digest_of(record, place);
  return record;
}

Event unpack(const EventRecord& record) {
  const auto text = [](const auto& field) {
    return std::string(kept(std::string_view(field, sizeof field)));
  };
  return {record.t,          text(record.kind), text(record.subject),
          text(record.text), record.value,      text(record.unit)};
}

Handle event_type() {
  Handle type(H5Tcreate(H5T_COMPOUND, sizeof(EventRecord)), H5Tclose);
  H5Tinsert(type.get(), "t", offsetof(EventRecord, t), H5T_NATIVE_DOUBLE);
  H5Tinsert(type.get(), "value", offsetof(EventRecord, value), H5T_NATIVE_DOUBLE);
  const auto text = [&](const char* name, std::size_t offset, std::size_t bytes) {
    H5Tinsert(type.get(), name, offset, string_type(bytes).get());
  };
  text("kind", offsetof(EventRecord, kind), sizeof EventRecord::kind);
  text("subject", offsetof(EventRecord, subject), sizeof EventRecord::subject);
  text("text", offsetof(EventRecord, text), sizeof EventRecord::text);
  text("unit", offsetof(EventRecord, unit), sizeof EventRecord::unit);
  H5Tinsert(type.get(), "digest", offsetof(EventRecord, digest), H5T_NATIVE_UINT64);
  return type;
}

}  // namespace trammel::io::h5

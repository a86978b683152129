#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <thread>

#include "io/results_hdf5.h"
#include "io/whole_file.h"
#include "units/nearest.h"

namespace trammel::io {

namespace {

constexpr unsigned kAttempts = 27;  // to read what is being written; waits double from 1 ns: 0.1 s
constexpr std::size_t kCheckedAtOnce = 1 << 20;  // bytes
constexpr std::size_t kChunkRows = 16;           // at least: what is lost is lost by chunks
constexpr int kLooks = 100;                      // at what is being written, 1 ms apart
constexpr std::size_t kMostCompared = 20000;     // names, for a suggestion

std::vector<hsize_t> shape_of(hid_t dataset) {
  const h5::Handle space(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> dims(
      static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
  H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr);
  return dims;
}

h5::Handle open_dataset(const h5::File& file, const std::string& path) {
  return {file.check(H5Dopen2(file.id.get(), path.c_str(), H5P_DEFAULT), "cannot read " + path),
          H5Dclose};
}

template <class T>
hid_t native_type();
template <>
hid_t native_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t native_type<std::uint64_t>() {
  return H5T_NATIVE_UINT64;
}

// Part of a dataset, from `start`, `count` elements in each direction.
template <class T = double>
std::vector<T> read_part(const h5::File& file, hid_t dataset, std::vector<hsize_t> start,
                         std::vector<hsize_t> count) {
  hsize_t size = 1;
  for (const hsize_t n : count) size *= n;
  std::vector<T> out(size);
  if (size == 0) return out;
  const h5::Handle source(H5Dget_space(dataset), H5Sclose), target = h5::space({size});
  file.check(H5Sselect_hyperslab(source.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                 nullptr),
             "cannot read that part");
  file.check(
      H5Dread(dataset, native_type<T>(), target.get(), source.get(), H5P_DEFAULT, out.data()),
      "cannot read the numbers");
  return out;
}

}  // namespace

struct ResultsReader::File {
  h5::File file;
  bool waits = true;
  h5::Handle time = {}, events = {}, progress = {}, digests = {};
  std::vector<h5::Handle> datasets = {};
  std::vector<h5::Handle> lists = {}, places = {};  // rows; of each frame, where its rows are
  std::vector<Series> series = {};
  Header header = {};
  std::vector<RowDigest> row_digests = {};    // of the series
  std::vector<std::vector<bool>> known = {};  // of the time and of each series: frames found sound
  std::size_t frames = 0, event_count = 0;
  Ending ending = Ending::open;

  void open();
  void check_schema() const;
  void read_header();
  void read_scene();
  Series open_one(const std::string& path);
  void open_series();
  void read_constants();
  void open_lists();
  std::vector<double> list_rows(std::size_t list, std::size_t frame) const;
  void check_header() const;
  void read_progress();

  hid_t dataset(std::size_t i) const { return i == kTimes ? time.get() : datasets.at(i).get(); }
  std::string path_of(std::size_t i) const { return i == kTimes ? "/time" : series.at(i).path; }
  std::vector<double> rows(std::size_t i, std::size_t first, std::size_t count) const;
  std::vector<bool> check(std::size_t i, std::size_t first, std::size_t count) const;
  void demand(std::size_t i, std::size_t first, std::size_t count);
  [[noreturn]] void damaged(std::size_t i, std::size_t frame) const;
};

void ResultsReader::File::open() {
  if (const std::string why = why_reading_waits(file.path); !why.empty())
    throw ResultsError(file.path + ": cannot be opened: " + why);
  const char* path = file.path.c_str();
  const h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_metadata_read_attempts(access.get(), waits ? kAttempts : 1);
  file.id = {H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.get()), H5Fclose};
  // Files of older formats, which are not ours, open only so; then the schema speaks.
  if (!file.id) file.id = {H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
  file.check(file.id.get(), "cannot open the results file");
  check_schema();
  read_header();
  read_scene();
  read_constants();
  open_series();
  open_lists();
  check_header();
  read_progress();
}

void ResultsReader::File::check_schema() const {
  const hid_t root = file.id.get();
  const bool named = h5::has_attribute(root, "schema") && h5::has_attribute(root, "schema_version");
  // older ones have texts in a heap, of which only the version is asked
  const bool ours = named && (h5::is_variable_text(file, root, "schema") ||
                              h5::read_strings(file, root, "schema").front() == kResultsSchema);
  if (!ours) throw ResultsError(file.path + ": this is not a results file of Trammel");
  const int version = h5::read_int(file, root, "schema_version");
  if (version == kResultsSchemaVersion) return;
  throw ResultsError(fmt::format("{}: its schema version is {}, this Trammel reads version {}",
                                 file.path, version, kResultsSchemaVersion));
}

void ResultsReader::File::read_header() {
  const hid_t root = file.id.get();
  const auto one = [&](const char* name) { return h5::read_strings(file, root, name).front(); };
  header.version = one("trammel_version");
  header.formulation = one("formulation");
  header.scene_path = one("scene_path");
  const std::string_view ours[] = {"schema",      "schema_version", "trammel_version",
                                   "formulation", "scene_path",     "series",
                                   "tables",      "digest",         "lists"};
  for (const std::string& name : h5::attribute_names(file, root))
    if (std::ranges::find(ours, name) == std::end(ours))
      header.attributes[name] = one(name.c_str());
}

void ResultsReader::File::read_scene() {
  const h5::Handle scene = open_dataset(file, "/scene");
  const h5::Handle type(H5Dget_type(scene.get()), H5Tclose);
  header.scene_text.resize(H5Tget_size(type.get()));
  file.check(
      H5Dread(scene.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, header.scene_text.data()),
      "cannot read the scene");
}

void ResultsReader::File::read_constants() {
  for (const std::string& path : h5::read_strings(file, file.id.get(), "tables")) {
    const h5::Handle dataset = open_dataset(file, path);
    const auto strings = [&](const char* name) {
      return h5::read_strings(file, dataset.get(), name);
    };
    Constants t{path, strings("items"), strings("columns"), strings("units"), {}, {}};
    for (const std::string& label : strings("labels")) t.labels[label] = strings(label.c_str());
    const std::vector<hsize_t> dims = shape_of(dataset.get());
    bool good = dims.size() == 2 && dims[1] == t.columns.size() &&
                (t.items.empty() || dims[0] == t.items.size());
    for (const auto& [label, texts] : t.labels) good &= texts.size() == t.items.size();
    if (!good || t.units.size() != t.columns.size())
      throw DamagedResults(fmt::format("{}: {} is damaged", file.path, path));
    t.values = read_part(file, dataset.get(), {0, 0}, dims);
    if (digest_of(t) != h5::read_digest(file, dataset.get()))
      throw DamagedResults(
          fmt::format("{}: {} is damaged: its checksum is wrong", file.path, path));
    header.constants.push_back(std::move(t));
  }
}

Series ResultsReader::File::open_one(const std::string& path) {
  datasets.push_back(open_dataset(file, path));
  const hid_t id = datasets.back().get();
  Series s{path, h5::read_strings(file, id, "quantity").front(),
           h5::read_strings(file, id, "items"), h5::read_strings(file, id, "columns"),
           h5::read_strings(file, id, "units")};
  const std::vector<hsize_t> dims = shape_of(id);
  const bool good = dims.size() == 3 && dims[1] == s.items.size() && dims[2] == s.columns.size() &&
                    (s.units.size() == s.columns.size() || s.units.size() == s.width()) &&
                    digest_of(s) == h5::read_digest(file, id);
  if (!good) throw DamagedResults(fmt::format("{}: {} is damaged", file.path, path));
  return s;
}

void ResultsReader::File::open_series() {
  time = open_dataset(file, "/time");
  events = open_dataset(file, "/events");
  progress = open_dataset(file, "/progress");
  digests = open_dataset(file, "/digests");
  for (const std::string& path : h5::read_strings(file, file.id.get(), "series")) {
    series.push_back(open_one(path));
    row_digests.emplace_back(path);
  }
  known.resize(1 + series.size());
  const std::vector<hsize_t> dims = shape_of(digests.get());
  if (shape_of(time.get()).size() != 1 || shape_of(events.get()).size() != 1 || dims.size() != 2 ||
      dims[1] != known.size())
    throw DamagedResults(file.path + ": /digests, /time or /events is damaged");
}

void ResultsReader::File::open_lists() {
  if (!h5::has_attribute(file.id.get(), "lists")) return;
  for (const std::string& path : h5::read_strings(file, file.id.get(), "lists")) {
    lists.push_back(open_dataset(file, path));
    places.push_back(open_dataset(file, path + "_of"));
    const hid_t id = lists.back().get();
    Rows list{path, h5::read_strings(file, id, "columns"), h5::read_strings(file, id, "units")};
    const std::vector<hsize_t> rows = shape_of(id), places_of = shape_of(places.back().get());
    if (rows.size() != 2 || rows[1] != list.columns.size() || places_of.size() != 2 ||
        places_of[1] != 3 || digest_of(list) != h5::read_digest(file, id))
      throw DamagedResults(fmt::format("{}: {} is damaged", file.path, path));
    header.lists.push_back(std::move(list));
  }
}

std::vector<double> ResultsReader::File::list_rows(std::size_t i, std::size_t frame) const {
  const Rows& list = header.lists.at(i);
  if (frame >= frames)
    throw ResultsError(fmt::format("{}: there are {} frames", file.path, frames));
  const auto place = read_part<std::uint64_t>(file, places[i].get(), {frame, 0}, {1, 3});
  const std::size_t columns = list.columns.size();
  const bool there =
      place[0] <= shape_of(lists[i].get())[0] && place[1] <= shape_of(lists[i].get())[0] - place[0];
  std::vector<double> rows;
  if (there) rows = read_part(file, lists[i].get(), {place[0], 0}, {place[1], columns});
  if (!there || list_digest(RowDigest(list.path), frame, place[0], rows) != place[2])
    throw DamagedResults(fmt::format("{}: {} is damaged (frame {} of {}): its checksum is wrong",
                                     file.path, list.path, frame + 1, frames));
  return rows;
}

void ResultsReader::File::check_header() const {
  std::vector<std::string> paths, tables;
  for (const Series& s : series) paths.push_back(s.path);
  for (const Constants& t : header.constants) tables.push_back(t.path);
  if (digest_of(header, paths, tables) != h5::read_digest(file, file.id.get()))
    throw DamagedResults(file.path +
                         ": the scene or an attribute of the root is damaged: its checksum is "
                         "wrong");
}

void ResultsReader::File::read_progress() {
  if (shape_of(progress.get()) != std::vector<hsize_t>{4})
    throw DamagedResults(file.path + ": /progress is damaged");
  std::int64_t data[4] = {};
  const auto look = [&] {
    file.check(H5Dread(progress.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
               "cannot read /progress");
    return data[3] == static_cast<std::int64_t>(digest_of(std::span(data).first<3>()));
  };
  int looks = waits ? kLooks : 1;
  while (!look()) {  // it may be half written
    if (--looks == 0)
      throw DamagedResults(file.path + ": /progress is damaged: its checksum is wrong");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    file.check(H5Drefresh(progress.get()), "cannot read /progress");
  }
  const auto limited = [](std::int64_t n, const h5::Handle& dataset) {
    const std::vector<hsize_t> dims = shape_of(dataset.get());
    return std::min(static_cast<std::size_t>(std::max<std::int64_t>(n, 0)),
                    static_cast<std::size_t>(dims.empty() ? 0 : dims[0]));
  };
  frames = limited(static_cast<std::int64_t>(limited(data[0], time)), digests);
  for (const auto* all : {&datasets, &places})
    for (const h5::Handle& dataset : *all)
      frames = limited(static_cast<std::int64_t>(frames), dataset);
  event_count = limited(data[1], events);
  const bool sensible = data[2] >= 0 && data[2] <= static_cast<std::int64_t>(Ending::saved);
  if (!sensible) throw ResultsError(file.path + ": /progress is damaged");
  ending = static_cast<Ending>(data[2]);
}

// The rows of a series, or the times.
std::vector<double> ResultsReader::File::rows(std::size_t i, std::size_t first,
                                              std::size_t count) const {
  if (i == kTimes) return read_part(file, time.get(), {first}, {count});
  const Series& s = series.at(i);
  return read_part(file, dataset(i), {first, 0, 0}, {count, s.items.size(), s.columns.size()});
}

// Which of these rows are as they were written.
std::vector<bool> ResultsReader::File::check(std::size_t i, std::size_t first,
                                             std::size_t count) const {
  const std::size_t column = i == kTimes ? 0 : i + 1;
  const std::vector<std::uint64_t> wanted =
      read_part<std::uint64_t>(file, digests.get(), {first, column}, {count, 1});
  const std::vector<double> all = rows(i, first, count);
  const RowDigest of_time("/time");
  const RowDigest& digest = i == kTimes ? of_time : row_digests[i];
  const std::size_t width = count > 0 ? all.size() / count : 0;
  std::vector<bool> out(count);
  for (std::size_t k = 0; k < count; ++k)
    out[k] = digest.of(first + k, std::span(all).subspan(k * width, width)) == wanted[k];
  return out;
}

// Throws unless they are as they were written; each is checked once.
void ResultsReader::File::demand(std::size_t i, std::size_t first, std::size_t count) {
  std::vector<bool>& sound = known[i == kTimes ? 0 : i + 1];
  if (sound.size() < frames) sound.resize(frames);
  if (count > frames || first > frames - count)
    throw ResultsError(fmt::format("{}: there are {} frames", file.path, frames));
  const std::size_t width = i == kTimes ? 1 : series.at(i).width();
  const std::size_t block = std::max<std::size_t>(1, kCheckedAtOnce / (sizeof(double) * width));
  for (std::size_t at = first; at < first + count;) {
    if (sound[at]) {
      ++at;
      continue;
    }
    const std::size_t n = std::min(block, first + count - at);
    const std::vector<bool> good = check(i, at, n);
    const auto bad = std::ranges::find(good, false) - good.begin();
    if (static_cast<std::size_t>(bad) < n) damaged(i, at + static_cast<std::size_t>(bad));
    std::fill_n(sound.begin() + static_cast<std::ptrdiff_t>(at), n, true);
    at += n;
  }
}

void ResultsReader::File::damaged(std::size_t i, std::size_t frame) const {
  std::string when;
  try {
    if (i != kTimes && check(kTimes, frame, 1)[0])
      when = fmt::format(" at t = {:.6g} s", rows(kTimes, frame, 1)[0]);
  } catch (const ResultsError&) {
  }
  throw DamagedResults(fmt::format("{}: {} is damaged{} (frame {} of {}): its checksum is wrong",
                                   file.path, path_of(i), when, frame + 1, frames));
}

ResultsReader::ResultsReader(const std::string& path, bool waits)
    : file_(new File{{path, {}}, waits}) {
  h5::prepare();
  file_->open();
}
ResultsReader::~ResultsReader() = default;
ResultsReader::ResultsReader(ResultsReader&&) noexcept = default;
ResultsReader& ResultsReader::operator=(ResultsReader&&) noexcept = default;

const std::string& ResultsReader::path() const { return file_->file.path; }
const Header& ResultsReader::header() const { return file_->header; }
const std::vector<Series>& ResultsReader::series() const { return file_->series; }
std::size_t ResultsReader::frames() const { return file_->frames; }

Ending ResultsReader::ending() const { return file_->ending; }

std::string_view name_of(Ending ending) {
  constexpr std::string_view kNames[] = {"open",   "done",        "inaccurate",
                                         "failed", "interrupted", "saved"};
  return kNames[static_cast<int>(ending)];
}

std::string_view finished_text(Ending ending) {
  switch (ending) {
    case Ending::done:
      return "yes";
    case Ending::inaccurate:
      return "yes, but its numbers are not to be trusted: see the warnings";
    case Ending::failed:
      return "no: the numbers went bad";
    case Ending::interrupted:
      return "no: it was interrupted";
    case Ending::saved:
      return "no: what could be read was saved";
    case Ending::open:
      break;
  }
  return "no: the run goes on, or was killed";
}

void ResultsReader::refresh() {
  const auto renew = [this](const h5::Handle& dataset) {
    file_->file.check(H5Drefresh(dataset.get()), "cannot look for new frames");
  };
  renew(file_->progress);  // first: the others can only be ahead of it
  renew(file_->time);
  renew(file_->events);
  renew(file_->digests);
  for (const auto* all : {&file_->datasets, &file_->lists, &file_->places})
    for (const h5::Handle& dataset : *all) renew(dataset);
  file_->read_progress();
}

std::vector<Event> ResultsReader::sound_events(std::size_t& lost) const {
  std::vector<h5::EventRecord> records(file_->event_count);
  const h5::Handle type = h5::event_type(), target = h5::space({records.size()});
  const h5::Handle source(H5Dget_space(file_->events.get()), H5Sclose);
  const hsize_t start = 0, count = records.size();
  if (count > 0) {
    H5Sselect_hyperslab(source.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr);
    file_->file.check(H5Dread(file_->events.get(), type.get(), target.get(), source.get(),
                              H5P_DEFAULT, records.data()),
                      "cannot read the events");
  }
  std::vector<Event> out;
  for (std::size_t i = 0; i < records.size(); ++i)
    if (h5::sound(records[i], i)) out.push_back(h5::unpack(records[i]));
  lost = records.size() - out.size();
  return out;
}

std::vector<Event> ResultsReader::events() const {
  std::size_t lost = 0;
  std::vector<Event> out = sound_events(lost);
  if (lost > 0)
    throw DamagedResults(fmt::format("{}: /events is damaged: the checksums of {} of {} are wrong",
                                     path(), lost, file_->event_count));
  return out;
}

std::vector<Channel> ResultsReader::channels() const {
  std::vector<Channel> out = {{"time", "s", kTimes}};
  for (std::size_t i = 0; i < series().size(); ++i) {
    const Series& s = series()[i];
    for (std::size_t item = 0; item < s.items.size(); ++item)
      for (std::size_t column = 0; column < s.columns.size(); ++column)
        out.push_back({channel_name(s, item, column), s.unit(item, column), i, item, column});
  }
  return out;
}

Channel ResultsReader::find(std::string_view name) const {
  const std::vector<Channel> all = channels();
  for (const Channel& channel : all)
    if (channel.name == name) return channel;
  std::vector<std::string> names;
  for (const Channel& channel : std::span(all).first(std::min(all.size(), kMostCompared)))
    names.push_back(channel.name);
  throw ResultsError(
      fmt::format("{}: no channel '{}'{}", path(), name, units::did_you_mean(name, names)));
}

std::vector<double> ResultsReader::read(const Channel& channel, std::size_t first,
                                        std::size_t count) const {
  File& f = *file_;
  f.demand(channel.series, first, count);
  if (channel.series == kTimes) return f.rows(kTimes, first, count);
  return read_part(f.file, f.dataset(channel.series), {first, channel.item, channel.column},
                   {count, 1, 1});
}

std::vector<double> ResultsReader::read_rows(std::size_t index, std::size_t first,
                                             std::size_t count) const {
  file_->demand(index, first, count);
  return file_->rows(index, first, count);
}

std::vector<double> ResultsReader::read_list(std::size_t list, std::size_t frame) const {
  return file_->list_rows(list, frame);
}

std::vector<std::size_t> ResultsReader::list_counts(std::size_t list) const {
  const auto all =
      read_part<std::uint64_t>(file_->file, file_->places.at(list).get(), {0, 1}, {frames(), 1});
  return {all.begin(), all.end()};
}

void ResultsReader::demand(std::size_t frames) const {
  file_->demand(kTimes, 0, frames);
  for (std::size_t i = 0; i < series().size(); ++i) file_->demand(i, 0, frames);
  for (std::size_t i = 0; i < header().lists.size(); ++i)
    for (std::size_t frame = 0; frame < frames; ++frame) read_list(i, frame);
  events();
}

std::vector<bool> ResultsReader::sound(std::size_t series, std::size_t first,
                                       std::size_t count) const {
  try {
    std::vector<bool> good = file_->check(series, first, count);
    std::vector<bool>& known = file_->known[series == kTimes ? 0 : series + 1];
    if (known.size() < first + count) known.resize(first + count);
    std::copy(good.begin(), good.end(), known.begin() + static_cast<std::ptrdiff_t>(first));
    return good;
  } catch (const ResultsError&) {  // part of it cannot be read: which?
    if (count <= kChunkRows) return std::vector<bool>(count, false);
  }
  std::vector<bool> out = sound(series, first, count / 2);
  const std::vector<bool> rest = sound(series, first + count / 2, count - count / 2);
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

void copy_frames(const ResultsReader& from, ResultsWriter& to, std::size_t frames,
                 std::size_t events) {
  constexpr std::size_t kBytes = 1 << 20;
  std::size_t width = 1;
  for (const Series& s : from.series()) width += s.width();
  const std::size_t block = std::max<std::size_t>(1, kBytes / (width * sizeof(double)));
  const Channel time = from.find("time");
  std::vector<std::vector<double>> rows(from.series().size());
  for (std::size_t first = 0; first < frames; first += block) {
    const std::size_t n = std::min(block, frames - first);
    const std::vector<double> times = from.read(time, first, n);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = from.read_rows(i, first, n);
    for (std::size_t k = 0; k < n; ++k) {
      to.append_frame(times[k]);
      for (std::size_t i = 0; i < from.header().lists.size(); ++i)
        to.append_rows(i, from.read_list(i, first + k));
      for (std::size_t i = 0; i < rows.size(); ++i)
        to.append(i, std::span(rows[i]).subspan(k * (rows[i].size() / n), rows[i].size() / n));
    }
  }
  const std::vector<Event> all = from.events();
  for (std::size_t i = 0; i < std::min(events, all.size()); ++i) to.append_event(all[i]);
}

}  // namespace trammel::io

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "io/results_hdf5.h"
#include "units/nearest.h"

namespace trammel::io {

namespace {

constexpr std::size_t kTheTime = std::numeric_limits<std::size_t>::max();  // "series" of the time
constexpr unsigned kAttempts = 27;  // to read what is being written; waits double from 1 ns: 0.1 s
constexpr std::size_t kMostCompared = 20000;  // names, for a suggestion

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

// Part of a dataset, from `start`, `count` elements in each direction.
std::vector<double> read_part(const h5::File& file, hid_t dataset, std::vector<hsize_t> start,
                              std::vector<hsize_t> count) {
  hsize_t size = 1;
  for (const hsize_t n : count) size *= n;
  std::vector<double> out(size);
  if (size == 0) return out;
  const h5::Handle source(H5Dget_space(dataset), H5Sclose), target = h5::space({size});
  file.check(H5Sselect_hyperslab(source.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                 nullptr),
             "cannot read that part");
  file.check(
      H5Dread(dataset, H5T_NATIVE_DOUBLE, target.get(), source.get(), H5P_DEFAULT, out.data()),
      "cannot read the numbers");
  return out;
}

}  // namespace

struct ResultsReader::File {
  h5::File file;
  h5::Handle time = {}, events = {}, progress = {};
  std::vector<h5::Handle> datasets = {};
  std::vector<Series> series = {};
  Header header = {};
  std::size_t frames = 0, event_count = 0;
  Ending ending = Ending::open;

  void open();
  void check_schema() const;
  void read_header();
  void read_scene();
  void open_series();
  void read_constants();
  void read_progress();
};

void ResultsReader::File::open() {
  const char* path = file.path.c_str();
  const h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_metadata_read_attempts(access.get(), kAttempts);
  file.id = {H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.get()), H5Fclose};
  // Files of older formats, which are not ours, open only so; then the schema speaks.
  if (!file.id) file.id = {H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
  file.check(file.id.get(), "cannot open the results file");
  check_schema();
  read_header();
  read_scene();
  read_constants();
  open_series();
  read_progress();
}

void ResultsReader::File::check_schema() const {
  const hid_t root = file.id.get();
  const bool known = h5::has_attribute(root, "schema") &&
                     h5::read_strings(file, root, "schema").front() == kResultsSchema;
  if (!known) throw ResultsError(file.path + ": this is not a results file of Trammel");
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
  const std::string_view ours[] = {"schema",     "schema_version", "trammel_version", "formulation",
                                   "scene_path", "series",         "tables"};
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
  if (!h5::has_attribute(file.id.get(), "tables")) return;  // none were written in earlier days
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
      throw ResultsError(fmt::format("{}: {} is damaged", file.path, path));
    t.values = read_part(file, dataset.get(), {0, 0}, dims);
    header.constants.push_back(std::move(t));
  }
}

void ResultsReader::File::open_series() {
  time = open_dataset(file, "/time");
  events = open_dataset(file, "/events");
  progress = open_dataset(file, "/progress");
  for (const std::string& path : h5::read_strings(file, file.id.get(), "series")) {
    datasets.push_back(open_dataset(file, path));
    const hid_t id = datasets.back().get();
    series.push_back({path, h5::read_strings(file, id, "quantity").front(),
                      h5::read_strings(file, id, "items"), h5::read_strings(file, id, "columns"),
                      h5::read_strings(file, id, "units")});
    const Series& s = series.back();
    const std::vector<hsize_t> dims = shape_of(id);
    const bool good = dims.size() == 3 && dims[1] == s.items.size() &&
                      dims[2] == s.columns.size() &&
                      (s.units.size() == s.columns.size() || s.units.size() == s.width());
    if (!good) throw ResultsError(fmt::format("{}: {} is damaged", file.path, path));
  }
}

void ResultsReader::File::read_progress() {
  if (shape_of(progress.get()) != std::vector<hsize_t>{3})
    throw ResultsError(file.path + ": /progress is damaged");
  std::int64_t data[3] = {};
  file.check(H5Dread(progress.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
             "cannot read /progress");
  const auto limited = [](std::int64_t n, const h5::Handle& dataset) {
    const std::vector<hsize_t> dims = shape_of(dataset.get());
    return std::min(static_cast<std::size_t>(std::max<std::int64_t>(n, 0)),
                    static_cast<std::size_t>(dims.empty() ? 0 : dims[0]));
  };
  frames = limited(data[0], time);
  for (const h5::Handle& dataset : datasets)
    frames = limited(static_cast<std::int64_t>(frames), dataset);
  event_count = limited(data[1], events);
  const bool known = data[2] >= 0 && data[2] <= static_cast<std::int64_t>(Ending::saved);
  if (!known) throw ResultsError(file.path + ": /progress is damaged");
  ending = static_cast<Ending>(data[2]);
}

ResultsReader::ResultsReader(const std::string& path) : file_(new File{{path, {}}}) {
  h5::silence();
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
  for (const h5::Handle& dataset : file_->datasets) renew(dataset);
  file_->read_progress();
}

std::vector<Event> ResultsReader::events() const {
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
  for (const h5::EventRecord& record : records) out.push_back(h5::unpack(record));
  return out;
}

std::vector<Channel> ResultsReader::channels() const {
  std::vector<Channel> out = {{"time", "s", kTheTime}};
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
  const File& f = *file_;
  if (channel.series == kTheTime) return read_part(f.file, f.time.get(), {first}, {count});
  return read_part(f.file, f.datasets.at(channel.series).get(),
                   {first, channel.item, channel.column}, {count, 1, 1});
}

std::vector<double> ResultsReader::read_rows(std::size_t index, std::size_t first,
                                             std::size_t count) const {
  const Series& s = series().at(index);
  return read_part(file_->file, file_->datasets[index].get(), {first, 0, 0},
                   {count, s.items.size(), s.columns.size()});
}

std::size_t ResultsReader::frames_within(std::size_t bytes) const {
  const auto frames_in = [&](const h5::Handle& dataset, std::size_t most) {
    const h5::Handle layout(H5Dget_create_plist(dataset.get()), H5Pclose);
    std::vector<hsize_t> chunk(shape_of(dataset.get()).size()), at(chunk.size(), 0);
    H5Pget_chunk(layout.get(), static_cast<int>(chunk.size()), chunk.data());
    for (; at[0] < most; at[0] += chunk[0]) {
      unsigned filter = 0;
      haddr_t address = HADDR_UNDEF;
      hsize_t size = 0;
      const herr_t found =
          H5Dget_chunk_info_by_coord(dataset.get(), at.data(), &filter, &address, &size);
      if (found < 0 || address == HADDR_UNDEF || address + size > bytes) break;
    }
    return std::min(most, static_cast<std::size_t>(at[0]));
  };
  std::size_t out = frames_in(file_->time, frames());
  for (const h5::Handle& dataset : file_->datasets) out = frames_in(dataset, out);
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
      for (std::size_t i = 0; i < rows.size(); ++i)
        to.append(i, std::span(rows[i]).subspan(k * (rows[i].size() / n), rows[i].size() / n));
    }
  }
  const std::vector<Event> all = from.events();
  for (std::size_t i = 0; i < std::min(events, all.size()); ++i) to.append_event(all[i]);
}

}  // namespace trammel::io

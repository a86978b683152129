#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>

#include "io/results_hdf5.h"

namespace trammel::io {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kChunkBytes = 64 << 10, kBlockBytes = 1 << 20;
constexpr std::size_t kMaxRows = 1024;     // in a chunk or a block
constexpr std::size_t kMinChunkRows = 16;  // few chunks have a short index, in blocks within a page
constexpr std::size_t kEventBlock = 64;

std::size_t rows_for(std::size_t bytes, std::size_t row_bytes) {
  return std::clamp<std::size_t>(bytes / std::max<std::size_t>(row_bytes, 1), 1, kMaxRows);
}

// A dataset that grows by rows, and the rows that are not in it yet.
struct Table {
  std::string path;
  std::vector<hsize_t> dims;  // the first is the number of rows in the file
  hid_t type = -1;
  h5::Handle dataset = {};

  void create(const h5::File& file, std::size_t row_bytes) {
    std::vector<hsize_t> max = dims, chunk = dims;
    max[0] = H5S_UNLIMITED;
    chunk[0] = std::max(kMinChunkRows, rows_for(kChunkBytes, row_bytes));
    const h5::Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const h5::Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links.get(), 1);
    const std::string what = "cannot create " + path;
    file.check(H5Pset_chunk(layout.get(), static_cast<int>(chunk.size()), chunk.data()), what);
    // The header grows with the rows: it must fit in a page, so long attributes live elsewhere.
    H5Pset_attr_phase_change(layout.get(), 0, 0);
    const h5::Handle shape = h5::space(dims, max);
    dataset = {H5Dcreate2(file.id.get(), path.c_str(), type, shape.get(), links.get(), layout.get(),
                          H5P_DEFAULT),
               H5Dclose};
    file.check(dataset.get(), what);
  }

  void write(const h5::File& file, const void* rows, std::size_t count) {
    if (count == 0) return;
    const std::string what = "cannot write " + path;
    hsize_t start[3] = {dims[0], 0, 0}, size[3] = {count, 1, 1};
    std::copy(dims.begin() + 1, dims.end(), size + 1);
    dims[0] += count;
    file.check(H5Dset_extent(dataset.get(), dims.data()), what);
    const h5::Handle target(file.check(H5Dget_space(dataset.get()), what), H5Sclose);
    H5Sselect_hyperslab(target.get(), H5S_SELECT_SET, start, nullptr, size, nullptr);
    const int rank = static_cast<int>(dims.size());
    const h5::Handle source(H5Screate_simple(rank, size, nullptr), H5Sclose);
    file.check(H5Dwrite(dataset.get(), type, source.get(), target.get(), H5P_DEFAULT, rows), what);
  }

  void flush(const h5::File& file) const {
    if (dataset) file.check(H5Dflush(dataset.get()), "cannot write " + path);
  }
};

struct SeriesTable {
  Table table;
  std::size_t width = 0;          // numbers in a row
  std::vector<double> rows = {};  // as many as a block has
  RowDigest digest;

  std::span<const double> row(std::size_t i) const {
    return std::span(rows).subspan(i * width, width);
  }
};

/// Rows of which a frame has any number, and where they are.
struct ListTable {
  Table rows, frames;
  std::size_t columns = 0;
  RowDigest digest;
  std::vector<double> block = {};          // rows that are not in the file yet
  std::vector<std::uint64_t> places = {};  // of the frames of the block: first row, count, digest
  std::size_t all = 0;                     // rows so far

  void begin_frame() { places.insert(places.end(), {all, 0, 0}); }
  void add(std::span<const double> more) {
    block.insert(block.end(), more.begin(), more.end());
    places[places.size() - 2] += more.size() / columns;
    all += more.size() / columns;
  }
  /// The rows of the frames of a block whose first frame is `frame`.
  void close(std::size_t frame) {
    const std::size_t first = all - block.size() / std::max<std::size_t>(columns, 1);
    for (std::size_t i = 0; i + 2 < places.size(); i += 3) {
      const std::span<const double> of =
          std::span(block).subspan((places[i] - first) * columns, places[i + 1] * columns);
      places[i + 2] = list_digest(digest, frame + i / 3, places[i], of);
    }
  }
  void write(const h5::File& file) {
    rows.write(file, block.data(), block.size() / columns);
    frames.write(file, places.data(), places.size() / 3);
    block.clear();
    places.clear();
  }
};

void check_shape(const std::string& path, const Series& series) {
  const std::size_t n = series.units.size();
  if (n == series.columns.size() || n == series.width()) return;
  throw ResultsError(fmt::format("{}: {} has {} units for {} items of {} columns", path,
                                 series.path, n, series.items.size(), series.columns.size()));
}

}  // namespace

struct ResultsWriter::File {
  h5::File file;
  h5::Handle event_type = {}, progress = {};
  Table time = {}, event_table = {}, digest_table = {};
  std::vector<SeriesTable> tables = {};
  std::vector<ListTable> lists = {};
  std::vector<double> times = {};           // of the frames of the block
  std::vector<std::uint64_t> digests = {};  // of a block: of the times and rows of each frame
  std::vector<h5::EventRecord> events = {};
  std::size_t block = 1;  // frames
  Clock::duration interval = {};
  Clock::time_point flushed = {};
  bool broken = false;  // a write failed

  void create(const Header& header, const std::vector<Series>& series);
  void write_header(const Header& header, const std::vector<Series>& series);
  void write_constants(const Constants& table);
  void create_tables(const std::vector<Series>& series);
  void create_lists(const Header& header);
  void create_progress();
  void start();
  void write_digests();
  void write_blocks();
  void write_events();
  void write_progress(Ending ending);
  void flush(Ending ending = Ending::open);
  void close(Ending ending);

  // Runs what writes; after a failure the file is left alone.
  template <class Action>
  void guarded(Action action) {
    if (broken) throw ResultsError(file.path + ": not written on after an error");
    try {
      action();
    } catch (const ResultsError&) {
      broken = true;
      file.abandon();
      throw;
    }
  }
};

void ResultsWriter::File::create(const Header& header, const std::vector<Series>& series) {
  const h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_driver(access.get(), h5::driver_id(), nullptr);
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  // A kill can cut a write short where it passes from one page of memory to the next. HDF5's own
  // data change in place, so none of them may lie across a page.
  const h5::Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_file_space_strategy(creation.get(), H5F_FSPACE_STRATEGY_PAGE, false, 1);
  H5Pset_file_space_page_size(creation.get(), 4096);
  H5Pset_attr_phase_change(creation.get(), 0, 0);  // of the root: attributes of any length
  file.id = {H5Fcreate((file.path + ".part").c_str(), H5F_ACC_TRUNC, creation.get(), access.get()),
             H5Fclose};
  file.check(file.id.get(), "cannot create the results file");
  write_header(header, series);
  for (const Constants& table : header.constants) write_constants(table);
  create_tables(series);
  create_lists(header);
  create_progress();
  start();
}

void ResultsWriter::File::write_header(const Header& header, const std::vector<Series>& series) {
  const hid_t root = file.id.get();
  std::vector<std::string> paths;
  for (const Series& s : series)
    if (s.width() > 0) paths.push_back(s.path);
  h5::write_attribute(file, root, "schema", std::string(kResultsSchema));
  h5::write_attribute(file, root, "schema_version", kResultsSchemaVersion);
  h5::write_attribute(file, root, "trammel_version", header.version);
  h5::write_attribute(file, root, "formulation", header.formulation);
  h5::write_attribute(file, root, "scene_path", header.scene_path);
  h5::write_attribute(file, root, "series", paths);
  std::vector<std::string> constant;
  for (const Constants& table : header.constants) constant.push_back(table.path);
  h5::write_attribute(file, root, "tables", constant);
  std::vector<std::string> lists_there;
  for (const Rows& list : header.lists) lists_there.push_back(list.path);
  if (!lists_there.empty()) h5::write_attribute(file, root, "lists", lists_there);
  for (const auto& [name, value] : header.attributes)
    h5::write_attribute(file, root, name.c_str(), value);
  Header whole = header;
  std::string& text = whole.scene_text;
  if (text.empty()) text = " ";
  h5::write_attribute(file, root, "digest", digest_of(whole, paths, constant));
  const h5::Handle type = h5::string_type(text.size()), shape = h5::space({});
  const h5::Handle scene(
      H5Dcreate2(root, "/scene", type.get(), shape.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  file.check(scene.get(), "cannot write the scene");
  file.check(H5Dwrite(scene.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()),
             "cannot write the scene");
}

void ResultsWriter::File::write_constants(const Constants& table) {
  const std::string what = "cannot write " + table.path;
  const h5::Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const h5::Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.get(), 1);
  H5Pset_attr_phase_change(layout.get(), 0, 0);
  const std::size_t columns = table.columns.size();
  const std::size_t rows =
      table.items.empty() && columns > 0 ? table.values.size() / columns : table.items.size();
  if (rows * columns != table.values.size())
    throw ResultsError(fmt::format("{}: {} has {} numbers for {} items of {} columns", file.path,
                                   table.path, table.values.size(), rows, columns));
  const h5::Handle shape = h5::space({rows, columns});
  const h5::Handle dataset(H5Dcreate2(file.id.get(), table.path.c_str(), H5T_NATIVE_DOUBLE,
                                      shape.get(), links.get(), layout.get(), H5P_DEFAULT),
                           H5Dclose);
  file.check(dataset.get(), what);
  if (!table.values.empty())
    file.check(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                        table.values.data()),
               what);
  std::vector<std::string> labels;
  for (const auto& [name, texts] : table.labels) {
    labels.push_back(name);
    h5::write_attribute(file, dataset.get(), name.c_str(), texts);
  }
  h5::write_attribute(file, dataset.get(), "items", table.items);
  h5::write_attribute(file, dataset.get(), "columns", table.columns);
  h5::write_attribute(file, dataset.get(), "units", table.units);
  h5::write_attribute(file, dataset.get(), "labels", labels);
  h5::write_attribute(file, dataset.get(), "digest", digest_of(table));
}

void ResultsWriter::File::create_tables(const std::vector<Series>& series) {
  std::size_t frame_bytes = sizeof(double);
  std::vector<std::string> digested{"/time"};
  time = {"/time", {0}, H5T_NATIVE_DOUBLE};
  time.create(file, sizeof(double));
  h5::write_attribute(file, time.dataset.get(), "units", std::string("s"));
  for (const Series& s : series) {
    check_shape(file.path, s);
    Table table{s.path, {0, s.items.size(), s.columns.size()}, H5T_NATIVE_DOUBLE};
    if (s.width() > 0) {
      table.create(file, s.width() * sizeof(double));
      h5::write_attribute(file, table.dataset.get(), "quantity", s.quantity);
      h5::write_attribute(file, table.dataset.get(), "items", s.items);
      h5::write_attribute(file, table.dataset.get(), "columns", s.columns);
      h5::write_attribute(file, table.dataset.get(), "units", s.units);
      h5::write_attribute(file, table.dataset.get(), "digest", digest_of(s));
      digested.push_back(s.path);
    }
    frame_bytes += s.width() * sizeof(double);
    tables.push_back({std::move(table), s.width(), {}, RowDigest(s.path)});
  }
  digest_table = {"/digests", {0, digested.size()}, H5T_NATIVE_UINT64};
  digest_table.create(file, digested.size() * sizeof(std::uint64_t));
  h5::write_attribute(file, digest_table.dataset.get(), "columns", digested);
  block = rows_for(kBlockBytes, frame_bytes);
  times.reserve(block);
  for (SeriesTable& t : tables) t.rows.resize(block * t.width);
  event_type = h5::event_type();
  event_table = {"/events", {0}, event_type.get()};
  event_table.create(file, sizeof(h5::EventRecord));
  events.reserve(kEventBlock);
}

void ResultsWriter::File::create_lists(const Header& header) {
  for (const Rows& list : header.lists) {
    const std::size_t columns = list.columns.size();
    if (columns == 0 || list.units.size() != columns)
      throw ResultsError(fmt::format("{}: {} has {} units for {} columns", file.path, list.path,
                                     list.units.size(), columns));
    ListTable t{{list.path, {0, columns}, H5T_NATIVE_DOUBLE},
                {list.path + "_of", {0, 3}, H5T_NATIVE_UINT64},
                columns,
                RowDigest(list.path)};
    t.rows.create(file, columns * sizeof(double));
    t.frames.create(file, 3 * sizeof(std::uint64_t));
    h5::write_attribute(file, t.rows.dataset.get(), "columns", list.columns);
    h5::write_attribute(file, t.rows.dataset.get(), "units", list.units);
    h5::write_attribute(file, t.rows.dataset.get(), "digest", digest_of(list));
    h5::write_attribute(file, t.frames.dataset.get(), "columns", {"first", "count", "digest"});
    lists.push_back(std::move(t));
  }
}

// How far a reader may trust the other datasets: with a full disk, numbers may be missing in them
// that their shapes promise. A dataset, as attributes cannot change while others read.
void ResultsWriter::File::create_progress() {
  const h5::Handle shape = h5::space({4});
  progress = {H5Dcreate2(file.id.get(), "/progress", H5T_NATIVE_INT64, shape.get(), H5P_DEFAULT,
                         H5P_DEFAULT, H5P_DEFAULT),
              H5Dclose};
  file.check(progress.get(), "cannot create /progress");
  h5::write_attribute(file, progress.get(), "columns", {"frames", "events", "finished", "digest"});
  write_progress(Ending::open);
}

void ResultsWriter::File::write_progress(Ending ending) {
  const auto count = [](hsize_t n) { return static_cast<std::int64_t>(n); };
  std::int64_t data[4] = {count(time.dims[0]), count(event_table.dims[0]),
                          static_cast<std::int64_t>(ending), 0};
  data[3] = static_cast<std::int64_t>(digest_of(std::span(data).first<3>()));
  file.check(H5Dwrite(progress.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
             "cannot write /progress");
  file.check(H5Dflush(progress.get()), "cannot write /progress");
}

// From here on the file is whole at every moment (single writer, multiple readers).
void ResultsWriter::File::start() {
  file.check(H5Fflush(file.id.get(), H5F_SCOPE_GLOBAL), "cannot write the results file");
  file.check(H5Fstart_swmr_write(file.id.get()), "cannot open the results file for readers");
  flushed = Clock::now();
}

// First of a block: where the end of a file is lost, it is known of the rest whether it is whole.
void ResultsWriter::File::write_digests() {
  const RowDigest of_time("/time");
  digests.clear();
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto frame = static_cast<std::size_t>(time.dims[0]) + i;
    digests.push_back(of_time.of(frame, std::span(times).subspan(i, 1)));
    for (const SeriesTable& t : tables)
      if (t.width > 0) digests.push_back(t.digest.of(frame, t.row(i)));
  }
  digest_table.write(file, digests.data(), times.size());
}

void ResultsWriter::File::write_blocks() {
  write_digests();
  for (ListTable& t : lists) {
    t.close(static_cast<std::size_t>(time.dims[0]));
    t.write(file);
  }
  for (SeriesTable& t : tables)
    if (t.width > 0) t.table.write(file, t.rows.data(), times.size());
  time.write(file, times.data(), times.size());
  times.clear();
}

void ResultsWriter::File::write_events() {
  event_table.write(file, events.data(), events.size());
  events.clear();
}

void ResultsWriter::File::flush(Ending ending) {
  write_blocks();
  write_events();
  for (SeriesTable& t : tables) t.table.flush(file);
  for (ListTable& t : lists) {
    t.rows.flush(file);
    t.frames.flush(file);
  }
  time.flush(file);
  digest_table.flush(file);
  event_table.flush(file);
  file.demand_written();  // before the frames are counted
  write_progress(ending);
  file.demand_written();
  flushed = Clock::now();
}

void ResultsWriter::File::close(Ending ending) {
  flush(ending);
  tables.clear();
  lists.clear();
  for (h5::Handle* handle :
       {&time.dataset, &event_table.dataset, &digest_table.dataset, &progress, &event_type})
    handle->close();
  if (!file.id.close()) h5::fail(file.path, "cannot close the results file");
}

namespace {

std::string part_of(const std::string& path) { return path + ".part"; }

/// Does an action, and removes what it has begun when it fails.
template <class Action>
void or_remove(const std::string& path, Action action) {
  try {
    action();
  } catch (const ResultsError&) {
    std::error_code ignored;
    std::filesystem::remove(part_of(path), ignored);
    throw;
  }
}

}  // namespace

ResultsWriter::ResultsWriter(std::unique_ptr<File> file) : file_(std::move(file)) {}

std::unique_ptr<ResultsWriter::File> ResultsWriter::begin(const std::string& path,
                                                          const Header& header,
                                                          const std::vector<Series>& series,
                                                          double flush_interval) {
  h5::prepare();
  std::unique_ptr<File> file(new File{{path, {}}});
  file->interval =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(flush_interval));
  or_remove(path, [&] { file->guarded([&] { file->create(header, series); }); });
  return file;
}

void ResultsWriter::take_name() {
  const std::string& path = file_->file.path;
  std::error_code error;
  std::filesystem::rename(part_of(path), path, error);
  if (error)
    throw ResultsError(
        fmt::format("{}: cannot create the results file: {}", path, error.message()));
}

ResultsWriter::ResultsWriter(const std::string& path, const Header& header,
                             std::vector<Series> series, double flush_interval) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored))
    throw ResultsError(path + ": cannot create the results file: File exists");
  file_ = begin(path, header, series, flush_interval);
  or_remove(path, [&] { take_name(); });
}

ResultsWriter ResultsWriter::continued(const std::string& path, const Header& header,
                                       const ResultsReader& before, std::size_t frames,
                                       std::size_t events, double flush_interval) {
  return replacing(
      path, header, before.series(),
      [&](ResultsWriter& out) { copy_frames(before, out, frames, events); }, flush_interval);
}

ResultsWriter ResultsWriter::replacing(const std::string& path, const Header& header,
                                       const std::vector<Series>& series,
                                       const std::function<void(ResultsWriter&)>& fill,
                                       double flush_interval) {
  ResultsWriter out(begin(path, header, series, flush_interval));
  or_remove(path, [&] {
    fill(out);
    out.flush();
    out.sync();
    out.take_name();
  });
  return out;
}

ResultsWriter::ResultsWriter(ResultsWriter&&) noexcept = default;
ResultsWriter& ResultsWriter::operator=(ResultsWriter&&) noexcept = default;

ResultsWriter::~ResultsWriter() {
  try {
    if (file_ && !file_->broken) close();
  } catch (const ResultsError&) {
  }
}

void ResultsWriter::append_frame(double t) {
  File& f = *file_;
  f.guarded([&] {
    if (Clock::now() - f.flushed >= f.interval) f.flush();
    std::size_t listed = 0;  // numbers
    for (const ListTable& list : f.lists) listed += list.block.size();
    if (f.times.size() == f.block || listed * sizeof(double) > kBlockBytes) f.write_blocks();
  });
  for (SeriesTable& table : f.tables)
    std::fill_n(table.rows.begin() + static_cast<std::ptrdiff_t>(f.times.size() * table.width),
                table.width, std::numeric_limits<double>::quiet_NaN());
  for (ListTable& list : f.lists) list.begin_frame();
  f.times.push_back(t);
}

void ResultsWriter::append_rows(std::size_t list, std::span<const double> rows) {
  ListTable& table = file_->lists.at(list);
  assert(rows.size() % table.columns == 0 && !file_->times.empty());
  table.add(rows);
}

void ResultsWriter::append(std::size_t series, std::span<const double> row) {
  SeriesTable& table = file_->tables.at(series);
  assert(row.size() == table.width && !file_->times.empty());
  const std::size_t at = (file_->times.size() - 1) * table.width;
  std::copy(row.begin(), row.end(), table.rows.begin() + static_cast<std::ptrdiff_t>(at));
}

void ResultsWriter::append_event(const Event& event) {
  file_->guarded([&] {
    if (file_->events.size() == kEventBlock) file_->write_events();
  });
  const auto written = static_cast<std::size_t>(file_->event_table.dims[0]);
  file_->events.push_back(h5::pack(event, written + file_->events.size()));
}

void ResultsWriter::flush() {
  file_->guarded([&] { file_->flush(); });
}

void ResultsWriter::sync() {
  file_->guarded([&] { file_->file.sync(); });
}

void ResultsWriter::close(Ending ending) {
  if (!file_) return;
  const std::unique_ptr<File> file = std::move(file_);
  file->guarded([&] { file->close(ending); });
}

}  // namespace trammel::io

#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace trammel::io {

/// Results of a run: one HDF5 file, readable while it grows and after the writer was killed.
///   /              attributes schema, schema_version, trammel_version, formulation, scene_path,
///                  series (paths, in order) and those of the caller
///   /scene         the scene's text
///   /time          (n) [s]
///   each series    (n, items, columns), attributes quantity, items, columns, units
///   each table     (items, columns) numbers that stay, attributes items, columns, units, and those
///                  named by `labels`: texts, one an item; the root's attribute `tables` lists them
///   each list      (k, columns) rows of all frames, one after the other, attributes columns,
///   units,
///                  digest; beside it <path>_of (n, 3) of each frame: its first row, how many it
///                  has, and a digest of both and of the rows; the root's attribute `lists` names
///                  them, where there are any
///   /events        (m) records t, value, kind, subject, text, unit, digest
///   /progress      frames and events that are whole in the file; how it ended (Ending);
///   the digest of these
///   /digests       (n, 1 + series) of each frame: of the time, and of the row of each series
/// Texts are of fixed length, filled with zeros. The root, each series and each table have an
/// attribute `digest` of what they say of themselves, so that no number or text that was damaged
/// on the disk is taken for one that was written (io/results_digest.h). HDF5 guards its own data
/// by checksums, in the format of this file; numbers it would guard by whole chunks only, which a
/// kill in the middle of a write would break.
/// The datasets may be longer than /progress says while a file grows or after its writer was
/// killed.
inline constexpr std::string_view kResultsSchema = "trammel-results";
inline constexpr int kResultsSchemaVersion = 2;

/// How a run came to its end; 0 until its file was closed in good order.
enum class Ending : int { open, done, inaccurate, failed, interrupted, saved };
std::string_view name_of(Ending ending);
/// "yes", or "no: ..." with the reason.
std::string_view finished_text(Ending ending);

/// A results file cannot be written or read: which file, and the reason.
struct ResultsError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Something in the file is not what was written: which dataset, and which frame with its time.
struct DamagedResults : ResultsError {
  using ResultsError::ResultsError;
};

/// One quantity of many items, by frame.
struct Series {
  std::string path;                  // of the dataset, e.g. /bodies/position
  std::string quantity;              // position; may be empty
  std::vector<std::string> items;    // names of bodies, joints, ...
  std::vector<std::string> columns;  // x, y, z
  std::vector<std::string> units;    // one a column, or one an item and column

  std::size_t width() const { return items.size() * columns.size(); }  // numbers in a frame
  const std::string& unit(std::size_t item, std::size_t column) const {
    return units[units.size() == columns.size() ? column : item * columns.size() + column];
  }
};

/// The non-empty parts of item.quantity.column: car.position.x, energy.kinetic, front.s.
std::string channel_name(const Series& series, std::size_t item, std::size_t column);

/// Something that happened. Texts longer than the record has bytes for are cut.
struct Event {
  double t = 0;         // [s]
  std::string kind;     // 31 bytes
  std::string subject;  // 95 bytes
  std::string text;     // 255 bytes
  double value = 0;
  std::string unit;  // 15 bytes
};

/// Numbers that stay as they are, of many items (or of rows without names), and texts beside them.
struct Constants {
  std::string path;  // of the dataset, e.g. /model/bodies
  std::vector<std::string> items, columns, units;
  std::vector<double> values;                              // item after item
  std::map<std::string, std::vector<std::string>> labels;  // one text an item
  friend bool operator==(const Constants&, const Constants&) = default;
};

/// Rows of numbers of which each frame has as many as it likes.
struct Rows {
  std::string path;  // of the dataset, e.g. /contacts/points
  std::vector<std::string> columns, units;
  friend bool operator==(const Rows&, const Rows&) = default;
};

struct Header {
  std::string scene_text, scene_path;
  std::string version;  // of Trammel
  std::string formulation;
  std::map<std::string, std::string> attributes;  // others of the caller's
  std::vector<Constants> constants = {};
  std::vector<Rows> lists = {};
};

class ResultsReader;

/// Writes frames: append_frame(t), then append(i, row) for each series; a row not given is NaN.
/// Rows are gathered in memory and written in blocks; every `flush_interval` they reach the file,
/// where a reader sees them and nothing but a crash of the machine can undo them.
class ResultsWriter {
 public:
  /// The file must not exist yet; it takes its name once readers can open it (until then it ends
  /// in .part). A series without items or columns takes no room.
  ResultsWriter(const std::string& path, const Header& header, std::vector<Series> series,
                double flush_interval = 0.5 /* s */);
  /// Goes on behind the first frames and events of other results. They are copied to a new file,
  /// which then replaces the one at `path`; after an error, or a kill, that is as it was.
  static ResultsWriter continued(const std::string& path, const Header& header,
                                 const ResultsReader& before, std::size_t frames,
                                 std::size_t events, double flush_interval = 0.5 /* s */);
  /// The same with frames and events that `fill` writes.
  static ResultsWriter replacing(const std::string& path, const Header& header,
                                 const std::vector<Series>& series,
                                 const std::function<void(ResultsWriter&)>& fill,
                                 double flush_interval = 0.5 /* s */);
  ~ResultsWriter();  // closes; what goes wrong there is lost, so call close()
  ResultsWriter(ResultsWriter&&) noexcept;
  ResultsWriter& operator=(ResultsWriter&&) noexcept;

  void append_frame(double t);
  void append(std::size_t series, std::span<const double> row);
  /// The rows of a list, one after the other; a frame that gives none has none.
  void append_rows(std::size_t list, std::span<const double> rows);
  void append_event(const Event& event);
  void flush();
  /// Writes to the disk, so that what was flushed outlasts a crash of the machine too.
  void sync();
  void close(Ending ending = Ending::done);

 private:
  struct File;
  explicit ResultsWriter(std::unique_ptr<File> file);
  static std::unique_ptr<File> begin(const std::string& path, const Header& header,
                                     const std::vector<Series>& series, double flush_interval);
  void take_name();
  std::unique_ptr<File> file_;
};

constexpr std::size_t kTimes = std::numeric_limits<std::size_t>::max();  // "series" of the time

/// One column of one item by frame; time is a channel too.
struct Channel {
  std::string name, unit;
  std::size_t series = 0, item = 0, column = 0;
};

/// Reads what was written or throws DamagedResults: no number comes out that is not as it went in.
class ResultsReader {
 public:
  /// Opens finished files, growing ones and those of a killed writer. `waits`: for what is being
  /// written; not for files whose writer is gone.
  explicit ResultsReader(const std::string& path, bool waits = true);
  ~ResultsReader();
  ResultsReader(ResultsReader&&) noexcept;
  ResultsReader& operator=(ResultsReader&&) noexcept;

  const std::string& path() const;
  const Header& header() const;
  const std::vector<Series>& series() const;
  Ending ending() const;
  bool finished() const { return ending() != Ending::open; }  // closed in good order
  std::size_t frames() const;  // at the time of opening or of the last refresh
  void refresh();              // looks for new frames
  std::vector<Event> events() const;
  std::vector<double> time() const { return read("time"); }

  std::vector<Channel> channels() const;  // time first
  Channel find(std::string_view name) const;
  std::vector<double> read(std::string_view name) const { return read(find(name)); }
  std::vector<double> read(const Channel& channel) const { return read(channel, 0, frames()); }
  std::vector<double> read(const Channel& channel, std::size_t first, std::size_t count) const;
  /// Whole frames of a series, row by row.
  std::vector<double> read_rows(std::size_t series, std::size_t first, std::size_t count) const;
  /// The rows that a frame has in a list of the header, one after the other.
  std::vector<double> read_list(std::size_t list, std::size_t frame) const;
  /// How many they are, for each frame.
  std::vector<std::size_t> list_counts(std::size_t list) const;
  /// Returns for each frame of a series, or for its time, whether it can be read as it was written.
  std::vector<bool> sound(std::size_t series, std::size_t first, std::size_t count) const;
  /// Throws DamagedResults unless the first frames and all events are as they were written.
  void demand(std::size_t frames) const;
  /// The events that are as they were written, and how many are not.
  std::vector<Event> sound_events(std::size_t& lost) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

/// Copies the first frames and events.
void copy_frames(const ResultsReader& from, ResultsWriter& to, std::size_t frames,
                 std::size_t events);

}  // namespace trammel::io

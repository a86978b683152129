#include "report/vtk.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "io/whole_file.h"

// The format: https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html
namespace trammel::report {

namespace {

/// Arrays behind the XML, in raw bytes, each with its size before it.
class Appended {
 public:
  template <class T>
  std::string add(const char* type, const char* name, int columns, const std::vector<T>& numbers) {
    const std::string out = fmt::format(
        R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)",
        type, name, columns, bytes_.size());
    const std::uint64_t size = sizeof(T) * numbers.size();
    bytes_.append(reinterpret_cast<const char*>(&size), sizeof(size));
    bytes_.append(reinterpret_cast<const char*>(numbers.data()), size);
    return out;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// The surfaces of some bodies where they are.
struct Together {
  std::vector<float> points, normals, speed, strain;
  std::vector<std::int32_t> body;
  std::vector<std::int64_t> corners, ends;

  void add(const std::vector<Piece>& pieces, const Placed& at, std::int32_t number,
           double strained) {
    const Mat3 N = at.A.inverse().transpose();  // normals of a stretched surface
    for (const Piece& p : pieces) {
      const auto first = static_cast<std::int64_t>(points.size() / 3);
      for (const Vec3& X : p.surface.points) put(points, at.p + at.A * X);
      for (const Vec3& n : p.surface.normals) put(normals, (N * n).normalized());
      for (const std::uint32_t c : p.surface.corners) corners.push_back(first + c);
      for (std::size_t i = 0; i < p.surface.corners.size(); i += 3) {
        ends.push_back(static_cast<std::int64_t>(3 * ends.size() + 3));
        body.push_back(number);
        speed.push_back(static_cast<float>(at.speed));
        strain.push_back(static_cast<float>(strained));
      }
    }
  }

 private:
  static void put(std::vector<float>& list, const Vec3& v) {
    for (const double x : v) list.push_back(static_cast<float>(x));
  }
};

/// Texts as VTK has them: the numbers of their characters, a 0 behind each.
std::string names(const Drawn& drawn) {
  std::string codes;
  for (const DrawnBody& b : drawn.bodies) {
    for (const char c : b.name) codes += fmt::format("{} ", static_cast<unsigned char>(c));
    codes += "0 ";
  }
  return fmt::format(
      R"(<FieldData><DataArray type="String" Name="names" NumberOfTuples="{}" format="ascii">{}</DataArray></FieldData>)",
      drawn.bodies.size(), codes);
}

std::string vtp(const Together& all, const std::string& field) {
  Appended data;
  std::string out = R"(<?xml version="1.0"?>
<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">
<PolyData>)";
  out += field;
  out += fmt::format(R"(
<Piece NumberOfPoints="{}" NumberOfVerts="0" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="{}">
)",
                     all.points.size() / 3, all.ends.size());
  out += "<Points>" + data.add("Float32", "Points", 3, all.points) + "</Points>\n";
  out += "<PointData Normals=\"Normals\">" + data.add("Float32", "Normals", 3, all.normals) +
         "</PointData>\n";
  out += "<Polys>" + data.add("Int64", "connectivity", 1, all.corners) +
         data.add("Int64", "offsets", 1, all.ends) + "</Polys>\n";
  out += "<CellData>" + data.add("Int32", "body", 1, all.body) +
         data.add("Float32", "speed", 1, all.speed) + data.add("Float32", "strain", 1, all.strain) +
         "</CellData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
  return out + data.bytes() + "\n</AppendedData>\n</VTKFile>\n";
}

/// Of an export before this one, which had more.
void forget_frames(const std::filesystem::path& folder, std::size_t first) {
  for (std::error_code error; !error; ++first) {
    const auto file = folder / fmt::format("{:06}.vtp", first);
    if (!std::filesystem::remove(file, error)) return;
  }
}

std::string frame_name(std::size_t frame) { return fmt::format("frames/{:06}.vtp", frame); }

}  // namespace

std::string vtp_of(const Drawn& drawn, std::size_t frame) {
  Together all;
  for (std::size_t i = 0; i < drawn.bodies.size(); ++i) {
    const Placed& at = drawn.at(frame, i);
    const double strained = drawn.bodies[i].affine ? strain(at.A) : 0;
    all.add(drawn.bodies[i].pieces, at, static_cast<std::int32_t>(i), strained);
  }
  return vtp(all, names(drawn));
}

void write_vtk(const Drawn& drawn, const std::string& folder) {
  const std::filesystem::path place(folder);
  std::filesystem::create_directories(place / "frames");
  forget_frames(place / "frames", drawn.time.size());
  std::string list =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
  const auto name = [&](double t, int part, const std::string& file) {
    list += fmt::format("<DataSet timestep=\"{:.17g}\" part=\"{}\" file=\"{}\"/>\n", t, part, file);
  };
  if (!drawn.still.empty()) {
    Together still;
    still.add(drawn.still, {Vec3::Zero(), Mat3::Identity(), 0}, -1, 0);
    io::write_whole((place / "still.vtp").string(), vtp(still, ""));
  }
  for (std::size_t k = 0; k < drawn.time.size(); ++k) {
    io::write_whole((place / frame_name(k)).string(), vtp_of(drawn, k));
    name(drawn.time[k], 0, frame_name(k));
    if (!drawn.still.empty()) name(drawn.time[k], 1, "still.vtp");
  }
  io::write_whole((place / "run.pvd").string(), list + "</Collection>\n</VTKFile>\n");
}

}  // namespace trammel::report

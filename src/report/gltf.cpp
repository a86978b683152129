#include "report/gltf.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>

#include "io/json.h"
#include "math/dense.h"
#include "report/packed.h"
#include "version.h"

// Numbers of the format, by its names there: https://registry.khronos.org/glTF/specs/2.0/
namespace trammel::report {

namespace {

using io::Json;

constexpr int kFloat = 5126, kUnsignedInt = 5125;                 // componentType
constexpr int kArrayBuffer = 34962, kElementArrayBuffer = 34963;  // target

/// Views of one buffer and what lies in them.
class Buffer {
 public:
  /// Numbers of `width` columns; returns the accessor. target 0: of an animation.
  std::size_t add(const std::vector<float>& numbers, std::size_t width, int target) {
    std::vector<float> low(width, INFINITY), high(width, -INFINITY);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      low[i % width] = std::min(low[i % width], numbers[i]);
      high[i % width] = std::max(high[i % width], numbers[i]);
    }
    static constexpr std::array kTypes = {"", "SCALAR", "", "VEC3", "VEC4"};
    Json json;
    head(json, kFloat, numbers.size() / width, kTypes[width]);
    bounds(json, "min", low);
    bounds(json, "max", high);
    return put(json, numbers.data(), 4 * numbers.size(), target);
  }
  std::size_t add(const std::vector<std::uint32_t>& corners) {
    Json json;
    head(json, kUnsignedInt, corners.size(), "SCALAR");
    return put(json, corners.data(), 4 * corners.size(), kElementArrayBuffer);
  }
  const std::vector<std::string>& accessors() const { return accessors_; }
  const std::vector<std::string>& views() const { return views_; }
  const std::string& bytes() const { return bytes_; }

 private:
  void head(Json& json, int component, std::size_t count, const char* type) const {
    json.begin('{').field("bufferView", views_.size()).field("componentType", component);
    json.field("count", count).field("type", type);
  }
  static void bounds(Json& json, const char* name, const std::vector<float>& values) {
    json.key(name).begin('[');
    for (const float x : values) json.value(static_cast<double>(x));
    json.end();
  }
  std::size_t put(Json& accessor, const void* data, std::size_t size, int target) {
    Json view;
    view.begin('{').field("buffer", 0).field("byteOffset", bytes_.size()).field("byteLength", size);
    if (target != 0) view.field("target", target);
    views_.push_back(view.end().text());
    accessors_.push_back(accessor.end().text());
    bytes_.append(static_cast<const char*>(data), size);
    return accessors_.size() - 1;
  }
  std::vector<std::string> accessors_, views_;
  std::string bytes_;
};

std::vector<float> floats(const std::vector<Vec3>& list) {
  std::vector<float> out;
  out.reserve(3 * list.size());
  for (const Vec3& v : list)
    for (const double x : v) out.push_back(static_cast<float>(x));
  return out;
}

/// Unit in single precision too.
std::vector<float> unit_floats(const std::vector<Vec3>& list) {
  std::vector<float> out;
  out.reserve(3 * list.size());
  for (const Vec3& v : list) {
    const Eigen::Vector3f n = v.cast<float>().normalized();
    out.insert(out.end(), n.data(), n.data() + 3);
  }
  return out;
}

/// A part of a colour in sRGB, as the light that it is.
double linear(int part) {
  const double c = part / 255.;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

std::string material(const std::string& color) {
  Json json;
  json.begin('{').field("name", color).key("pbrMetallicRoughness").begin('{');
  json.key("baseColorFactor").begin('[');
  for (std::size_t i = 1; i < 7; i += 2)
    json.value(linear(std::stoi(color.substr(i, 2), nullptr, 16)));
  json.value(1.).end().field("metallicFactor", 0).field("roughnessFactor", 0.8).end();
  return json.field("doubleSided", true).end().text();
}

/// A body's place as a node has it; what it is sheared by is lost.
struct Node {
  Vec3 p, scale;
  Quat q;
  double shear = 0;
};

/// A = R S by its singular values; of S the stretches along the body's axes are kept.
Node node_of(const Placed& at, bool affine) {
  Node out{at.p, Vec3::Ones(), Quat::Identity(), 0};
  Mat3 R = at.A;
  if (affine) {
    R = dense::nearest_rotation(at.A);
    Mat3 S = R.transpose() * at.A;
    out.scale = S.diagonal();
    S.diagonal().setZero();
    out.shear = S.cwiseAbs().maxCoeff();
  }
  out.q = Quat(R).normalized();
  return out;
}

class Writer {
 public:
  explicit Writer(const Drawn& drawn) : drawn_(drawn) {}

  std::string json(const std::string& name, const std::string& uri) {
    std::vector<std::size_t> children;
    if (!drawn_.still.empty()) children.push_back(add_node("still", drawn_.still, nullptr));
    for (std::size_t i = 0; i < drawn_.bodies.size(); ++i) children.push_back(add_body(i));
    nodes_.push_back(root(name, children));
    Json out;
    out.begin('{').key("asset").begin('{').field("version", "2.0");
    out.field("generator", std::string("Trammel ") + kVersion).end();
    out.field("scene", 0).key("scenes").begin('[').begin('{');
    out.field("nodes", std::vector<std::size_t>{nodes_.size() - 1}).end().end();
    list(out, "nodes", nodes_);
    list(out, "meshes", meshes_);
    list(out, "materials", materials_);
    if (!channels_.empty()) animations(out);
    list(out, "accessors", buffer_.accessors());
    list(out, "bufferViews", buffer_.views());
    out.key("buffers").begin('[').begin('{').field("byteLength", buffer_.bytes().size());
    if (!uri.empty()) out.field("uri", uri + to_base64(buffer_.bytes()));
    return out.end().end().end().text();
  }
  const std::string& bytes() const { return buffer_.bytes(); }
  double shear() const { return shear_; }

 private:
  static void list(Json& out, const char* name, const std::vector<std::string>& parts) {
    if (parts.empty()) return;  // an empty list is none
    out.key(name).begin('[');
    for (const std::string& part : parts) out.json(part);
    out.end();
  }

  std::string root(const std::string& name, const std::vector<std::size_t>& children) const {
    const double half = std::sqrt(0.5);  // z up to y up: a quarter turn back about x
    Json json;
    json.begin('{').field("name", name.empty() ? "run" : name);
    json.field("rotation", std::vector<double>{-half, 0, 0, half});
    if (!children.empty()) json.field("children", children);
    return json.end().text();
  }

  std::size_t material_of(const std::string& color) {
    const auto [it, fresh] = colors_.try_emplace(color, materials_.size());
    if (fresh) materials_.push_back(material(color));
    return it->second;
  }

  /// The mesh of some pieces; none where they have no triangle.
  bool add_mesh(const std::string& name, const std::vector<Piece>& pieces) {
    Json json;
    json.begin('{').field("name", name).key("primitives").begin('[');
    bool any = false;
    for (const Piece& p : pieces) {
      if (p.surface.corners.empty()) continue;
      any = true;
      json.begin('{').key("attributes").begin('{');
      json.field("POSITION", buffer_.add(floats(p.surface.points), 3, kArrayBuffer));
      json.field("NORMAL", buffer_.add(unit_floats(p.surface.normals), 3, kArrayBuffer)).end();
      json.field("indices", buffer_.add(p.surface.corners));
      json.field("material", material_of(p.color)).end();
    }
    if (any) meshes_.push_back(json.end().end().text());
    return any;
  }

  std::size_t add_node(const std::string& name, const std::vector<Piece>& pieces, const Node* at) {
    Json json;
    json.begin('{').field("name", name);
    if (add_mesh(name, pieces)) json.field("mesh", meshes_.size() - 1);
    if (at) {
      json.field("translation", std::vector<double>{at->p.x(), at->p.y(), at->p.z()});
      json.field("rotation", std::vector<double>{at->q.x(), at->q.y(), at->q.z(), at->q.w()});
      json.field("scale", std::vector<double>{at->scale.x(), at->scale.y(), at->scale.z()});
    }
    nodes_.push_back(json.end().text());
    return nodes_.size() - 1;
  }

  std::size_t add_body(std::size_t body) {
    const DrawnBody& b = drawn_.bodies[body];
    std::vector<float> p, q, scale;
    Quat before = Quat::Identity();
    Node first{Vec3::Zero(), Vec3::Ones(), Quat::Identity(), 0};
    for (std::size_t k = 0; k < drawn_.time.size(); ++k) {
      Node now = node_of(drawn_.at(k, body), b.affine);
      if (k > 0 && now.q.dot(before) < 0) now.q.coeffs() *= -1;  // the shorter way round
      if (k == 0) first = now;
      before = now.q;
      shear_ = std::max(shear_, now.shear);
      for (const double x : now.p) p.push_back(static_cast<float>(x));
      const Eigen::Vector4f unit = now.q.coeffs().cast<float>().normalized();
      q.insert(q.end(), unit.data(), unit.data() + 4);
      for (const double x : now.scale) scale.push_back(static_cast<float>(x));
    }
    const std::size_t node = add_node(b.name, b.pieces, &first);
    if (drawn_.time.size() < 2) return node;
    add_channel(node, "translation", p, 3);
    add_channel(node, "rotation", q, 4);
    if (b.affine) add_channel(node, "scale", scale, 3);
    return node;
  }

  void add_channel(std::size_t node, const char* path, const std::vector<float>& values,
                   std::size_t width) {
    if (channels_.empty()) {
      std::vector<float> time;
      for (const double t : drawn_.time) time.push_back(static_cast<float>(t - drawn_.time[0]));
      time_ = buffer_.add(time, 1, 0);
    }
    Json sampler, channel;
    sampler.begin('{').field("input", time_).field("output", buffer_.add(values, width, 0));
    samplers_.push_back(sampler.field("interpolation", "LINEAR").end().text());
    channel.begin('{').field("sampler", samplers_.size() - 1).key("target").begin('{');
    channels_.push_back(channel.field("node", node).field("path", path).end().end().text());
  }

  void animations(Json& out) const {
    out.key("animations").begin('[').begin('{').field("name", "run");
    list(out, "samplers", samplers_);
    list(out, "channels", channels_);
    out.end().end();
  }

  const Drawn& drawn_;
  Buffer buffer_;
  std::vector<std::string> nodes_, meshes_, materials_, samplers_, channels_;
  std::map<std::string, std::size_t> colors_;
  std::size_t time_ = 0;
  double shear_ = 0;
};

void put32(std::string& out, std::size_t x) {
  const auto n = static_cast<std::uint32_t>(x);
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(n >> shift & 0xff));
}

void chunk(std::string& out, std::string bytes, const char* kind, char filling) {
  bytes.resize((bytes.size() + 3) / 4 * 4, filling);
  put32(out, bytes.size());
  out.append(kind, 4);
  out += bytes;
}

}  // namespace

Gltf to_gltf(const Drawn& drawn, bool binary, const std::string& name) {
  Writer writer(drawn);
  if (!binary) {
    std::string text = writer.json(name, "data:application/octet-stream;base64,");
    return {std::move(text), writer.shear()};
  }
  const std::string json = writer.json(name, "");
  std::string chunks;
  chunk(chunks, json, "JSON", ' ');
  chunk(chunks, writer.bytes(), std::string("BIN\0", 4).c_str(), '\0');
  std::string out = "glTF";
  put32(out, 2);
  put32(out, 12 + chunks.size());
  return {out + chunks, writer.shear()};
}

}  // namespace trammel::report

#include "plot/png.h"

#include <fmt/format.h>
#include <freetype/freetype.h>
#include <freetype/ftoutln.h>
#include <png.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "plot/canvas.h"
#include "plot/text.h"

namespace trammel::plot {

namespace {

namespace fs = std::filesystem;

constexpr std::pair<const char*, const char*> kUsual[] = {
    {"DejaVuSans.ttf", "DejaVuSans-Bold.ttf"},
    {"LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"},
    {"NotoSans-Regular.ttf", "NotoSans-Bold.ttf"},
    {"FreeSans.ttf", "FreeSansBold.ttf"},
};

std::string find_file(const std::string& folder, const std::string& name) {
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied,
                                           error);
       !error && it != fs::recursive_directory_iterator(); it.increment(error))
    if (it->path().filename() == name) return it->path().string();
  return "";
}

class Letters {
 public:
  Letters(FT_Library library, const std::string& file) {
    if (FT_New_Face(library, file.c_str(), 0, &face_) != 0)
      throw PngError(fmt::format("{} is not there, or no font", file));
    if (FT_IS_SCALABLE(face_)) return;
    FT_Done_Face(face_);
    throw PngError(fmt::format("{} has its letters in fixed sizes only", file));
  }
  ~Letters() { FT_Done_Face(face_); }
  Letters(const Letters&) = delete;
  Letters& operator=(const Letters&) = delete;

  void write(Canvas& canvas, const Text& text, double scale) {
    FT_Set_Char_Size(face_, 0, std::lround(text.size * scale * 64), 72, 72);
    const std::u32string letters = characters(text.text);
    double length = 0;
    for (const char32_t c : letters) length += advance(c);
    const double part = text.anchor == Anchor::middle ? 0.5 : text.anchor == Anchor::end ? 1 : 0;
    double x = text.at.x * scale - part * length;
    for (const char32_t c : letters) {
      const double step = advance(c);
      if (step > 0 || face_->glyph->outline.n_points > 0)
        stamp(canvas, x, text.at.y * scale, text.colour);
      x += step;
    }
  }

 private:
  // Loads the letter; how far the next one is [px].
  double advance(char32_t c) {
    if (FT_Load_Char(face_, c, FT_LOAD_NO_BITMAP | FT_LOAD_NO_HINTING) != 0) return 0;
    return static_cast<double>(face_->glyph->linearHoriAdvance) / 65536;
  }

  void stamp(Canvas& canvas, double x, double y, const std::string& colour) {
    const double left = std::floor(x);
    FT_Outline_Translate(&face_->glyph->outline, std::lround((x - left) * 64), 0);
    if (FT_Render_Glyph(face_->glyph, FT_RENDER_MODE_NORMAL) != 0) return;
    const FT_Bitmap& grey = face_->glyph->bitmap;
    canvas.stamp(grey.buffer, static_cast<int>(grey.width), static_cast<int>(grey.rows), grey.pitch,
                 static_cast<int>(left) + face_->glyph->bitmap_left,
                 static_cast<int>(std::lround(y)) - face_->glyph->bitmap_top, colour);
  }

  FT_Face face_ = nullptr;
};

struct Library {
  Library() {
    if (FT_Init_FreeType(&handle) != 0) throw PngError("FreeType does not start");
  }
  ~Library() { FT_Done_FreeType(handle); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  FT_Library handle = nullptr;
};

std::string encode(const Canvas& canvas) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(canvas.width());
  image.height = static_cast<png_uint_32>(canvas.height());
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = 0;
  std::string out;
  // Twice: how long it gets, then the bytes.
  for (int pass = 0; pass < 2; ++pass) {
    out.resize(size);
    if (!png_image_write_to_memory(&image, pass ? out.data() : nullptr, &size, 0,
                                   canvas.rgb().data(), 0, nullptr))
      throw PngError(image.message);
  }
  out.resize(size);
  return out;
}

}  // namespace

std::optional<Fonts> find_fonts(std::span<const std::string> folders) {
  for (const auto& [plain, bold] : kUsual)
    for (const std::string& folder : folders) {
      const std::string file = find_file(folder, plain);
      if (file.empty()) continue;
      const std::string strong = find_file(folder, bold);
      return Fonts{file, strong.empty() ? file : strong};
    }
  return std::nullopt;
}

std::optional<Fonts> find_fonts() {
  const char* home = std::getenv("HOME");
  const std::string folders[] = {"/usr/share/fonts", "/usr/local/share/fonts",
                                 std::string(home ? home : "") + "/.local/share/fonts"};
  return find_fonts(folders);
}

std::string usual_fonts() {
  std::string out;
  for (const auto& [plain, bold] : kUsual)
    out += fmt::format("{}{}", out.empty() ? "" : ", ", plain);
  return out;
}

std::string to_png(const Drawing& drawing, const Fonts& fonts, double scale) {
  const Library library;
  Letters plain(library.handle, fonts.plain), bold(library.handle, fonts.bold);
  const auto pixels = [&](double x) {
    return static_cast<std::size_t>(std::ceil(x * scale - 1e-9));
  };
  Canvas canvas(pixels(drawing.width), pixels(drawing.height), drawing.background);
  for (const auto& item : drawing.items) {
    if (const auto* stroke = std::get_if<Stroke>(&item)) canvas.stroke(*stroke, scale);
    if (const auto* area = std::get_if<Area>(&item)) canvas.fill(*area, scale);
    if (const auto* text = std::get_if<Text>(&item))
      (text->bold ? bold : plain).write(canvas, *text, scale);
  }
  return encode(canvas);
}

}  // namespace trammel::plot

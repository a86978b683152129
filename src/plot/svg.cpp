#include <fmt/format.h>

#include <iterator>

#include "plot/drawing.h"
#include "plot/text.h"

namespace trammel::plot {

namespace {

using Out = std::back_insert_iterator<fmt::memory_buffer>;

// At most two decimals, none that say nothing.
std::string number(double x) {
  std::string text = fmt::format("{:.2f}", x);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

void write(Out out, const Polyline& run) {
  char command = 'M';
  for (const Point& p : run) {
    fmt::format_to(out, "{}{},{}", command, number(p.x), number(p.y));
    command = ' ';
  }
}

// The least that says it: pictures in documents are read as differences of their text.
std::string strokes(const Pen& pen) {
  std::string out = fmt::format(R"(stroke="{}")", pen.colour);
  if (pen.width != 1) out += fmt::format(R"( stroke-width="{}")", pen.width);
  if (!pen.dash.empty()) out += fmt::format(R"( stroke-dasharray="{}")", fmt::join(pen.dash, " "));
  return out;
}

void write(Out out, const Stroke& stroke) {
  fmt::format_to(out, "<path {} d=\"", strokes(stroke.pen));
  for (const Polyline& run : stroke.runs) write(out, run);
  fmt::format_to(out, "\"/>\n");
}

void write(Out out, const Area& area) {
  fmt::format_to(out, "<path stroke=\"none\" fill=\"{}\"", area.colour);
  if (area.opacity < 1) fmt::format_to(out, " fill-opacity=\"{}\"", area.opacity);
  fmt::format_to(out, " d=\"");
  write(out, area.outline);
  fmt::format_to(out, "Z\"/>\n");
}

void write(Out out, const Text& text) {
  constexpr const char* kAnchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  fmt::format_to(out, R"(<text x="{}" y="{}" font-size="{}" fill="{}"{}{}>{}</text>)",
                 number(text.at.x), number(text.at.y), text.size, text.colour,
                 kAnchors[static_cast<int>(text.anchor)], text.bold ? " font-weight=\"600\"" : "",
                 escape(text.text));
  fmt::format_to(out, "\n");
}

}  // namespace

std::string to_svg(const Drawing& drawing) {
  fmt::memory_buffer buffer;
  const Out out(buffer);
  fmt::format_to(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                 "viewBox=\"0 0 {0} {1}\" "
                 "font-family=\"system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu "
                 "Sans',sans-serif\">\n"
                 "<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"{3}\"/>\n"
                 "<g fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n",
                 drawing.width, drawing.height, escape(drawing.title), drawing.background);
  for (const auto& item : drawing.items) std::visit([&](const auto& it) { write(out, it); }, item);
  fmt::format_to(out, "</g>\n</svg>\n");
  return fmt::to_string(buffer);
}

}  // namespace trammel::plot

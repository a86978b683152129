#pragma once

#include <string>

namespace trammel::cli {

struct MovieOptions {
  std::string results, output;  // output empty: movie.mp4 in the folder
  int fps = 30, width = 1280, height = 720;
  std::string camera = "orbit", theme = "light";
  double speed = 1;      // seconds of the run in one of the film
  std::string from, to;  // quantities; empty: start and end of the run
  bool json = false;
};

/// `trammel movie`: the page of a run draws frame after frame, in a browser without a window, and
/// sends each back here, from where it goes to ffmpeg.
int make_movie(const MovieOptions& options);

}  // namespace trammel::cli

#pragma once

#include <string>

#include "report/drawn.h"

namespace trammel::report {

/// A run for ParaView: run.pvd in the folder, which names a file of surfaces for each frame and one
/// of what stands still. Throws io::FileError.
void write_vtk(const Drawn& drawn, const std::string& folder);

/// One frame as VTK's PolyData in XML.
std::string vtp_of(const Drawn& drawn, std::size_t frame);

}  // namespace trammel::report

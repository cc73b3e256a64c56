#pragma once
#include <string>

#include "io/output_stream.hpp"
#include "io/zip_writer.hpp"
#include "isogon/core/archive.hpp"

namespace isogon {

/// Writes `name`.npy into a zip archive, whose file a message calls `path`: its head (npy_header) or all of its bytes
/// (npy_text), then the numbers. Two passes over them.
void write_npz_member(OutputStream& out, ZipWriter& zip, const std::string& path, const std::string& name,
                      const std::string& head, const Array::Values& numbers);

}  // namespace isogon

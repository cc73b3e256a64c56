#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon {

/// Rows of tables, stacked, with further columns.
struct ExtendedFrame {
    std::vector<std::string> inputs;
    Index every = 1;  ///< rows from, from + every, ...
    Index from = 0;
    PointsView columns;
    std::string prefix;  ///< of their names, before numbers from 0
    std::string output;
};

/// Files of tables that this library leaves to others: parquet, Arrow, HDF5 and AnnData's .h5ad. No library of Debian
/// 12 reads parquet in C++; the Python package reads them by pyarrow and h5py. Each function throws InputError.
struct FrameFiles {
    std::function<Dataset(const std::filesystem::path&, Format, const ReadOptions&)> read;
    /// From the head of the file.
    std::function<FileInfo(const std::filesystem::path&, Format, const ReadOptions&)> describe;
    /// Parquet and Arrow alone. All or nothing; replaces a file that is there.
    std::function<void(const ExtendedFrame&)> extend;
};

[[nodiscard]] inline bool is_frame(Format format) {
    return format >= Format::Parquet;
}

/// Sets who reads such files. Not while one is read.
void set_frame_files(FrameFiles files);

/// Throws InputError where nobody does, for the file that was to be read.
[[nodiscard]] const FrameFiles& frame_files(const std::filesystem::path& path, Format format);

}  // namespace isogon

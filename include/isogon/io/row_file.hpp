#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "isogon/core/rows.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon {

/// A file of points whose rows are read when they are asked for, with what travels with them.
struct RowFile {
    std::unique_ptr<const RowSource> rows;
    std::vector<std::int64_t> labels;  ///< empty, or one a point
    std::vector<std::string> words;    ///< empty, or one a point
    std::vector<std::uint64_t> shape;  ///< as in the file: images keep their rows and columns
    bool streamed = false;             ///< rows stay in the file; else all of it is in memory, as read_points() has it
};

/// True if a file of this head is read row by row: .npy in C order, IDX, .fvecs, .bvecs and .ivecs, not packed.
[[nodiscard]] bool is_streamed(const FileInfo& info);

/// True for a format whose first bytes tell how many rows follow; of any other, describe_file() reads all of the file.
[[nodiscard]] bool has_short_head(const std::filesystem::path& path, const ReadOptions& options = {});

/// Opens a file of points. One that is_streamed() says yes to takes no memory that grows with it; any other is read as
/// read_points() reads it. Throws as read_points() does, before the first row where the head or the size tell; rows
/// whose numbers are beyond float32 (or whose prefix is another dimension, in .fvecs and the like) when they are read.
/// Rows can be read from several threads at a time.
[[nodiscard]] RowFile open_rows(const std::filesystem::path& path, const ReadOptions& options = {});

}  // namespace isogon

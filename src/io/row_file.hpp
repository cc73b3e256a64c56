#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon {

/// A file of points whose rows are read on request, with their labels and words.
struct RowFile {
    std::unique_ptr<const RowSource> rows;
    std::vector<std::int64_t> labels;       ///< empty, or one a point
    std::vector<std::string> label_names;   ///< names as in Dataset::label_names
    std::vector<Text> notes;                ///< notes as in Dataset::notes
    std::vector<std::string> words;         ///< empty, or one a point
    std::vector<std::string> column_names;  ///< names as in Dataset::column_names
    std::vector<std::uint64_t> shape;       ///< shape in the file: images keep their rows and columns
    bool streamed = false;  ///< rows are read on request; else all are in memory, as after read_points()
};

/// True if a file with this header is read row by row: uncompressed .npy in C order, IDX, .fvecs, .bvecs and .ivecs.
[[nodiscard]] bool is_streamed(const FileInfo& info);

/// True for a format whose first bytes contain the number of rows; describe_file() reads all of any other file.
[[nodiscard]] bool has_short_head(const std::filesystem::path& path, const ReadOptions& options = {});

/// Opens a file of points. If is_streamed() is true for it, the memory does not grow with the file; any other file is
/// read as by read_points(). Throws as read_points() does: here for errors in the header or the size; at the read of a
/// row for numbers beyond float32 (or, in .fvecs and the like, for a prefix with another dimension). Rows can be read
/// from several threads at a time.
[[nodiscard]] RowFile open_rows(const std::filesystem::path& path, const ReadOptions& options = {});

}  // namespace isogon

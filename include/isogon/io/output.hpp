#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/io/format.hpp"

namespace isogon {

struct WriteOptions {
    std::optional<Format> format{};  ///< empty: by the file's name
    bool overwrite = false;          ///< false: an existing file is refused
};

/// What is written beside the coordinates, where the format has a place for it (words: .vec and .bin need them; csv
/// and tsv put words first and labels last, with a header line).
struct Companions {
    std::span<const std::int64_t> labels{};
    std::span<const std::string> words{};
};

/// Called before a long run: throws OutputError if `path` could not be written when the run is over (exists and
/// overwrite is false, its folder is missing or not writable, it is a folder, its name tells no format).
void require_writable(const std::filesystem::path& path, const WriteOptions& options = {});

/// Writes points, all or nothing: to a temporary name in the same folder, flushed, then renamed. On any failure (full
/// disk too) the temporary file is removed, an existing file stays as it was, and OutputError names file and reason.
/// A name that ends in .gz is packed. InvalidArgument: no points, companions of another number than the points, words
/// missing where the format needs them, values that .bvecs or .ivecs cannot hold.
void write_points(const std::filesystem::path& path, const PointsView& points, const Companions& companions = {},
                  const WriteOptions& options = {});

/// Writes one whole number a row: .npy (int64) or IDX (rank 1, ubyte; values 0..255) or text, by name; all or nothing.
void write_labels(const std::filesystem::path& path, std::span<const std::int64_t> labels,
                  const WriteOptions& options = {});

/// Writes images as IDX ubyte of rank 3 (values rounded and clipped to 0..255); all or nothing.
/// InvalidArgument: height x width is not the dimension, or a value is NaN.
void write_idx_images(const std::filesystem::path& path, const PointsView& images, Index height, Index width,
                      const WriteOptions& options = {});

}  // namespace isogon

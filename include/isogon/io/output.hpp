#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon {

struct WriteOptions {
    std::optional<Format> format{};  ///< empty: by the file's name
    bool overwrite = false;          ///< false: an existing file is refused
};

/// Labels and words, written with the coordinates where the format supports them (.vec and .bin need words; csv and tsv
/// have words first and labels last, with a header line).
struct Companions {
    std::span<const std::int64_t> labels{};
    std::span<const std::string> words{};
    std::span<const std::string> label_names{};  ///< names of text labels: each label is a place in this list, or below
                                                 ///< 0 where it is unknown, which is written as nothing
    std::span<const std::string> columns{};      ///< names as in PointsShape::columns
};

/// The format of points that are written to a file of that name: format_from_name(), but for npz, jsonl and those after
/// it, which are only read; csv for standard output, "-".
[[nodiscard]] std::optional<Format> written_format(const std::filesystem::path& path);

/// Called before a long run: throws OutputError if `path` could not be written when the run is over (exists and
/// overwrite is false, its folder is missing or not writable, it is a folder, its name does not determine a format).
void require_writable(const std::filesystem::path& path, const WriteOptions& options = {});

/// Writes points, all or nothing: to a temporary name in the same folder, flushed, then renamed. On any failure (full
/// disk too) the temporary file is removed, an existing file remains unchanged, and OutputError names file and reason.
/// The file is compressed if its name ends in .gz. InvalidArgument: no points, companions of another number than the
/// points, words missing where the format needs them, values that .bvecs or .ivecs cannot hold.
void write_points(const std::filesystem::path& path, const PointsView& points, const Companions& companions = {},
                  const WriteOptions& options = {});

/// Writes one whole number a row: .npy (int64) or IDX (rank 1, ubyte; values 0..255) or text, by name; all or nothing.
void write_labels(const std::filesystem::path& path, std::span<const std::int64_t> labels,
                  const WriteOptions& options = {});

/// The same with the names of labels that are text, where holds_names() is true for the file; elsewhere their numbers.
void write_named_labels(const std::filesystem::path& path, const Labels& labels, const WriteOptions& options = {});

/// Whether a file of labels keeps names: text, by its name.
[[nodiscard]] bool holds_names(const std::filesystem::path& path);

/// Writes images as IDX ubyte of rank 3 (values rounded and clipped to 0..255); all or nothing.
/// InvalidArgument: height x width is not the dimension, or a value is NaN.
void write_idx_images(const std::filesystem::path& path, const PointsView& images, Index height, Index width,
                      const WriteOptions& options = {});

/// The shape of a file of points, known before the first point.
struct PointsShape {
    Index count = 0;
    Index dimension = 0;
    bool labels = false;     ///< every block comes with labels
    bool words = false;      ///< every block comes with words
    Index image_height = 0;  ///< IDX only: rows are images of height x width; they become bytes (rank 3), rounded and
    Index image_width = 0;   ///< clipped to 0..255. 0: float32 of rank 2, as write_points() writes
    /// Names of the columns, for csv and tsv; none, or names that a reader would not take for those of coordinates: x0,
    /// x1, ...
    std::vector<std::string> columns{};
};

/// The size of such a file before compression, in bytes; 0 where it depends on the numbers (text).
[[nodiscard]] std::uint64_t file_bytes(Format format, const PointsShape& shape);

/// Writes points block by block, in the memory of one block; write_points() writes all of them in one call. All or
/// nothing: bytes are written to a temporary file, which commit() renames; the destructor removes it without a commit.
class PointWriter final : public RowSink {
public:
    /// Throws OutputError as require_writable() does, and when the file's bytes (known for all but text and packed
    /// files) are not free on the disk; InvalidArgument for no points, images of another size than the dimension, words
    /// missing where the format needs them.
    PointWriter(const std::filesystem::path& path, const PointsShape& shape, const WriteOptions& options = {});
    ~PointWriter() override;

    /// Appends rows. Throws OutputError (disk full, with the bytes needed in all) and removes the temporary file;
    /// InvalidArgument for rows of another dimension, more rows than the shape says, companions of another number, and
    /// values that the format cannot hold (row and column of the file).
    void write(const PointsView& rows) override { write(rows, {}); }
    void write(const PointsView& rows, const Companions& companions);

    /// Completes the file. Fewer rows than in the shape, but at least one, are allowed where the header can be
    /// corrected (can_end_early()); otherwise they are an OutputError.
    void commit();

    [[nodiscard]] Index written() const;
    [[nodiscard]] bool can_end_early() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace isogon

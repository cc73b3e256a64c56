#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>

#include "isogon/core/rows.hpp"
#include "isogon/io/atomic_file.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// What a file of points will hold, before the first is there.
struct PointsShape {
    Index count = 0;
    Index dimension = 0;
    bool labels = false;     ///< every block comes with labels
    bool words = false;      ///< every block comes with words
    Index image_height = 0;  ///< IDX only: rows are images of height x width; they become bytes (rank 3), rounded and
    Index image_width = 0;   ///< clipped to 0..255. 0: float32 of rank 2, as write_points() has it
};

/// Bytes that such a file takes, unpacked; 0 where only its numbers tell (text).
[[nodiscard]] std::uint64_t file_bytes(Format format, const PointsShape& shape);

/// Points written block by block, in the memory of one: what write_points() does with all at once. All or nothing:
/// bytes go to a temporary name, and commit() renames it; destroyed without, the temporary file is removed.
class PointWriter final : public RowSink {
public:
    /// Throws OutputError as require_writable() does, and when the file's bytes (known for all but text and packed
    /// files) are not free; InvalidArgument for no points, images of another size than the dimension, words missing
    /// where the format needs them.
    PointWriter(const std::filesystem::path& path, const PointsShape& shape, const WriteOptions& options = {});
    ~PointWriter() override;

    /// Appends rows. Throws OutputError (disk full, with the bytes needed in all) and the temporary file is then gone;
    /// InvalidArgument for rows of another dimension, more rows than the shape says, companions of another number, and
    /// values that the format cannot hold (row and column of the file).
    void write(const PointsView& rows) override { write(rows, {}); }
    void write(const PointsView& rows, const Companions& companions);

    /// Puts the file in its place. Fewer rows than the shape says, but at least one, are fine where the head can still
    /// be mended (can_end_early()); otherwise they are an OutputError. `before`: see AtomicFile::commit().
    void commit(const BeforePlacing& before = {});

    [[nodiscard]] Index written() const;
    [[nodiscard]] bool can_end_early() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace isogon

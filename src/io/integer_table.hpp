#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// Rows of whole numbers, as many in each: neighbours by index, for instance. Not points: float32 holds whole numbers
/// up to 2^24 only.
struct IntegerTable {
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::vector<std::int64_t> values{};  ///< row by row
};

/// Reads .npy or IDX of integers in C order ((n, k), or (n) as one column), .ivecs, .bvecs, or csv and tsv without a
/// header. Throws InputError naming file, place and why for anything else.
[[nodiscard]] IntegerTable read_integer_table(const std::filesystem::path& path);

/// Called before a long run: throws OutputError if such a table could not be written to `path`.
void require_writable_integers(const std::filesystem::path& path, const WriteOptions& options = {});

/// Writes `values`, rows of `columns` numbers, as .npy (int32, or int64 where a value needs it), .ivecs, .csv or .tsv,
/// by name; all or nothing. Throws OutputError, InvalidArgument for a table without numbers or with values that .ivecs
/// cannot hold.
void write_integer_table(const std::filesystem::path& path, std::span<const std::uint32_t> values, Index columns,
                         const WriteOptions& options = {});

/// Writes labels block by block; write_labels() writes all of them in one call. All or nothing, as PointWriter.
class LabelWriter {
public:
    /// Throws OutputError as write_labels() does, InvalidArgument for a count of 0.
    LabelWriter(const std::filesystem::path& path, Index count, const WriteOptions& options = {});
    ~LabelWriter();
    LabelWriter(const LabelWriter&) = delete;
    LabelWriter& operator=(const LabelWriter&) = delete;

    /// Appends labels. Throws OutputError; InvalidArgument for more than `count` and values that IDX cannot hold.
    void write(std::span<const std::int64_t> labels);
    /// Completes the file. Fewer labels than `count`, but at least one, are allowed where the header can be corrected:
    /// in all formats but compressed .npy and IDX. Otherwise they are an OutputError.
    void commit();
    [[nodiscard]] bool can_end_early() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace isogon

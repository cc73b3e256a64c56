#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "isogon/core/types.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// Labels written block by block: what write_labels() does with all at once. All or nothing, as PointWriter.
class LabelWriter {
public:
    /// Throws OutputError as write_labels() does, InvalidArgument for a count of 0.
    LabelWriter(const std::filesystem::path& path, Index count, const WriteOptions& options = {});
    ~LabelWriter();
    LabelWriter(const LabelWriter&) = delete;
    LabelWriter& operator=(const LabelWriter&) = delete;

    /// Appends labels. Throws OutputError; InvalidArgument for more than `count` and values that IDX cannot hold.
    void write(std::span<const std::int64_t> labels);
    /// Puts the file in its place. Fewer labels than `count`, but at least one, are fine where the head can still be
    /// mended: all but packed .npy and IDX. Otherwise they are an OutputError.
    void commit();
    [[nodiscard]] bool can_end_early() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace isogon

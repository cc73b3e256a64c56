#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// The most numbers of a `vector` of pgvector.
inline constexpr Index most_pgvector_numbers = 16000;

/// Writes vectors as PostgreSQL's COPY reads them in its text format, with pgvector's type `vector`: a line a vector,
/// its id, a tab, "[0.5,-1,2e-05]", the fewest digits that are that float32. The id is the label, else the word, else
/// the number of the row. For a table (id bigint, or text for words; embedding vector(d)):
///     \copy items (id, embedding) from 'y.copy'
/// Throws InputError (NaN or infinity, which pgvector refuses), InvalidArgument (more than 16,000 numbers, another
/// number of ids than vectors, a word with a zero byte), OutputError, Interruption.
void write_copy_text(const std::filesystem::path& path, const PointsView& points, const Companions& ids = {},
                     const WriteOptions& options = {}, const RunContext& context = {});

}  // namespace isogon

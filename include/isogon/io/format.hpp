#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isogon {

/// The formats of files of points. Each may also be gzip-compressed (.gz) where it is read as a stream.
enum class Format { Npy, Csv, Tsv, Idx, Fvecs, Bvecs, Ivecs, WordText, WordBinary };

/// "npy", "csv", "tsv", "idx", "fvecs", "bvecs", "ivecs", "vec", "word2vec": the values of --format.
[[nodiscard]] std::string_view name(Format format);
/// Throws InvalidArgument, which lists all names.
[[nodiscard]] Format parse_format(std::string_view name);
/// By the name of a file without a final .gz: .npy .csv .tsv .fvecs .bvecs .ivecs .vec .bin, and names that hold
/// "idx1-" to "idx9-" or end in -ubyte, -float or .idx for IDX. Empty if the name does not determine the format.
[[nodiscard]] std::optional<Format> format_from_name(const std::filesystem::path& path);

}  // namespace isogon

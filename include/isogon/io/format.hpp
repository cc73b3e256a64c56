#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isogon {

/// The file formats that points come in. Each may also be gzip-compressed (.gz) where it is read as a stream.
enum class Format { Npy, Csv, Tsv, Idx, Fvecs, Bvecs, Ivecs, WordText, WordBinary };

/// "npy", "csv", "tsv", "idx", "fvecs", "bvecs", "ivecs", "vec", "word2vec": what --format takes.
[[nodiscard]] std::string_view name(Format format);
/// Throws InvalidArgument, which lists all names.
[[nodiscard]] Format parse_format(std::string_view name);
/// From the name of a file, a final .gz set aside: .npy .csv .tsv .fvecs .bvecs .ivecs .vec .bin, and names that hold
/// "idx1-" to "idx9-" or end in -ubyte, -float or .idx for IDX. Empty when the name tells nothing.
[[nodiscard]] std::optional<Format> format_from_name(const std::filesystem::path& path);

}  // namespace isogon

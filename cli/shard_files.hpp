#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace isogon::cli {

/// One worker's part of a list of files: "3/16" takes the third and every sixteenth from there.
struct Shard {
    std::size_t number = 1;
    std::size_t count = 1;

    [[nodiscard]] bool takes(std::size_t place) const { return place % count == number - 1; }
};

/// "3/16"; empty: all of it. Throws InvalidArgument.
[[nodiscard]] Shard parse_shard(const std::string& text);

/// A file on its way: what is read, and where its coordinates go.
struct ShardFile {
    std::string input;
    std::string name;  ///< of the input, without its folder: the same on machines that have it at different places
    std::filesystem::path output;
};

/// The files that these names and patterns mean (io/file_pattern.hpp), each once, in the order of their names, so that
/// every worker has the same list; an output in `folder` for each, of the same stem, ending in `ending`. What cannot be
/// (two inputs for one output, an output that is an input) is added to `mistakes`. Throws InputError for a pattern
/// without a file.
[[nodiscard]] std::vector<ShardFile> list_shard_files(const std::vector<std::string>& patterns,
                                                      const std::filesystem::path& folder, const std::string& ending,
                                                      std::vector<std::string>& mistakes);

/// Adds to `mistakes` the files that are missing between those that are there (io/file_pattern.hpp).
void find_gaps(const std::vector<ShardFile>& files, std::vector<std::string>& mistakes);

/// Those that the shard takes.
[[nodiscard]] std::vector<ShardFile> part_of(const Shard& shard, const std::vector<ShardFile>& files);

}  // namespace isogon::cli

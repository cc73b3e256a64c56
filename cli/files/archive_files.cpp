#include "files/archive_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "isogon/core/error.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/io/integer_table.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon::cli {

namespace {

std::uint64_t archive_bytes(const ArchiveInfo& info) {
    std::uint64_t bytes = 0;
    for (const auto& array : info.arrays) {
        const bool wide = array.scalar == "float64" || array.scalar == "uint64";
        bytes += element_count(array.shape).value_or(0) * (wide ? 8 : 4);
    }
    return bytes;
}

}  // namespace

Archive read_archive_within(const std::string& path, Session& session) {
    session.reserve(path + " in memory", archive_bytes(describe_archive(path)),
                    "raise --memory-limit, or make it of fewer points");
    return read_archive(path);
}

namespace {

NeighborLists lists_of(const IntegerTable& table, const std::string& path) {
    NeighborLists lists{.size = static_cast<Index>(table.columns)};
    lists.indices.reserve(table.values.size());
    for (std::size_t place = 0; place < table.values.size(); ++place) {
        const std::int64_t value = table.values[place];
        if (value < 0 || value > std::numeric_limits<Index>::max()) {
            throw InputError(path, fmt::format("row {}", place / table.columns),
                             fmt::format("neighbour {} does not exist; points are counted from 0", value));
        }
        lists.indices.push_back(static_cast<Index>(value));
    }
    return lists;
}

}  // namespace

NeighborLists read_neighbor_graph(const std::string& path, Index points) {
    const bool archive = std::filesystem::path(path).extension() == ".safetensors";
    NeighborLists lists = archive ? lists_in(read_archive(path)) : lists_of(read_integer_table(path), path);
    require_neighbor_lists(lists, points, points, SelfAllowed::No, path);
    return lists;
}

}  // namespace isogon::cli

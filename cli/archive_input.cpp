#include "archive_input.hpp"

#include "isogon/io/archive_file.hpp"

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

}  // namespace isogon::cli

#include "compare_files.hpp"

#include "isogon/io/atomic_file.hpp"
#include "output_files.hpp"

namespace isogon::cli {

namespace {

/// A file gets its name only when all behind it are in their places.
void write_from(std::size_t first, const std::vector<ComparisonFile>& files, const WriteOptions& how) {
    if (first == files.size()) {
        return;
    }
    if (files[first].path.empty()) {
        write_from(first + 1, files, how);
        return;
    }
    AtomicFile file(files[first].path, how.overwrite, files[first].text.size());
    file.write(files[first].text);
    file.commit([&](const auto&) { write_from(first + 1, files, how); });
}

}  // namespace

void write_all_or_none(const std::vector<ComparisonFile>& files, Session& session) {
    write_output(session, [&](const WriteOptions& how) { write_from(0, files, how); });
}

}  // namespace isogon::cli

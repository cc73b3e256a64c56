#include "output_files.hpp"

#include <filesystem>
#include <set>
#include <system_error>

#include "failure.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/atomic_file.hpp"

namespace isogon::cli {

void require_outputs(const std::vector<std::string>& paths, Session& session) {
    std::set<std::filesystem::path> seen;
    for (const auto& path : paths) {
        if (path.empty()) {
            continue;
        }
        std::error_code ignored;  // what cannot be looked up is left to require_writable, which names the reason
        if (!seen.insert(std::filesystem::absolute(path, ignored).lexically_normal()).second) {
            throw UsageError(path + ": named for two outputs; give each a name of its own");
        }
        if (!session.overwrite() && std::filesystem::exists(path, ignored)) {
            throw UsageError(path + ": exists; choose another name, or replace it with --overwrite");
        }
        try {
            require_writable_target(path, session.overwrite());
        } catch (const OutputError& error) {
            throw UsageError(error.what());
        }
        session.expect_output(path);
    }
}

void write_output(Session& session, const std::function<void(const WriteOptions&)>& write) {
    const auto held = session.while_writing();
    write({.format = {}, .overwrite = session.overwrite()});
}

Format output_format(const std::string& path) {
    const auto format = format_from_name(path);
    if (!format) {
        throw UsageError(path +
                         ": the name tells no format; end it in .npy, .csv, .tsv, .fvecs, .vec or another that "
                         "isogon info can read");
    }
    return *format;
}

void require_words(const std::string& path, bool has_words) {
    const Format format = output_format(path);
    if (!has_words && (format == Format::WordText || format == Format::WordBinary)) {
        throw UsageError(path +
                         ": word vectors need words, and the input has none; write .npy or .csv, or name the "
                         "column of words with --word-column");
    }
}

}  // namespace isogon::cli

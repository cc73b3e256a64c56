#include "run_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "isogon/core/error.hpp"
#include "isogon/io/archive_file.hpp"
#include "output_files.hpp"

namespace isogon::cli {

RunCache::RunCache(std::filesystem::path folder, bool fresh, Session& session)
    : folder_(std::move(folder)), fresh_(fresh), session_(session) {
    if (!folder_.empty()) {
        session.remove_leftovers(folder_);
    }
}

std::filesystem::path RunCache::file_of(const std::string& key) const {
    return folder_ / (key + ".safetensors");
}

void RunCache::tell_damage(const std::string& what) {
    session_.log(fmt::format("{}; this run is done again", what));
}

std::optional<Archive> RunCache::find(const std::string& key) {
    std::error_code ignored;
    if (folder_.empty() || fresh_ || !std::filesystem::exists(file_of(key), ignored)) {
        return std::nullopt;
    }
    try {
        Archive archive = read_archive(file_of(key));
        if (archive.kind != ArchiveKind::Run || archive.note("key") != key) {
            throw InputError(archive.source, "", "is not the run that its name says");
        }
        return archive;
    } catch (const InputError& error) {
        tell_damage(error.what());
        return std::nullopt;
    }
}

void RunCache::keep(const std::string& key, Archive archive) {
    if (folder_.empty() || !writable_) {
        return;
    }
    archive.notes["key"] = key;
    try {
        std::error_code error;
        std::filesystem::create_directories(folder_, error);
        if (error) {
            throw OutputError(folder_.string(), "cannot be made: " + error.message());
        }
        const auto held = session_.while_writing();
        write_archive(file_of(key), archive, {.format = {}, .overwrite = true});
    } catch (const Error& error) {
        writable_ = false;
        session_.warn(fmt::format("runs are not kept, so an interrupted command begins anew: {}", error.what()));
    }
}

std::filesystem::path default_cache(const std::vector<std::string>& outputs) {
    const auto named =
        std::find_if(outputs.begin(), outputs.end(), [](const std::string& path) { return !path.empty(); });
    return named == outputs.end() ? std::filesystem::path()
                                  : std::filesystem::path(*named).parent_path() / "isogon-runs";
}

}  // namespace isogon::cli

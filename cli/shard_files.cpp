#include "shard_files.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <system_error>

#include "isogon/core/error.hpp"
#include "isogon/io/file_pattern.hpp"
#include "quantity.hpp"

namespace isogon::cli {

namespace {

namespace fs = std::filesystem;

/// "part-00" of "part-00.csv.gz".
std::string stem_of(const std::string& name) {
    const fs::path path(name);
    return (path.extension() == ".gz" ? path.stem() : path).stem().string();
}

void refuse_shared_outputs(const std::vector<ShardFile>& files, std::vector<std::string>& mistakes) {
    std::map<fs::path, std::string> taken;
    for (const ShardFile& file : files) {
        const auto [found, fresh] = taken.emplace(file.output, file.input);
        if (!fresh) {
            mistakes.push_back(file.input + ": has the output of " + found->second + ", " + file.output.string() +
                               "; rename one of them");
        }
    }
}

void refuse_overwritten_inputs(const std::vector<ShardFile>& files, std::vector<std::string>& mistakes) {
    for (const ShardFile& file : files) {
        std::error_code ignored;
        if (fs::equivalent(file.input, file.output, ignored)) {
            mistakes.push_back(file.input + ": would be replaced by its own output; choose another folder");
        }
    }
}

}  // namespace

Shard parse_shard(const std::string& text) {
    if (text.empty()) {
        return {};
    }
    constexpr std::int64_t most = 1'000'000;
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) {
        throw InvalidArgument("--shard", text, "must be a part and how many there are, like 3/16");
    }
    const std::int64_t count = parse_whole("--shard, parts", text.substr(slash + 1), 1, most);
    const std::int64_t number = parse_whole("--shard, part", text.substr(0, slash), 1, count);
    return {static_cast<std::size_t>(number), static_cast<std::size_t>(count)};
}

std::vector<ShardFile> list_shard_files(const std::vector<std::string>& patterns, const fs::path& folder,
                                        const std::string& ending, std::vector<std::string>& mistakes) {
    std::vector<std::string> paths;
    for (const std::string& pattern : patterns) {
        for (const std::string& path : expand_pattern(pattern)) {
            paths.push_back(fs::path(path).lexically_normal().string());
        }
    }
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    std::vector<ShardFile> files;
    for (const std::string& path : paths) {
        const std::string name = fs::path(path).filename().string();
        files.push_back({path, name, folder / (stem_of(name) + "." + ending)});
    }
    // By the name alone: the same inputs may lie in another folder on another machine.
    std::stable_sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    refuse_shared_outputs(files, mistakes);
    refuse_overwritten_inputs(files, mistakes);
    return files;
}

void find_gaps(const std::vector<ShardFile>& files, std::vector<std::string>& mistakes) {
    std::vector<std::string> names;
    names.reserve(files.size());
    for (const ShardFile& file : files) {
        names.push_back(file.name);
    }
    for (const std::string& name : missing_names(names)) {
        mistakes.push_back(name +
                           ": missing among the inputs, going by the numbers of the others; if that is as it "
                           "should be, say --allow-gaps");
    }
}

std::vector<ShardFile> part_of(const Shard& shard, const std::vector<ShardFile>& files) {
    std::vector<ShardFile> mine;
    for (std::size_t place = 0; place < files.size(); ++place) {
        if (shard.takes(place)) {
            mine.push_back(files[place]);
        }
    }
    return mine;
}

}  // namespace isogon::cli

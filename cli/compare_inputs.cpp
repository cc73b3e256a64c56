#include "compare_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "failure.hpp"
#include "isogon/core/error.hpp"
#include "report_flags.hpp"

namespace isogon::cli {

namespace {

/// One name is one curve.
void require_other_name(const std::string& text, const std::string& name, const std::vector<Contender>& contenders) {
    const auto found = std::find_if(contenders.begin(), contenders.end(),
                                    [&](const Contender& contender) { return contender.name == name; });
    if (found != contenders.end()) {
        throw UsageError("--against-files " + text + ": " + name + " is one of --methods; choose another name");
    }
}

bool is_same_file(const std::string& one, const std::string& other) {
    std::error_code ignored;  // a file that is not there is told by who reads it
    return one == other || std::filesystem::equivalent(one, other, ignored);
}

void require_once(const std::string& text, const Elsewhere& one, const std::vector<Elsewhere>& before) {
    const auto same = [&](const Elsewhere& other) {
        return other.name == one.name && is_same_file(other.file, one.file);
    };
    if (std::any_of(before.begin(), before.end(), same)) {
        throw UsageError("--against-files " + text + ": is there twice; leave one out");
    }
}

Elsewhere parse_elsewhere(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
        throw UsageError("--against-files " + text + ": must be a name and a file, such as umap=umap.npy");
    }
    return {text.substr(0, equals), text.substr(equals + 1), {}};
}

}  // namespace

std::vector<Elsewhere> read_elsewhere(const std::vector<std::string>& texts, const std::vector<Contender>& contenders,
                                      const Input& input, Session& session) {
    std::vector<Elsewhere> list;
    for (const auto& text : texts) {
        Elsewhere one = parse_elsewhere(text);
        require_other_name(text, one.name, contenders);
        require_once(text, one, list);
        list.push_back(std::move(one));
    }
    for (auto& one : list) {
        one.y = read_input({one.file}, {}, Finite::Required, session);
        if (one.y.points.count != input.points.count) {
            throw InputError(one.file, "",
                             fmt::format("{} rows, where {} input rows are taken (after --every and --from); there "
                                         "must be one for each",
                                         one.y.points.count, input.points.count));
        }
    }
    return list;
}

std::vector<std::int64_t> read_classes(const std::vector<std::string>& paths, const InputFlags& reading,
                                       const Input& input) {
    if (paths.empty()) {
        return input.labels;
    }
    try {
        return read_picked_labels(paths, reading, input);
    } catch (const InputError&) {  // words then, as isogon report takes them, or what is wrong with the files
        ReportFlags flags;
        flags.labels = paths;
        const Classes classes = read_point_names(flags, reading, input.rows_in_files, {}, {}).labels;
        return {classes.index.begin(), classes.index.end()};
    }
}

}  // namespace isogon::cli

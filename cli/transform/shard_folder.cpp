#include "transform/shard_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/sha256.hpp"
#include "isogon/io/atomic_file.hpp"
#include "isogon/io/file_digest.hpp"
#include "program/json.hpp"

namespace isogon::cli {

namespace {

constexpr const char* record_format = "isogon-shard-record";
constexpr const char* plan_format = "isogon-shard-plan";
constexpr int newest_version = 1;

/// The whole file as JSON of this format; nothing if it is not there.
std::optional<Json> read_json(const std::filesystem::path& path, const char* format) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        return std::nullopt;
    }
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    Json json = Json::parse(text, nullptr, false);
    const bool ours = json.is_object() && json.value("format", "") == format;
    if (!ours || !json["format_version"].is_number_integer()) {
        throw InputError(path.string(), "", "is damaged, or none of isogon's; remove it if nobody needs it");
    }
    if (json["format_version"] > newest_version) {
        throw InputError(path.string(), "", "was written by a newer isogon than this; use that one");
    }
    return json;
}

/// What is missing or of another type is a fault of the file.
template <class Read>
auto with_faults_named(const std::filesystem::path& path, const Read& read) {
    try {
        return read();
    } catch (const Json::exception&) {
        throw InputError(path.string(), "", "is damaged: not all is there that isogon writes; remove it");
    }
}

void write_json(const std::filesystem::path& path, const Json& json, bool overwrite) {
    constexpr int indent = 2;
    AtomicFile file(path, overwrite);
    file.write(json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n");
    file.commit();
}

Json to_json(const FileMark& mark) {
    return {{"bytes", mark.bytes}, {"sha256", mark.sha256}};
}

FileMark mark_in(const Json& json) {
    return {json.at("bytes").get<std::uint64_t>(), json.at("sha256").get<std::string>()};
}

}  // namespace

std::string ShardPlan::run_digest() const {
    Sha256 digest;
    for (const std::string& part : {version, model}) {
        digest.add(std::uint64_t{part.size()});
        digest.add(part);
    }
    for (const auto& [name, value] : options) {
        digest.add(std::uint64_t{name.size()});
        digest.add(name);
        digest.add(std::uint64_t{value.size()});
        digest.add(value);
    }
    return digest.hex();
}

std::optional<ShardRecord> read_shard_record(const std::filesystem::path& path) {
    return with_faults_named(path, [&]() -> std::optional<ShardRecord> {
        const auto json = read_json(path, record_format);
        if (!json) {
            return std::nullopt;
        }
        return ShardRecord{json->at("run").get<std::string>(), mark_in(json->at("input")), mark_in(json->at("output")),
                           json->at("points").get<std::uint64_t>()};
    });
}

std::optional<ShardPlan> read_shard_plan(const std::filesystem::path& path) {
    return with_faults_named(path, [&]() -> std::optional<ShardPlan> {
        const auto json = read_json(path, plan_format);
        if (!json) {
            return std::nullopt;
        }
        return ShardPlan{json->at("isogon_version").get<std::string>(), json->at("model").get<std::string>(),
                         json->at("options").get<std::map<std::string, std::string>>(),
                         json->at("inputs").get<std::vector<std::string>>()};
    });
}

void write_shard_record(const std::filesystem::path& path, const ShardRecord& record, bool overwrite) {
    write_json(path,
               {{"format", record_format},
                {"format_version", newest_version},
                {"run", record.run},
                {"input", to_json(record.input)},
                {"output", to_json(record.output)},
                {"points", record.points}},
               overwrite);
}

void write_shard_plan(const std::filesystem::path& path, const ShardPlan& plan, bool overwrite) {
    write_json(path,
               {{"format", plan_format},
                {"format_version", newest_version},
                {"isogon_version", plan.version},
                {"model", plan.model},
                {"options", plan.options},
                {"inputs", plan.inputs}},
               overwrite);
}

namespace {

namespace fs = std::filesystem;

/// More names than this help nobody.
constexpr std::size_t most_named = 20;

std::vector<std::string> names_only_in(const std::vector<std::string>& these, const std::vector<std::string>& others) {
    std::vector<std::string> sorted_others = others;
    std::vector<std::string> sorted_these = these;
    std::sort(sorted_others.begin(), sorted_others.end());
    std::sort(sorted_these.begin(), sorted_these.end());
    std::vector<std::string> result;
    std::set_difference(sorted_these.begin(), sorted_these.end(), sorted_others.begin(), sorted_others.end(),
                        std::back_inserter(result));
    return result;
}

void compare_options(const std::string& folder, const ShardPlan& begun, const ShardPlan& now,
                     std::vector<std::string>& mistakes) {
    auto names = begun.options;
    names.insert(now.options.begin(), now.options.end());
    for (const auto& [name, ignored] : names) {
        const auto value = [&name = name](const ShardPlan& plan) {
            const auto found = plan.options.find(name);
            return found == plan.options.end() || found->second.empty() ? std::string("not given") : found->second;
        };
        if (value(begun) != value(now)) {
            mistakes.push_back(
                fmt::format("{}: was begun with --{} {}, and now it is {}; use the same, another "
                            "folder, or --overwrite to make all anew",
                            folder, name, value(begun), value(now)));
        }
    }
}

void compare_runs(const std::string& folder, const ShardPlan& begun, const ShardPlan& now,
                  std::vector<std::string>& mistakes) {
    if (begun.version != now.version) {
        mistakes.push_back(
            fmt::format("{}: was begun by isogon {}, and this is {}, whose bits may differ; finish it by "
                        "that one, or make all anew with --overwrite",
                        folder, begun.version, now.version));
    }
    if (begun.model != now.model) {
        mistakes.push_back(
            fmt::format("{}: was begun with another model (SHA-256 {:.12}..., and this one has "
                        "{:.12}...); use that one, another folder, or --overwrite to make all anew",
                        folder, begun.model, now.model));
    }
    compare_options(folder, begun, now, mistakes);
}

void make_folder(const fs::path& path) {
    std::error_code error;
    fs::create_directory(path, error);
    if (error) {
        throw OutputError(path.string(), "the folder cannot be made: " + error.message());
    }
}

}  // namespace

std::string_view name(ShardState state) {
    switch (state) {
        case ShardState::Finished: return "finished";
        case ShardState::Missing: return "missing";
        case ShardState::HalfWritten: return "half-written";
        case ShardState::InputChanged: return "input-changed";
        case ShardState::Altered: return "altered";
        case ShardState::Foreign: return "foreign";
        case ShardState::OtherRun: return "other-run";
    }
    return "unknown";
}

bool is_refused(ShardState state) {
    return state == ShardState::Altered || state == ShardState::Foreign || state == ShardState::OtherRun;
}

std::string describe(ShardState state, const ShardFile& file) {
    const std::string output = file.output.string();
    const std::string remedy = "; move it away, choose another folder, or replace it with --overwrite";
    switch (state) {
        case ShardState::HalfWritten: return output + ": is shorter than it was when it was finished; it is made anew";
        case ShardState::InputChanged:
            return output + ": " + file.input + " has changed since it was made; it is made anew";
        case ShardState::Altered: return output + ": has been changed since it was made" + remedy;
        case ShardState::Foreign: return output + ": exists, and no record says that isogon made it" + remedy;
        case ShardState::OtherRun:
            return output + ": was made with another model, other options or another version" + remedy;
        default: return {};
    }
}

FileMark mark_of(const fs::path& path, const RunContext& context) {
    FileMark mark;
    mark.sha256 = file_digest(path, context);
    std::error_code ignored;  // it was read a moment ago
    mark.bytes = fs::file_size(path, ignored);
    return mark;
}

ShardFolder::ShardFolder(fs::path folder, ShardPlan plan)
    : folder_(std::move(folder)),
      records_(folder_ / "isogon-shards"),
      plan_(std::move(plan)),
      run_(plan_.run_digest()) {}

fs::path ShardFolder::record_of(const ShardFile& file) const {
    return records_ / (file.output.filename().string() + ".json");
}

fs::path ShardFolder::plan_file() const {
    return records_ / "plan.json";
}

std::vector<std::string> ShardFolder::mistakes(bool overwrite, bool allow_gaps) const {
    std::vector<std::string> list;
    const auto begun = read_shard_plan(plan_file());
    if (!begun) {
        return list;
    }
    if (!overwrite) {
        compare_runs(folder_.string(), *begun, plan_, list);
    }
    const auto gone = allow_gaps ? std::vector<std::string>() : names_only_in(begun->inputs, plan_.inputs);
    for (std::size_t i = 0; i < std::min(gone.size(), most_named); ++i) {
        list.push_back(gone[i] + ": is in the list with which " + folder_.string() +
                       " was begun, and missing now; if that is as it should be, say --allow-gaps");
    }
    if (gone.size() > most_named) {
        list.push_back(fmt::format("{} more of them", gone.size() - most_named));
    }
    return list;
}

std::size_t ShardFolder::new_files() const {
    const auto begun = read_shard_plan(plan_file());
    return begun ? names_only_in(plan_.inputs, begun->inputs).size() : 0;
}

/// A damaged record proves nothing.
std::optional<ShardRecord> ShardFolder::find_record(const ShardFile& file) const {
    try {
        return read_shard_record(record_of(file));
    } catch (const InputError&) {
        return std::nullopt;
    }
}

ShardState ShardFolder::state(const ShardFile& file, const RunContext& context) const {
    std::error_code error;
    const std::uint64_t bytes = fs::file_size(file.output, error);
    if (error) {
        std::error_code ignored;
        return fs::exists(file.output, ignored) ? ShardState::Foreign : ShardState::Missing;
    }
    const auto record = find_record(file);
    if (!record) {
        return ShardState::Foreign;
    }
    if (record->run != run_) {
        return ShardState::OtherRun;
    }
    if (bytes < record->output.bytes) {
        return ShardState::HalfWritten;
    }
    if (bytes != record->output.bytes || mark_of(file.output, context) != record->output) {
        return ShardState::Altered;
    }
    return mark_of(file.input, context) == record->input ? ShardState::Finished : ShardState::InputChanged;
}

void ShardFolder::begin(bool overwrite) {
    make_folder(folder_);
    make_folder(records_);
    const auto begun = read_shard_plan(plan_file());
    if (begun && begun->run_digest() == run_ && begun->inputs == plan_.inputs) {
        return;
    }
    try {
        write_shard_plan(plan_file(), plan_, begun.has_value());
    } catch (const OutputError&) {
        // Another worker may have begun in the meantime, with the same plan or not.
        const auto theirs = begun ? std::nullopt : read_shard_plan(plan_file());
        if (!theirs) {
            throw;
        }
        if (!overwrite && (theirs->run_digest() != run_ || theirs->inputs != plan_.inputs)) {
            throw InputError(folder_.string(), "",
                             "another run has just begun there, with another model, other options or other files; "
                             "choose another folder");
        }
    }
}

std::size_t ShardFolder::clear() const {
    return remove_abandoned(folder_) + remove_abandoned(records_);
}

void ShardFolder::keep(const ShardFile& file, const ShardRecord& made, bool replace) const {
    // First the old one goes: were it there beside the new record, it would count as changed by somebody.
    std::error_code ignored;
    if (replace && fs::is_regular_file(fs::symlink_status(file.output, ignored))) {
        fs::remove(file.output, ignored);
    }
    ShardRecord record = made;
    record.run = run_;
    write_shard_record(record_of(file), record, true);
}

}  // namespace isogon::cli

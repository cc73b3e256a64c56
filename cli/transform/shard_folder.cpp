#include "transform/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/sha256.hpp"
#include "isogon/io/atomic_file.hpp"
#include "isogon/io/file_set.hpp"
#include "program/json.hpp"

namespace isogon::cli {

namespace {

constexpr const char* record_format = "isogon-shard-record";
constexpr const char* plan_format = "isogon-shard-plan";
constexpr int newest_version = 1;

/// The file as JSON of this format; nothing if it does not exist.
std::optional<Json> read_json(const std::filesystem::path& path, const char* format) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        return std::nullopt;
    }
    Json json = Json::parse(file_text(path), nullptr, false);
    const bool ours = json.is_object() && json.value("format", "") == format;
    if (!ours || !json["format_version"].is_number_integer()) {
        throw InputError(path.string(), "", "is damaged, or none of isogon's; remove it if it is not needed");
    }
    if (json["format_version"] > newest_version) {
        throw InputError(path.string(), "", "was written by a newer isogon than this; use that one");
    }
    return json;
}

/// Reports missing members and wrong types as errors of the file.
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

Json identity_json(const FileIdentity& identity) {
    return {{"bytes", identity.bytes}, {"sha256", identity.sha256}};
}

FileIdentity identity_from(const Json& json) {
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
        return ShardRecord{json->at("run").get<std::string>(), identity_from(json->at("input")),
                           identity_from(json->at("output")), json->at("points").get<std::uint64_t>()};
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
                {"input", identity_json(record.input)},
                {"output", identity_json(record.output)},
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

/// At most this many names are listed.
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

void compare_options(const std::string& folder, const ShardPlan& started, const ShardPlan& now,
                     std::vector<std::string>& mistakes) {
    auto names = started.options;
    names.insert(now.options.begin(), now.options.end());
    for (const auto& [name, ignored] : names) {
        const auto value = [&name = name](const ShardPlan& plan) {
            const auto found = plan.options.find(name);
            return found == plan.options.end() || found->second.empty() ? std::string("not given") : found->second;
        };
        if (value(started) != value(now)) {
            mistakes.push_back(
                fmt::format("{}: was begun with --{} {}, and now it is {}; use the same, another "
                            "folder, or --overwrite to make all anew",
                            folder, name, value(started), value(now)));
        }
    }
}

void compare_runs(const std::string& folder, const ShardPlan& started, const ShardPlan& now,
                  std::vector<std::string>& mistakes) {
    if (started.version != now.version) {
        mistakes.push_back(
            fmt::format("{}: was begun by isogon {}, and this is {}, whose bits may differ; finish it by "
                        "that one, or make all anew with --overwrite",
                        folder, started.version, now.version));
    }
    if (started.model != now.model) {
        mistakes.push_back(
            fmt::format("{}: was begun with another model (SHA-256 {:.12}..., and this one has "
                        "{:.12}...); use that one, another folder, or --overwrite to make all anew",
                        folder, started.model, now.model));
    }
    compare_options(folder, started, now, mistakes);
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

FileIdentity identity_of(const fs::path& path, const RunContext& context) {
    FileIdentity identity;
    identity.sha256 = file_digest(path, context);
    std::error_code ignored;  // it has just been read
    identity.bytes = fs::file_size(path, ignored);
    return identity;
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
    const auto started = read_shard_plan(plan_file());
    if (!started) {
        return list;
    }
    if (!overwrite) {
        compare_runs(folder_.string(), *started, plan_, list);
    }
    const auto gone = allow_gaps ? std::vector<std::string>() : names_only_in(started->inputs, plan_.inputs);
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
    const auto started = read_shard_plan(plan_file());
    return started ? names_only_in(plan_.inputs, started->inputs).size() : 0;
}

/// A damaged record counts as missing.
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
    if (bytes != record->output.bytes || identity_of(file.output, context) != record->output) {
        return ShardState::Altered;
    }
    return identity_of(file.input, context) == record->input ? ShardState::Finished : ShardState::InputChanged;
}

void ShardFolder::begin(bool overwrite) {
    make_folder(folder_);
    make_folder(records_);
    const auto started = read_shard_plan(plan_file());
    if (started && started->run_digest() == run_ && started->inputs == plan_.inputs) {
        return;
    }
    try {
        write_shard_plan(plan_file(), plan_, started.has_value());
    } catch (const OutputError&) {
        // Another worker may have written a plan in the meantime, the same or a different one.
        const auto theirs = started ? std::nullopt : read_shard_plan(plan_file());
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

std::size_t ShardFolder::remove_temporaries() const {
    return remove_abandoned(folder_) + remove_abandoned(records_);
}

void ShardFolder::store_record(const ShardFile& file, const ShardRecord& made, bool replace) const {
    // The old output is removed first: beside the new record it would count as altered.
    std::error_code ignored;
    if (replace && fs::is_regular_file(fs::symlink_status(file.output, ignored))) {
        fs::remove(file.output, ignored);
    }
    ShardRecord record = made;
    record.run = run_;
    write_shard_record(record_of(file), record, true);
}

}  // namespace isogon::cli

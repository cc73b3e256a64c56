#include "shard_record.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

#include "isogon/core/error.hpp"
#include "isogon/core/sha256.hpp"
#include "isogon/io/atomic_file.hpp"
#include "json.hpp"

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

}  // namespace isogon::cli

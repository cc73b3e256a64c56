#include "report/run_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "files/output_files.hpp"
#include "io/atomic_file.hpp"
#include "io/file_set.hpp"
#include "isogon/core/error.hpp"

namespace isogon::cli {

namespace {

constexpr std::array terminations{Termination::Converged, Termination::IterationLimit, Termination::TimeLimit,
                                  Termination::Cancelled, Termination::Stalled,        Termination::NumericalFailure};

Termination find_termination(const std::string& word) {
    const auto found = std::find_if(terminations.begin(), terminations.end(),
                                    [&](Termination reason) { return name(reason) == word; });
    if (found == terminations.end()) {
        throw std::invalid_argument("its termination is none that a run has");
    }
    return *found;
}

OptionValue option_of(const Json& value) {
    if (value.is_boolean()) {
        return value.get<bool>();
    }
    if (value.is_number_integer()) {
        return value.get<std::int64_t>();
    }
    if (value.is_number()) {
        return value.get<double>();
    }
    const auto text = value.get<std::string>();
    return text == "auto" ? OptionValue{} : OptionValue{text};
}

std::vector<std::pair<std::string, double>> named_numbers(const Json& object) {
    std::vector<std::pair<std::string, double>> named;
    for (const auto& [key, value] : object.items()) {
        // JSON has no infinity: such values are null.
        named.emplace_back(key, value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
    }
    return named;
}

double number_of(const Json& record, const char* key) {
    return record.at(key).is_null() ? std::numeric_limits<double>::quiet_NaN() : record.at(key).get<double>();
}

ReportRun run_of(const Json& json) {
    ReportRun run{.method = json.at("method").get<std::string>()};
    for (const auto& [key, value] : json.at("options").items()) {
        run.options[key] = option_of(value);
    }
    Summary& summary = run.summary;
    summary.termination = find_termination(json.at("termination").get<std::string>());
    summary.message = json.at("message").get<std::string>();
    summary.seconds = named_numbers(json.at("seconds_by_phase"));
    summary.counts = named_numbers(json.at("counts"));
    summary.measures = named_numbers(json.at("measures"));
    const auto warnings = json.at("warnings").get<std::vector<std::string>>();
    summary.warnings.assign(warnings.begin(), warnings.end());
    summary.seed = json.at("seed").get<std::uint64_t>();
    summary.threads = json.at("threads").get<int>();
    for (const Json& record : json.at("trace")) {
        summary.trace.push_back({record.at("iteration").get<int>(), number_of(record, "objective"),
                                 number_of(record, "change"), number_of(record, "seconds")});
    }
    return run;
}

/// Removes the prefix of the library: "[json.exception.out_of_range.403] key 'method' not found".
std::string without_code(const std::string& message) {
    const std::size_t end = message.starts_with('[') ? message.find("] ") : std::string::npos;
    return end == std::string::npos ? message : message.substr(end + 2);
}

}  // namespace

ReportRun read_result(const std::string& path) {
    const std::string text = file_text(path);
    try {
        return run_of(Json::parse(text));
    } catch (const Json::parse_error& error) {  // its own message would show the file's bytes
        throw InputError(path, fmt::format("byte {}", error.byte), "is no JSON; give what isogon embed --json printed");
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {  // from the JSON library, whose own types are its business
        throw InputError(path, "", fmt::format("is no result of isogon embed --json: {}", without_code(error.what())));
    }
}

void require_result(const std::string& path) {
    if (!path.empty()) {
        static_cast<void>(read_result(path));
    }
}

std::string record_path(const std::string& coordinates) {
    constexpr std::size_t longest_name = 255;
    const std::string path = coordinates + ".json";
    const bool too_long = std::filesystem::path(path).filename().string().size() > longest_name;
    return coordinates.empty() || coordinates == standard_stream || too_long ? "" : path;
}

namespace {

constexpr const char* digest_key = "output_sha256";

/// Whether a record is that of these coordinates; a file that is no record is not.
bool is_record_of(const Json& record, const std::string& coordinates, std::uint64_t points, Index dimension,
                  Session& session) {
    try {
        const Json& shape = record.at("shape");
        return shape.at("points").get<std::uint64_t>() == points && shape.at("dimension").get<Index>() == dimension &&
               record.at(digest_key).get<std::string>() == file_digest(coordinates, session.context());
    } catch (const Json::exception&) {
        return false;
    }
}

}  // namespace

void write_record(const std::string& coordinates, Json result, Session& session) {
    if (record_path(coordinates).empty()) {
        return;
    }
    try {
        result[digest_key] = file_digest(coordinates);
        write_text(record_path(coordinates), to_line(result) + "\n", session);
    } catch (const Error& error) {
        session.warn(fmt::format("no record of the run in {}: {}; the coordinates are in {}", record_path(coordinates),
                                 error.what(), coordinates));
    }
}

std::optional<ReportRun> run_that_made(const std::string& coordinates, std::uint64_t points, Index dimension,
                                       const std::string& result, Session& session) {
    if (!result.empty()) {
        return read_result(result);
    }
    Json record;
    try {
        record = Json::parse(file_text(record_path(coordinates)), nullptr, false);
    } catch (const InputError&) {
        return std::nullopt;
    }
    if (!record.is_object() || !is_record_of(record, coordinates, points, dimension, session)) {
        return std::nullopt;
    }
    try {
        return run_of(record);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace isogon::cli

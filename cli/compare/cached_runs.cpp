#include "compare/cached_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

#include "core/archive_schema.hpp"
#include "core/sha256.hpp"
#include "files/output_files.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/registry/registry.hpp"
#include "program/command_line.hpp"
#include "program/failure.hpp"
#include "program/json.hpp"

namespace isogon::cli {

namespace {

using Named = std::vector<std::pair<std::string, double>>;

// Terminations of runs that are cached.
constexpr std::array finished{Termination::Converged, Termination::IterationLimit, Termination::Stalled};

/// Pairs and not an object: a name may come twice.
Json pairs_json(const Named& named) {
    Json list = Json::array();
    for (const auto& [what, value] : named) {
        list.push_back(Json::array({what, value}));
    }
    return list;
}

Named pairs_in(const Json& json) {
    Named named;
    for (const auto& pair : json) {
        named.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<double>());
    }
    return named;
}

struct NamedMeasure {
    const char* name;
    double Score::*value;
    double most;
};

constexpr double any_size = std::numeric_limits<double>::max();
constexpr std::array measures{
    NamedMeasure{"mean_angular_deviation_degrees", &Score::mean_angular_deviation_degrees, 180.0},
    NamedMeasure{"jaccard", &Score::jaccard, 1.0},
    NamedMeasure{"norm_deviation_mean", &Score::norm_deviation_mean, any_size},
    NamedMeasure{"norm_deviation_max", &Score::norm_deviation_max, any_size},
    NamedMeasure{"deviation_without_self_degrees", &Score::deviation_without_self_degrees, 180.0},
    NamedMeasure{"jaccard_without_self", &Score::jaccard_without_self, 1.0},
    NamedMeasure{"recall", &Score::recall, 1.0},
    NamedMeasure{"chance_recall", &Score::chance_recall, 1.0},
    NamedMeasure{"trustworthiness", &Score::trustworthiness, 1.0},
    NamedMeasure{"continuity", &Score::continuity, 1.0},
    NamedMeasure{"threshold", &Score::threshold, 1.0},
    NamedMeasure{"sparsity", &Score::sparsity, 1.0}};

constexpr std::array<std::pair<const char*, Index Score::*>, 4> counts{{{"isolated", &Score::isolated},
                                                                        {"zero_vectors", &Score::zero_vectors},
                                                                        {"angle_rows", &Score::angle_rows},
                                                                        {"rank_rows", &Score::rank_rows}}};

/// The summary without the trace, which is an array.
std::string summary_text(const Summary& summary) {
    return to_line({{"termination", name(summary.termination)},
                    {"message", summary.message},
                    {"seconds", pairs_json(summary.seconds)},
                    {"counts", pairs_json(summary.counts)},
                    {"measures", pairs_json(summary.measures)},
                    {"warnings", in_flags(summary.warnings)},
                    {"seed", summary.seed},
                    {"threads", summary.threads}});
}

Termination termination_of(const std::string& text) {
    for (const Termination reason : finished) {
        if (name(reason) == text) {
            return reason;
        }
    }
    throw Json::other_error::create(500, "termination " + text, nullptr);
}

/// Json converts negative and too large numbers without an error.
std::uint64_t whole_in(const Json& json, std::uint64_t most) {
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() > most) {
        throw Json::other_error::create(500, json.dump() + " is no whole number up to " + std::to_string(most),
                                        nullptr);
    }
    return json.get<std::uint64_t>();
}

Summary summary_in(const Archive& archive) {
    try {
        const Json json = Json::parse(archive.note("summary"));
        Summary summary;
        summary.termination = termination_of(json.at("termination"));
        summary.message = json.at("message");
        summary.seconds = pairs_in(json.at("seconds"));
        summary.counts = pairs_in(json.at("counts"));
        summary.measures = pairs_in(json.at("measures"));
        const auto warnings = json.at("warnings").get<std::vector<std::string>>();
        summary.warnings.assign(warnings.begin(), warnings.end());
        summary.seed = whole_in(json.at("seed"), std::numeric_limits<std::uint64_t>::max());
        summary.threads = static_cast<int>(whole_in(json.at("threads"), std::numeric_limits<int>::max()));
        return summary;
    } catch (const Json::exception& error) {
        throw InputError(archive.source, "note summary", error.what());
    }
}

}  // namespace

Archive to_archive(const std::string& method, const StoredFit& fit) {
    Archive archive{.kind = ArchiveKind::Run, .method = method, .options = fit.fitted.options};
    archive.notes["summary"] = summary_text(fit.fitted.summary);
    archive.add("coordinates", fit.fitted.coordinates.view());
    add_trace("trace", fit.fitted.summary.trace, archive);
    archive.add_number("seconds", fit.seconds);
    return archive;
}

StoredFit fit_from(const Archive& archive, Index points) {
    using Scalar = ArchiveArray::Scalar;
    ArchiveSchema schema(ArchiveKind::Run);
    schema.add({.name = "coordinates", .shape = {"n", "d"}});
    schema.add({.name = "seconds", .scalar = Scalar::Float64, .values = {{0, any_size}}});
    add_trace("trace", schema);
    schema.require(archive, {{"n", points}});
    StoredFit fit;
    fit.fitted.summary = summary_in(archive);
    fit.fitted.summary.trace = trace_in(archive, "trace");
    fit.fitted.coordinates = archive.points("coordinates");
    fit.fitted.options = archive.options;
    fit.seconds = archive.number("seconds");
    return fit;
}

Archive to_archive(const Score& score) {
    Archive archive{.kind = ArchiveKind::Run, .method = "score"};
    archive.notes["warnings"] = to_line(Json(in_flags(score.summary.warnings)));
    for (const auto& [name, value, most] : measures) {
        archive.add_number(name, score.*value);
    }
    if (score.knn_accuracy) {
        archive.add_number("knn_accuracy", *score.knn_accuracy);
    }
    if (score.knn_accuracy_inputs) {
        archive.add_number("knn_accuracy_inputs", *score.knn_accuracy_inputs);
    }
    archive.add_count("points", score.points);
    for (const auto& [name, value] : counts) {
        archive.add_count(name, score.*value);
    }
    archive.add_count("neighbors", static_cast<std::uint64_t>(score.neighbors));
    return archive;
}

Score score_from(const Archive& archive) {
    using Scalar = ArchiveArray::Scalar;
    ArchiveSchema schema(ArchiveKind::Run);
    for (const auto& [name, value, most] : measures) {
        schema.add({.name = name, .scalar = Scalar::Float64, .values = {{-1, most}}});
    }
    for (const char* name : {"knn_accuracy", "knn_accuracy_inputs"}) {
        schema.add({.name = name, .scalar = Scalar::Float64, .values = {{0, 1}}, .optional = true});
    }
    schema.add({.name = "points", .scalar = Scalar::Uint64, .is = "n"});
    for (const auto& [name, value] : counts) {
        schema.add({.name = name, .scalar = Scalar::Uint64, .values = {{0, "n"}}});
    }
    schema.add({.name = "neighbors", .scalar = Scalar::Uint64, .values = {{1, std::numeric_limits<int>::max()}}});
    schema.require(archive);
    Score score;
    for (const auto& [name, value, most] : measures) {
        score.*value = archive.number(name);
    }
    if (archive.has("knn_accuracy")) {
        score.knn_accuracy = archive.number("knn_accuracy");
    }
    if (archive.has("knn_accuracy_inputs")) {
        score.knn_accuracy_inputs = archive.number("knn_accuracy_inputs");
    }
    score.points = static_cast<Index>(archive.count("points"));
    for (const auto& [name, value] : counts) {
        score.*value = static_cast<Index>(archive.count(name));
    }
    score.neighbors = static_cast<int>(archive.count("neighbors"));
    try {
        const auto warnings = Json::parse(archive.note("warnings")).get<std::vector<std::string>>();
        score.summary.warnings.assign(warnings.begin(), warnings.end());
    } catch (const Json::exception& error) {
        throw InputError(archive.source, "note warnings", error.what());
    }
    return score;
}

RunCache::RunCache(std::filesystem::path folder, bool fresh, Session& session)
    : folder_(std::move(folder)), fresh_(fresh), session_(session) {
    if (!folder_.empty()) {
        session.remove_leftovers(folder_);
    }
}

std::filesystem::path RunCache::file_of(const std::string& key) const {
    return folder_ / (key + ".safetensors");
}

void RunCache::log_damage(const std::string& what) {
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
        log_damage(error.what());
        return std::nullopt;
    }
}

void RunCache::store(const std::string& key, Archive archive) {
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

namespace {

// Increase it when the content of cached files changes.
constexpr std::uint64_t layout_version = 4;

Sha256 begin_key(std::string_view what) {
    Sha256 digest;
    digest.add(what);
    digest.add(layout_version);
    digest.add(std::string_view(ISOGON_VERSION "\n"));
    return digest;
}

void add_options(Sha256& digest, const OptionValues& options) {
    for (const auto& [name, value] : options) {
        digest.add(name);
        digest.add(std::uint64_t{value.index()});
        digest.add(to_text(value) + "\n");
    }
}

/// Every option, also those not set, as defaults may change.
OptionValues complete(const FitRequest& wanted) {
    OptionValues options;
    for (const auto& spec : find_method(wanted.method).options) {
        options[spec.name] = spec.default_value;
    }
    for (const auto& [name, value] : wanted.options) {
        options[name] = value;
    }
    return options;
}

}  // namespace

std::string digest_of(const PointsView& points) {
    static_assert(std::endian::native == std::endian::little, "digests are of little-endian numbers");
    Sha256 digest;
    digest.add(std::uint64_t{points.count});
    digest.add(std::uint64_t{points.dimension});
    for (Index i = 0; i < points.count; ++i) {
        digest.add(std::as_bytes(points[i]));
    }
    return digest.hex();
}

CachedRuns::CachedRuns(const PointsView& x, const std::vector<FitRequest>& wanted, RunCache& cache, Session& session)
    : x_(x), points_digest_(digest_of(x)), cache_(cache), session_(session), series_(x, wanted, session.context()) {}

std::string CachedRuns::key_of(const FitRequest& wanted) const {
    Sha256 digest = begin_key("fit");
    digest.add(points_digest_);
    digest.add(wanted.method + "\n");
    add_options(digest, complete(wanted));
    return digest.hex();
}

CachedFit CachedRuns::fit(const FitRequest& wanted) {
    const std::string key = key_of(wanted);
    if (auto found = cache_.find(key, [&](const Archive& cached) { return fit_from(cached, x_.count); })) {
        ++cached_;
        return {std::move(found->fitted), found->seconds, true, {}};
    }
    CachedFit result;
    try {
        FitSeries::Fit fit = series_.fit(wanted);
        require_finished(fit.fitted.summary);
        result.seconds = fit.seconds;
        if (!fit.fitted.summary.usable()) {
            result.refused = fit.fitted.summary.message;
            return result;
        }
        StoredFit cached{std::move(fit.fitted), fit.seconds};
        cache_.store(key, to_archive(wanted.method, cached));
        result.fitted = std::move(cached.fitted);
    } catch (const InvalidArgument& error) {
        result.refused = in_flags(error.text());
    } catch (const InputError& error) {
        result.refused = in_flags(error.text());
    } catch (const LimitExceeded& error) {
        result.refused = in_flags(error.text());
    }
    return result;
}

Score CachedRuns::score(const PointsView& y, std::span<const std::int64_t> labels, const ScoreOptions& options) {
    Sha256 digest = begin_key("score");
    digest.add(points_digest_);
    digest.add(digest_of(y));
    digest.add(std::uint64_t{labels.size()});
    digest.add(std::as_bytes(labels));
    add_options(digest, score_option_table().values(options));
    const std::string key = digest.hex();
    if (auto found = cache_.find(key, score_from)) {
        found->metrics = metrics_of(options, y.dimension);  // equal by the key, and not part of the archive
        return std::move(*found);
    }
    Score result = isogon::score(x_, y, labels, options, session_.context());
    require_finished(result.summary);
    cache_.store(key, to_archive(result));
    return result;
}

}  // namespace isogon::cli

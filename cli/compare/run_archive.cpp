#include "compare/run_archive.hpp"

#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "isogon/core/archive_schema.hpp"
#include "isogon/core/error.hpp"
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
    NamedMeasure{"recall", &Score::recall, 1.0},
    NamedMeasure{"trustworthiness", &Score::trustworthiness, 1.0},
    NamedMeasure{"continuity", &Score::continuity, 1.0},
    NamedMeasure{"threshold", &Score::threshold, 1.0},
    NamedMeasure{"sparsity", &Score::sparsity, 1.0}};

constexpr std::array<std::pair<const char*, Index Score::*>, 3> counts{
    {{"isolated", &Score::isolated}, {"zero_vectors", &Score::zero_vectors}, {"rank_rows", &Score::rank_rows}}};

/// The summary without the trace, which is an array.
std::string summary_text(const Summary& summary) {
    return to_line({{"termination", name(summary.termination)},
                    {"message", summary.message},
                    {"seconds", pairs_json(summary.seconds)},
                    {"counts", pairs_json(summary.counts)},
                    {"measures", pairs_json(summary.measures)},
                    {"warnings", summary.warnings},
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
        summary.warnings = json.at("warnings").get<std::vector<std::string>>();
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
    archive.notes["warnings"] = to_line(Json(score.summary.warnings));
    for (const auto& [name, value, most] : measures) {
        archive.add_number(name, score.*value);
    }
    if (score.knn_accuracy) {
        archive.add_number("knn_accuracy", *score.knn_accuracy);
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
    schema.add({.name = "knn_accuracy", .scalar = Scalar::Float64, .values = {{0, 1}}, .optional = true});
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
    score.points = static_cast<Index>(archive.count("points"));
    for (const auto& [name, value] : counts) {
        score.*value = static_cast<Index>(archive.count(name));
    }
    score.neighbors = static_cast<int>(archive.count("neighbors"));
    try {
        score.summary.warnings = Json::parse(archive.note("warnings")).get<std::vector<std::string>>();
    } catch (const Json::exception& error) {
        throw InputError(archive.source, "note warnings", error.what());
    }
    return score;
}

}  // namespace isogon::cli

#include "run_archive.hpp"

#include <array>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/trace.hpp"
#include "json.hpp"

namespace isogon::cli {

namespace {

using Named = std::vector<std::pair<std::string, double>>;

// Terminations that are kept: the others are no finished runs.
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

/// Of the summary all but the trace, which is an array.
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
        summary.seed = json.at("seed");
        summary.threads = json.at("threads");
        return summary;
    } catch (const Json::exception& error) {
        throw InputError(archive.source, "note summary", error.what());
    }
}

}  // namespace

Archive to_archive(const std::string& method, const KeptFit& fit) {
    Archive archive{.kind = ArchiveKind::Run, .method = method, .options = fit.fitted.options};
    archive.notes["summary"] = summary_text(fit.fitted.summary);
    archive.add("coordinates", fit.fitted.coordinates.view());
    add_trace("trace", fit.fitted.summary.trace, archive);
    archive.add_number("seconds", fit.seconds);
    return archive;
}

KeptFit fit_in(const Archive& archive) {
    KeptFit fit;
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
    archive.add_number("mean_angular_deviation_degrees", score.mean_angular_deviation_degrees);
    archive.add_number("jaccard", score.jaccard);
    archive.add_number("norm_deviation_mean", score.norm_deviation_mean);
    archive.add_number("norm_deviation_max", score.norm_deviation_max);
    archive.add_number("recall", score.recall);
    archive.add_number("trustworthiness", score.trustworthiness);
    archive.add_number("continuity", score.continuity);
    if (score.knn_accuracy) {
        archive.add_number("knn_accuracy", *score.knn_accuracy);
    }
    archive.add_number("threshold", score.threshold);
    archive.add_number("sparsity", score.sparsity);
    archive.add_count("points", score.points);
    archive.add_count("isolated", score.isolated);
    archive.add_count("zero_vectors", score.zero_vectors);
    archive.add_count("rank_rows", static_cast<std::uint64_t>(score.rank_rows));
    archive.add_count("neighbors", static_cast<std::uint64_t>(score.neighbors));
    return archive;
}

Score score_in(const Archive& archive) {
    Score score;
    score.mean_angular_deviation_degrees = archive.number("mean_angular_deviation_degrees");
    score.jaccard = archive.number("jaccard");
    score.norm_deviation_mean = archive.number("norm_deviation_mean");
    score.norm_deviation_max = archive.number("norm_deviation_max");
    score.recall = archive.number("recall");
    score.trustworthiness = archive.number("trustworthiness");
    score.continuity = archive.number("continuity");
    if (archive.has("knn_accuracy")) {
        score.knn_accuracy = archive.number("knn_accuracy");
    }
    score.threshold = archive.number("threshold");
    score.sparsity = archive.number("sparsity");
    score.points = static_cast<Index>(archive.count("points"));
    score.isolated = static_cast<Index>(archive.count("isolated"));
    score.zero_vectors = static_cast<Index>(archive.count("zero_vectors"));
    score.rank_rows = static_cast<Index>(archive.count("rank_rows"));
    score.neighbors = static_cast<int>(archive.count("neighbors"));
    try {
        score.summary.warnings = Json::parse(archive.note("warnings")).get<std::vector<std::string>>();
    } catch (const Json::exception& error) {
        throw InputError(archive.source, "note warnings", error.what());
    }
    return score;
}

}  // namespace isogon::cli

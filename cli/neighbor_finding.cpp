#include "neighbor_finding.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "archive_input.hpp"
#include "failure.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/neighbors/ivf_index.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "output_files.hpp"
#include "quantity.hpp"

namespace isogon::cli {

bool is_archive(const std::string& path) {
    return std::filesystem::path(path).extension() == ".safetensors";
}

namespace {

NeighborSearchOptions search_options(const NeighborFlags& verb) {
    OptionValues values = verb.options->values("neighbors");
    return neighbor_search_option_table().make(values);
}

/// The pairs above as lists of two, the second number's row being the first.
FoundNeighbors find_pairs(const PointsView& points, double cosine, Session& session) {
    FoundNeighbors found;
    found.summary.threads = session.context().thread_count();
    found.options = {{"above", cosine}};
    const PhaseTimer timer(found.summary, "search");
    const CsrMatrix<float> upper = pairs_above(points, cosine, session.context());
    found.lists.size = 2;
    for (Index i = 0; i < upper.rows; ++i) {
        for (Offset at = upper.offsets[i]; at < upper.offsets[i + 1]; ++at) {
            found.lists.indices.push_back(i);
            found.lists.indices.push_back(upper.indices[at]);
            found.lists.distances.push_back(1.0F - upper.values[at]);
        }
    }
    found.summary.message = fmt::format("{} pairs above the cosine {}", upper.entries(), cosine);
    return found;
}

void save_index(const NeighborFlags& verb, const IvfIndex& index, Session& session) {
    if (!verb.save_index.empty()) {
        write_output(session, [&](const WriteOptions& how) { write_archive(verb.save_index, index.archive(), how); });
    }
}

FoundNeighbors search_index(const NeighborFlags& verb, const IvfIndex& index, const PointsView& queries, Index k,
                            Session& session) {
    FoundNeighbors found;
    found.summary.threads = session.context().thread_count();
    found.summary.seed = index.options().seed;
    found.metric = index.options().metric;
    const PhaseTimer timer(found.summary, "search");
    found.lists =
        verb.queries.empty() ? index.neighbors(k, session.context()) : index.search(queries, k, session.context());
    const NeighborIndexFacts& facts = index.facts();
    found.summary.count("exact", 0.0);
    found.summary.count("probes", facts.probes);
    found.summary.count("clusters", facts.clusters);
    found.summary.measure("recall", facts.recall);
    found.summary.message =
        fmt::format("approximate, by an index that found {:.1f}% of the neighbours of a sample", 100.0 * facts.recall);
    return found;
}

Input read_queries(const NeighborFlags& verb, Session& session) {
    return verb.queries.empty() ? Input{} : read_input(verb.queries, verb.reading, Finite::Required, session);
}

}  // namespace

namespace {

/// An option that would change nothing is a mistake.
void refuse_without_effect(const OptionValues& given, const std::vector<std::string>& names, const std::string& why) {
    for (const auto& name : names) {
        if (given.find(name) != given.end()) {
            throw InvalidArgument(name, to_text(given.at(name)), "has no effect here: " + why + "; leave it out");
        }
    }
}

/// Without --queries no rows are read beside those of the index.
void require_reading_of_points(const NeighborFlags& verb) {
    const std::string changed = first_reading_flag(verb.reading);
    if (verb.queries.empty() && !changed.empty()) {
        throw UsageError(
            fmt::format("{} has no effect here: {} is an index, and there are no --queries to read; leave "
                        "it out",
                        changed, verb.inputs.front()));
    }
}

void require_effects(const NeighborFlags& verb, bool from_index) {
    const OptionValues given = verb.options->values("neighbors");
    if (from_index) {
        refuse_without_effect(given, {"metric", "search", "recall", "seed"}, "the index was built with its own");
        require_reading_of_points(verb);
        if (!verb.save_index.empty() || verb.above) {
            throw UsageError("--save-index and --above need points, and " + verb.inputs.front() + " is an index");
        }
    }
    if (!verb.save_index.empty()) {
        refuse_without_effect(given, {"search"}, "with --save-index the index is what searches");
    }
    if (verb.above) {
        refuse_without_effect(given, {"neighbors", "metric", "search", "recall", "seed"},
                              "--above lists all pairs above a cosine");
    }
}

FoundNeighbors search_files(const NeighborFlags& verb, Input& input, Session& session) {
    NeighborSearchOptions options = search_options(verb);
    const bool from_index = verb.inputs.size() == 1 && is_archive(verb.inputs.front());
    require_effects(verb, from_index);
    if (from_index) {
        const IvfIndex index(read_archive_within(verb.inputs.front(), session), session.context());
        options.metric = index.options().metric;
        FoundNeighbors found =
            search_index(verb, index, read_queries(verb, session).points, options.neighbors, session);
        found.options = {{"neighbors", std::int64_t{options.neighbors}}};
        return found;
    }
    const double cosine = verb.above ? parse_cosine("--above", *verb.above) : 0.0;
    input = read_input(verb.inputs, verb.reading, Finite::Required, session);
    if (verb.above) {
        return find_pairs(input.points, cosine, session);
    }
    const Input queries = read_queries(verb, session);
    if (!verb.queries.empty()) {
        require_dimension(verb.queries.front(), queries.points.dimension, input.points.dimension, "the points");
    }
    FoundNeighbors found;
    if (!verb.save_index.empty()) {
        const IvfIndex index(input.points, {options.metric, options.neighbors, options.recall, options.seed},
                             session.context());
        save_index(verb, index, session);
        found = search_index(verb, index, queries.points, options.neighbors, session);
    } else {
        NeighborSearch search = verb.queries.empty()
                                    ? find_neighbors(input.points, options, session.context())
                                    : find_neighbors(queries.points, input.points, options, session.context());
        found = {std::move(search.lists), std::move(search.summary), {}, options.metric};
    }
    found.options = neighbor_search_option_table().values(options);
    return found;
}

}  // namespace

FoundNeighbors find_neighbors(const NeighborFlags& verb, Input& input, Session& session) {
    try {
        return search_files(verb, input, session);
    } catch (const Interruption& interruption) {  // while an index was built or read
        FoundNeighbors found;
        found.summary.threads = session.context().thread_count();
        found.summary.termination = interruption.reason;
        found.summary.message = "ended before all points had their neighbours";
        return found;
    }
}

}  // namespace isogon::cli

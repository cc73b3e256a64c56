#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codes/vector_codes.hpp"
#include "files/input_files.hpp"
#include "files/matrix_files.hpp"
#include "files/output_files.hpp"
#include "io/integer_table.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/ivf_index.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "program/session.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

/// Flags of the verb.
struct NeighborFlags {
    std::vector<std::string> inputs;
    std::vector<std::string> queries;
    std::string output;
    std::string distances;
    std::string save_index;
    std::optional<std::string> above;  ///< a cosine
    InputFlags reading;
    OptionFlags options;
};

/// Result of a search of any kind.
struct FoundNeighbors {
    NeighborLists lists;  ///< or pairs: rows of two
    Summary summary;
    OptionValues options;
    Metric metric = Metric::Cosine;
};

/// Whether the name has the extension of an archive: an index, or a graph with its distances.
bool is_archive(const std::string& path) {
    return std::filesystem::path(path).extension() == ".safetensors";
}

NeighborSearchOptions search_options(const NeighborFlags& verb) {
    OptionValues values = verb.options.values("neighbors");
    return neighbor_search_option_table().make(values);
}

/// Pairs above the cosine, as lists of two: both row numbers.
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

void save_index(const NeighborFlags& verb, const IvfIndex& index, const ColumnNames& columns, Session& session) {
    if (!verb.save_index.empty()) {
        Archive archive = index.archive();
        add_column_names(archive, columns.names);
        write_output(session, [&](const WriteOptions& how) { write_archive(verb.save_index, archive, how); });
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

/// Searches for queries only: codes cannot tell a vector from its own code.
FoundNeighbors search_codes(const VectorCodes& codes, const PointsView& queries, Index k, Session& session) {
    FoundNeighbors found;
    found.summary.threads = session.context().thread_count();
    found.metric = codes.options().metric;
    const PhaseTimer timer(found.summary, "search");
    found.lists = codes.search(queries, k, session.context());
    found.summary.count("exact", 0.0);
    found.summary.message = fmt::format("all codes of {} bytes looked at", codes.code_bytes());
    return found;
}

/// `columns`: of the points among which they are looked for.
Input read_queries(const NeighborFlags& verb, const ColumnNames& columns, Session& session) {
    return verb.queries.empty()
               ? Input{}
               : read_input(verb.queries, with_columns(verb.reading, columns), Finite::Required, session);
}

/// An option without effect is an error.
void refuse_without_effect(const OptionValues& given, const std::vector<std::string>& names, const std::string& why) {
    for (const auto& name : names) {
        if (given.find(name) != given.end()) {
            throw InvalidArgument(name, to_text(given.at(name)), "has no effect here: " + why + "; leave it out");
        }
    }
}

/// Without --queries only the index is read.
void require_reading_of_points(const NeighborFlags& verb) {
    const std::string changed = first_reading_flag(verb.reading);
    if (verb.queries.empty() && !changed.empty()) {
        throw UsageError(
            fmt::format("{} has no effect here: {} holds no points, and there are no --queries to read; leave "
                        "it out",
                        changed, verb.inputs.front()));
    }
}

void require_effects(const NeighborFlags& verb, bool from_archive) {
    const OptionValues given = verb.options.values("neighbors");
    if (from_archive) {
        refuse_without_effect(given, {"metric", "search", "recall", "seed"},
                              verb.inputs.front() + " was built with its own");
        require_reading_of_points(verb);
        if (!verb.save_index.empty() || verb.above) {
            throw UsageError("--save-index and --above need points, and " + verb.inputs.front() +
                             " is an index or holds codes");
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

FoundNeighbors search_archive(const NeighborFlags& verb, Index k, Session& session) {
    const std::string& file = verb.inputs.front();
    const Archive archive = read_archive_within(file, session);
    FoundNeighbors found;
    if (archive.kind == ArchiveKind::Codes) {
        if (verb.queries.empty()) {
            throw UsageError(file + " holds codes: name what to look for with --queries");
        }
        const VectorCodes codes(archive);
        const Input queries = read_queries(verb, columns_of_vectors(archive, codes.dimension()), session);
        require_dimension(verb.queries.front(), queries.points.dimension, codes.dimension(), "the coded vectors");
        found = search_codes(codes, queries.points, k, session);
    } else {
        const IvfIndex index(archive, session.context());
        const Input queries = read_queries(verb, columns_of_vectors(archive, index.dimension()), session);
        found = search_index(verb, index, queries.points, k, session);
    }
    found.options = {{"neighbors", std::int64_t{k}}};
    return found;
}

/// `input` tells the sizes.
FoundNeighbors search_sparse(const NeighborFlags& verb, const NeighborSearchOptions& options, Input& input,
                             Session& session) {
    if (verb.above || !verb.save_index.empty()) {
        throw UsageError("--above and --save-index need dense points, and " + verb.inputs.front() +
                         " is a sparse matrix: isogon convert makes it dense");
    }
    const CsrMatrix<double> points = read_sparse_input(verb.inputs, verb.reading, session);
    input.points = {nullptr, points.rows, points.columns};
    NeighborSearch search = verb.queries.empty()
                                ? find_neighbors(points, options, session.context())
                                : find_neighbors(read_sparse_input(verb.queries, of_all_rows(verb.reading), session),
                                                 points, options, session.context());
    return {std::move(search.lists), std::move(search.summary), neighbor_search_option_table().values(options),
            options.metric};
}

FoundNeighbors search_files(const NeighborFlags& verb, Input& input, Session& session) {
    const NeighborSearchOptions options = search_options(verb);
    const bool from_archive = verb.inputs.size() == 1 && is_archive(verb.inputs.front());
    require_effects(verb, from_archive);
    if (from_archive) {
        return search_archive(verb, options.neighbors, session);
    }
    if (is_sparse_input(verb.inputs, verb.reading)) {
        return search_sparse(verb, options, input, session);
    }
    const double cosine = verb.above ? parse_cosine("--above", *verb.above) : 0.0;
    input = read_input(verb.inputs, verb.reading, Finite::Required, session);
    if (verb.above) {
        return find_pairs(input.points, cosine, session);
    }
    const Input queries = read_queries(verb, input.columns, session);
    if (!verb.queries.empty()) {
        require_dimension(verb.queries.front(), queries.points.dimension, input.points.dimension, "the points");
    }
    FoundNeighbors found;
    if (!verb.save_index.empty()) {
        const IvfIndex index(input.points, {options.metric, options.neighbors, options.recall, options.seed},
                             session.context());
        save_index(verb, index, input.columns, session);
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

/// Reads the inputs and searches them: by all pairs, by an index built or read, or for pairs above a cosine. `input`
/// receives the points, unless they come from an index.
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

void require_flags(const NeighborFlags& verb, Session& session) {
    require_outputs({verb.output, verb.distances, verb.save_index}, all_of({verb.inputs, verb.queries}), session);
    if (is_archive(verb.output)) {
        require_archive_output(verb.output, session);
    } else {
        require_output([&] { require_writable_integers(verb.output, write_options(session)); });
    }
    if (!verb.distances.empty()) {
        require_output([&] { require_writable(verb.distances, write_options(session)); });
    }
    require_archive_output(verb.save_index, session);
    if (verb.above && (!verb.queries.empty() || !verb.save_index.empty() || is_archive(verb.output))) {
        throw UsageError(
            "--above lists pairs of the points as a table: it goes with none of --queries, --save-index "
            "and an output .safetensors");
    }
}

void write_found(const NeighborFlags& verb, const FoundNeighbors& found, Session& session) {
    write_output(session, [&](const WriteOptions& how) {
        if (is_archive(verb.output)) {
            write_archive(verb.output, make_neighbor_graph(found.lists, found.metric), how);
        } else {
            write_integer_table(verb.output, found.lists.indices, found.lists.size, how);
        }
    });
    if (!verb.distances.empty()) {
        const Index columns = verb.above ? 1 : found.lists.size;
        const auto rows = static_cast<Index>(found.lists.distances.size() / columns);
        write_output(session, [&](const WriteOptions& how) {
            write_points(verb.distances, {found.lists.distances.data(), rows, columns}, {}, how);
        });
    }
}

std::string result_text(const NeighborFlags& verb, const FoundNeighbors& found, const Session& session) {
    const std::string what = verb.above ? fmt::format("{} pairs", found.lists.count())
                                        : fmt::format("{} neighbours by {} of each of {} points", found.lists.size,
                                                      name(found.metric), found.lists.count());
    return fmt::format("{}: {}\n{}\n", verb.output, what, found.summary.message) + costs_text(found.summary, session);
}

Json result_json(const NeighborFlags& verb, const Input& input, const FoundNeighbors& found, bool written,
                 const Session& session) {
    Json json{{"verb", "neighbors"},
              {"version", ISOGON_VERSION},
              {"options", to_json(found.options)},
              {"metric", std::string(name(found.metric))},
              {"input", input_json(verb.inputs, verb.reading, input)},
              {"output", written ? Json(verb.output) : Json(nullptr)},
              {"distances", written && !verb.distances.empty() ? Json(verb.distances) : Json(nullptr)},
              {"index", json_or_null(verb.save_index)},
              {"rows", found.lists.count()},
              {"columns", found.lists.size}};
    add_run(json, found.summary, session);
    return json;
}

Outcome run(const NeighborFlags& verb, Session& session) {
    require_flags(verb, session);
    Input input;
    const FoundNeighbors found = find_neighbors(verb, input, session);
    session.end_progress();

    Outcome outcome;
    outcome.code = exit_code(found.summary.termination);
    bool written = false;
    if (outcome.code != ExitCode::Ok) {
        outcome.failure = "stopped; no neighbours were written: " + found.summary.message;
    } else if (found.lists.count() == 0) {
        outcome.code = ExitCode::Unusable;
        outcome.failure = "nothing was written: there is no such pair; lower --above";
    } else {
        write_found(verb, found, session);
        written = true;
        outcome.text = result_text(verb, found, session);
    }
    outcome.warnings = in_flags(found.summary.warnings);
    outcome.json = result_json(verb, input, found, written, session);
    return outcome;
}

}  // namespace

Command add_neighbors(CLI::App& app) {
    const auto verb = std::make_shared<NeighborFlags>();
    app.add_option(
           "X", verb->inputs,
           "Files of points, stacked in their order; or an index that --save-index wrote; or codes of isogon quantize")
        ->required();
    add_value(app, "-o,--output FILE", verb->output,
              "Where the neighbours go, a row a point, nearest first (.npy, .ivecs, .csv, .tsv); .safetensors "
              "takes the distances too")
        ->required();
    add_value(app, "--distances FILE", verb->distances, "Where the distances go, in the same places");
    add_value(app, "--queries FILE", verb->queries,
              "Find the nearest of X for each row of these files, not for those of X");
    add_value(app, "--above COSINE", verb->above,
              "List all pairs whose cosine is above this, a row a pair, not k for each point");
    add_value(app, "--save-index FILE", verb->save_index,
              "Build an index, keep it (.safetensors) and search by it; later runs take it in place of X");
    verb->options.add(app, "verb", {{"neighbors", neighbor_search_option_table().specs()}});
    add_input_flags(app, verb->reading);
    app.footer(
        "A point is not its own neighbour; indices count from 0, in the order of the rows that were read.\n"
        "\n"
        "Examples:\n"
        "  isogon neighbors vectors.npy -k 15 -o near.npy --distances far.npy\n"
        "  isogon neighbors vectors.npy -k 15 -o graph.safetensors --metric euclidean --search exact\n"
        "  isogon neighbors vectors.npy --queries new.npy -k 5 -o near.csv\n"
        "  isogon neighbors vectors.npy --above 0.95 -o pairs.npy\n"
        "  isogon neighbors vectors.npy -k 15 -o near.npy --save-index i.safetensors\n"
        "  isogon neighbors i.safetensors --queries new.npy -k 15 -o near.npy\n"
        "  isogon neighbors codes.safetensors --queries new.npy -k 15 -o near.npy");
    return [verb](Session& session) {
        const bool index = verb->inputs.size() == 1 && is_archive(verb->inputs.front());
        verb->reading.other_files = index ? verb->queries : all_of({verb->inputs, verb->queries});
        return run(*verb, session);
    };
}

}  // namespace isogon::cli

#include "isogon/decomposition/relu_factors.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "archive_input.hpp"
#include "failure.hpp"
#include "isogon/core/rows.hpp"
#include "isogon/decomposition/factor_archive.hpp"
#include "matrix_output.hpp"
#include "output_files.hpp"
#include "quantity.hpp"
#include "selection.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

struct ReconstructVerb {
    std::string model;
    std::string output;
    std::string rows;
    std::string columns;
    bool latent = false;
};

void require_output(const ReconstructVerb& verb, Session& session) {
    require_outputs({verb.output}, {verb.model, verb.rows, verb.columns}, session);
    if (!is_market_name(verb.output)) {
        require_words(verb.output, false);
    }
}

void state_memory(const ReluFactors& factors, Index rows, Index columns, const Session& session) {
    const std::uint64_t block = std::uint64_t{rows_per_block(rows, floats_a_number * columns)} * columns;
    require_memory(session.context(),
                   {{"W and H", 2 * WideVectors::bytes(factors.right.rows, factors.rank())},
                    {"a block of rows", block * floats_a_number * sizeof(float)}},
                   "raise --memory-limit, or take fewer --columns");
}

/// Row block by row block, in the memory of one.
void write_rows(const ReconstructVerb& verb, const ReluFactors& factors, std::span<const Index> rows,
                const Reconstruction& made, Session& session) {
    const auto held = session.while_writing();
    MatrixOutput file(verb.output, static_cast<Index>(rows.size()), made.columns(), session.overwrite());
    const Index block = rows_per_block(static_cast<Index>(rows.size()), floats_a_number * made.columns());
    state_memory(factors, static_cast<Index>(rows.size()), made.columns(), session);
    std::vector<double> values;
    for (std::size_t begin = 0; begin < rows.size(); begin += block) {
        throw_if_cancelled(session.context());
        const auto some = rows.subspan(begin, std::min<std::size_t>(block, rows.size() - begin));
        values.resize(some.size() * made.columns());
        made.rows(some, values);
        file.write(values);
        session.context().report({"rows", begin + some.size(), rows.size(), 0.0});
    }
    file.commit();
}

Outcome run(const ReconstructVerb& verb, Session& session) {
    require_output(verb, session);
    const Archive archive = read_archive_within(verb.model, session);
    const ReluFactors factors = factors_in(archive);
    const auto rows = parse_selection("--rows", verb.rows, factors.left.rows);
    const auto columns =
        verb.columns.empty() ? std::vector<Index>{} : parse_selection("--columns", verb.columns, factors.right.rows);
    const Reconstruction made(factors, columns, verb.latent ? Reconstruct::Latent : Reconstruct::Output,
                              session.context());
    write_rows(verb, factors, rows, made, session);
    session.end_progress();

    Outcome outcome;
    outcome.text = fmt::format("{}: {} x {} of {}, from {} (rank {}), {}, peak memory {}\n", verb.output, rows.size(),
                               made.columns(), verb.latent ? "W H" : "max(0, W H)", verb.model, factors.rank(),
                               human_seconds(session.seconds()), human_bytes(peak_memory_bytes()));
    outcome.json = {{"verb", "reconstruct"},
                    {"version", ISOGON_VERSION},
                    {"model", verb.model},
                    {"latent", verb.latent},
                    {"rank", factors.rank()},
                    {"output", verb.output},
                    {"shape", {{"rows", rows.size()}, {"columns", made.columns()}}},
                    {"seconds", session.seconds()},
                    {"peak_memory_bytes", peak_memory_bytes()}};
    return outcome;
}

}  // namespace

Command add_reconstruct(CLI::App& app) {
    const auto verb = std::make_shared<ReconstructVerb>();
    app.add_option("MODEL", verb->model, "What isogon decompose has written")->required();
    app.add_option(
           "-o,--output", verb->output,
           "Where the rows go: .npy, .csv or another format of points (float32), or .mtx without the zeros (float64)")
        ->required()
        ->type_name("FILE");
    app.add_option("--rows", verb->rows,
                   "Which rows: 0:100 (the last not included), 3,1,4, or a file of numbers; default all")
        ->type_name("ROWS");
    app.add_option("--columns", verb->columns, "Which columns, likewise")->type_name("COLUMNS");
    app.add_flag("--latent", verb->latent, "W H itself, its negative numbers too");
    app.footer(
        "Rows are made and written block by block: memory does not grow with their number.\n"
        "\n"
        "Examples:\n"
        "  isogon decompose counts.mtx -o model.safetensors --rank 32\n"
        "  isogon reconstruct model.safetensors -o first.npy --rows 0:100\n"
        "  isogon reconstruct model.safetensors -o some.mtx --rows users.npy --columns 7,12");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli

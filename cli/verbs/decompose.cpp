#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>

#include "decomposition/decompose.hpp"
#include "files/input_files.hpp"
#include "files/matrix_files.hpp"
#include "files/output_files.hpp"
#include "io/npz_file.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/io/output.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

/// Writes factors as a layer of rectified units (Saul 2022, figure 1) for numpy.load: `weights` (m, r), one row a unit;
/// `bias` (m), zeros; `hidden` (n, r), one row for each column of S. maximum(0, hidden @ weights.T + bias) is S^T.
/// Throws OutputError, InvalidArgument as factor_array() does.
void write_layer(const std::string& path, const ReluFactors& factors, FactorPrecision precision,
                 const WriteOptions& options) {
    Array bias = factor_array(MultiVector<double>(factors.left.rows(), 1), precision, "bias");
    bias.shape = {factors.left.rows()};
    write_npz(path,
              {{"weights", factor_array(factors.left, precision, "W")},
               {"bias", std::move(bias)},
               {"hidden", factor_array(factors.right, precision, "H")}},
              options);
}

struct Decompose {
    std::string input;
    std::string output;
    std::string format;
    std::string observed;
    std::string start;
    std::string precision = "float64";
    std::string layer;
    OptionFlags options;
};

/// Inputs of the verb.
struct DecomposeInput {
    CsrMatrix<double> s;
    std::optional<CsrMatrix<double>> observed;
    std::optional<ReluFactors> start;
};

FactorPrecision precision_of(const Decompose& verb) {
    return parse_choice("--precision", verb.precision, {"float32", "float64"}) == "float32" ? FactorPrecision::Float32
                                                                                            : FactorPrecision::Float64;
}

void require_files(const Decompose& verb, Session& session) {
    require_outputs({verb.output, verb.layer}, {verb.input, verb.observed, verb.start}, session);
    require_archive_output(verb.output, session);
    if (!verb.layer.empty()) {
        require_output([&] { require_writable_npz(verb.layer, write_options(session)); });
    }
}

void require_shape(const CsrMatrix<double>& s, const std::string& file, std::uint64_t rows, std::uint64_t columns) {
    if (rows != s.rows || columns != s.columns) {
        throw InputError(file, "",
                         fmt::format("is {} x {}, but the matrix is {} x {}", rows, columns, s.rows, s.columns));
    }
}

DecomposeInput read_input(const Decompose& verb, Session& session) {
    DecomposeInput input{read_matrix_within({verb.input, verb.format}, session), {}, {}};
    require_nonnegative(input.s, verb.input);
    require_precision(input.s, precision_of(verb));
    if (!verb.observed.empty()) {
        input.observed = read_matrix_within({verb.observed, ""}, session);
        require_shape(input.s, verb.observed, input.observed->rows, input.observed->columns);
    }
    if (!verb.start.empty()) {
        input.start = factors_in(read_archive_within(verb.start, session));
        require_shape(input.s, verb.start, input.start->left.rows(), input.start->right.rows());
    }
    return input;
}

/// Without --rank, the rank is that of the start.
DecomposeOptions options_of(const Decompose& verb, const DecomposeInput& input, const OptionValues& given) {
    DecomposeOptions options = decompose_option_table().make(given);
    if (input.start && !given.contains("rank")) {
        options.rank = static_cast<int>(input.start->rank());
    }
    if (input.start && given.contains("start")) {
        throw UsageError("--start goes without --start-from " + verb.start + ", which is the start");
    }
    return options;
}

std::string result_text(const Decompose& verb, const DecomposeInput& input, const Decomposition& result,
                        const Session& session) {
    const Summary& summary = result.summary;
    const double all = static_cast<double>(input.s.rows) * input.s.columns;
    std::string text = fmt::format("{}: {} x {} of rank {}, from {}, {} entries above 0 ({:.3g}%)\n", verb.output,
                                   input.s.rows, input.s.columns, result.factors.rank(), verb.input, input.s.entries(),
                                   100.0 * static_cast<double>(input.s.entries()) / all);
    text += verb.layer.empty() ? "" : fmt::format("{}: the same as a layer of rectified units\n", verb.layer);
    text += fmt::format("{}\n{}{}, {} threads, seed {}, peak memory {}\n", summary.message,
                        human_seconds(session.seconds()), phases_text(summary), summary.threads, summary.seed,
                        human_bytes(peak_memory_bytes()));
    return text + number_lines(summary.counts) + number_lines(summary.measures);
}

Json result_json(const Decompose& verb, const DecomposeInput& input, const DecomposeOptions& options,
                 const Decomposition& result, bool written) {
    Json json{{"verb", "decompose"},
              {"version", ISOGON_VERSION},
              {"options", to_json(decompose_option_table().values(options))},
              {"input", matrix_json(verb.input, input.s)},
              {"observed", input.observed ? matrix_json(verb.observed, *input.observed) : Json(nullptr)},
              {"start_from", json_or_null(verb.start)},
              {"precision", verb.precision},
              {"output", written ? Json(verb.output) : Json(nullptr)},
              {"export", written && !verb.layer.empty() ? Json(verb.layer) : Json(nullptr)}};
    add_summary(json, result.summary);
    json["output_residuals"] = result.output_residuals;
    return json;
}

void write(const Decompose& verb, const Decomposition& result, const DecomposeOptions& options, Session& session) {
    const FactorPrecision precision = precision_of(verb);
    const Archive archive = factor_archive(result, options, precision);
    write_output(session, [&](const WriteOptions& how) { write_archive(verb.output, archive, how); });
    if (!verb.layer.empty()) {
        write_output(session,
                     [&](const WriteOptions& how) { write_layer(verb.layer, result.factors, precision, how); });
    }
}

Outcome run(const Decompose& verb, Session& session) {
    const OptionValues given = verb.options.values("decompose");
    static_cast<void>(precision_of(verb));
    require_files(verb, session);
    const DecomposeInput input = read_input(verb, session);
    const DecomposeOptions options = options_of(verb, input, given);
    const Decomposition result = decompose(input.s, input.observed ? &*input.observed : nullptr, options,
                                           input.start ? &*input.start : nullptr, session.context());
    session.end_progress();

    Outcome outcome;
    const bool any = result.factors.left.rows() != 0;
    const bool written = any && result.summary.usable();
    if (written) {
        write(verb, result, options, session);
        outcome.written = verb.output;
        outcome.text = result_text(verb, input, result, session);
    }
    set_end(outcome, result.summary, any);
    outcome.json = result_json(verb, input, options, result, written);
    add_costs(outcome.json, session);
    return outcome;
}

}  // namespace

Command add_decompose(CLI::App& app) {
    const auto verb = std::make_shared<Decompose>();
    app.add_option("S", verb->input, "A matrix without negative numbers: .mtx, scipy's .npz, .npy, .csv, also .gz")
        ->required();
    add_value(app, "-o,--output FILE", verb->output, "Where W and H go (.safetensors)")->required();
    verb->options.add(app, "verb", {{"decompose", decompose_option_table().specs()}});
    add_value(app, "--start-from FILE", verb->start, "W and H to start from, as decompose writes them");
    add_value(app, "--observed FILE", verb->observed,
              "A matrix of the same shape, other than zero wherever S is known; S is completed elsewhere");
    add_value(app, "--precision float32|float64", verb->precision, "Of W and H in the files (default float64)");
    add_value(app, "--export FILE", verb->layer, "W and H as a layer of rectified units, for numpy.load (.npz)");
    add_matrix_flags(app, verb->format);
    app.footer(
        "Examples:\n"
        "  isogon decompose counts.mtx.gz -o model.safetensors --rank 32\n"
        "  isogon decompose ratings.npz --observed known.npz -o model.safetensors --rank 8\n"
        "  isogon decompose counts.npz -o more.safetensors --start-from model.safetensors --algorithm 3b\n"
        "  isogon reconstruct model.safetensors -o again.npy --rows 0:100\n"
        "\n"
        "Ctrl-C stops and writes the best W and H so far (exit code 130); a second one stops at once.");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli

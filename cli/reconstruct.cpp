#include "isogon/decomposition/reconstruction.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "archive_input.hpp"
#include "failure.hpp"
#include "isogon/core/rows.hpp"
#include "isogon/decomposition/factor_archive.hpp"
#include "isogon/io/matrix_writer.hpp"
#include "isogon/io/point_writer.hpp"
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

bool is_sparse(const std::string& path) {
    return std::filesystem::path(path).extension() == ".mtx";
}

/// Where rows go: Matrix Market with all digits and without zeros, or a format of points in float32.
class ReconstructionFile {
public:
    ReconstructionFile(const std::string& path, Index rows, Index columns, bool overwrite)
        : path_(path), columns_(columns) {
        const WriteOptions options{.format = {}, .overwrite = overwrite};
        if (is_sparse(path)) {
            sparse_.emplace(path, rows, columns, options);
        } else {
            dense_.emplace(path, PointsShape{.count = rows, .dimension = columns}, options);
        }
    }

    void write(std::span<const double> values) {
        if (sparse_) {
            for (std::size_t begin = 0; begin < values.size(); begin += columns_) {
                sparse_->write_row(values.subspan(begin, columns_));
            }
            return;
        }
        floats_.resize(values.size());
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (std::abs(values[k]) > std::numeric_limits<float>::max()) {
                throw OutputError(path_,
                                  fmt::format("a value of {} is beyond the range of float32; write .mtx", values[k]));
            }
            floats_[k] = static_cast<float>(values[k]);
        }
        dense_->write(PointsView(floats_.data(), static_cast<Index>(values.size() / columns_), columns_));
    }

    void commit() { sparse_ ? sparse_->commit() : dense_->commit(); }

private:
    std::string path_;
    Index columns_;
    std::optional<MatrixWriter> sparse_;
    std::optional<PointWriter> dense_;
    std::vector<float> floats_;
};

void require_output(const ReconstructVerb& verb, const Session& session) {
    require_outputs({verb.output}, session);
    if (!is_sparse(verb.output)) {
        require_words(verb.output, false);
    }
}

/// Doubles, and as many floats beside them.
constexpr std::uint64_t floats_a_number = 3;

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
    ReconstructionFile file(verb.output, static_cast<Index>(rows.size()), made.columns(), session.overwrite());
    const Index block = rows_per_block(static_cast<Index>(rows.size()), floats_a_number * made.columns());
    state_memory(factors, static_cast<Index>(rows.size()), made.columns(), session);
    std::vector<double> values;
    for (std::size_t begin = 0; begin < rows.size(); begin += block) {
        stop_if_asked(session.context());
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
        "  isogon reconstruct model.safetensors -o some.mtx --rows users.npy --columns 7,12\n"
        "\n"
        "Exit codes: 0 done, 1 not written, 2 usage, 3 bad model, 5 over a limit, 130 interrupted.");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli

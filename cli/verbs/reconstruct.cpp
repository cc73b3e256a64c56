#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <filesystem>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "decomposition/decompose.hpp"
#include "decomposition/relu_factors.hpp"
#include "files/input_files.hpp"
#include "files/matrix_files.hpp"
#include "files/output_files.hpp"
#include "io/integer_table.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

bool consists_of(std::string_view text, std::string_view characters) {
    return text.find_first_not_of(characters) == std::string_view::npos;
}

/// Digits as a number of at most `most`.
Index number(const std::string& flag, const std::string& text, std::string_view digits, Index most) {
    Index value = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || parsed.ec != std::errc{} || value > most) {
        throw InvalidArgument(flag, text, fmt::format("{} must be a number of at most {}", digits, most));
    }
    return value;
}

std::vector<Index> range(const std::string& flag, const std::string& text, Index count) {
    const std::string_view all = text;
    const std::size_t colon = all.find(':');
    const Index first = colon == 0 ? 0 : number(flag, text, all.substr(0, colon), count);
    const Index end = colon + 1 == all.size() ? count : number(flag, text, all.substr(colon + 1), count);
    if (first >= end) {
        throw InvalidArgument(flag, text, fmt::format("picks nothing of {}; first:end, end not included", count));
    }
    std::vector<Index> picked(end - first);
    std::iota(picked.begin(), picked.end(), first);
    return picked;
}

std::vector<Index> list(const std::string& flag, const std::string& text, Index count) {
    std::vector<Index> picked;
    std::string_view left = text;
    while (true) {
        const std::size_t end = left.find(',');
        picked.push_back(number(flag, text, left.substr(0, end), count - 1));
        if (end == std::string_view::npos) {
            return picked;
        }
        left.remove_prefix(end + 1);
    }
}

/// Rejects invalid numbers that are not the name of a file: "-1", "1-5", "3.5".
void require_no_numbers(const std::string& flag, const std::string& text, Index count) {
    std::error_code ignored;
    if (consists_of(text, "0123456789:,.+- ") && !std::filesystem::exists(text, ignored)) {
        throw InvalidArgument(flag, text,
                              fmt::format("must be numbers from 0 to {}, as 3,1,4, or first:end, as 0:100, end not "
                                          "included, or the name of a file of numbers",
                                          count - 1));
    }
}

std::vector<Index> from_file(const std::string& path, Index count) {
    std::vector<Index> picked;
    for (const std::int64_t value : read_integer_table(path).values) {
        if (value < 0 || value >= count) {
            throw InputError(path, fmt::format("number {}", picked.size()),
                             fmt::format("{} does not exist; they are counted from 0, below {}", value, count));
        }
        picked.push_back(static_cast<Index>(value));
    }
    return picked;
}

/// The rows that "--rows 0:100" selects of `count`: all for an empty text; first:end as a slice in Python, either may
/// be omitted; a list of numbers, "3,1,4"; else a file of integers (.npy, .csv, ...). Throws InvalidArgument naming
/// `flag` for an empty or too large selection, InputError for the file.
std::vector<Index> parse_selection(const std::string& flag, const std::string& text, Index count) {
    if (text.empty() || (consists_of(text, "0123456789:") && text.find(':') == text.rfind(':') &&
                         text.find(':') != std::string::npos)) {
        return range(flag, text.empty() ? ":" : text, count);
    }
    if (consists_of(text, "0123456789,")) {
        return list(flag, text, count);
    }
    require_no_numbers(flag, text, count);
    return from_file(text, count);
}

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
                   {{"W and H", 2 * MultiVector<double>::bytes(factors.right.rows(), factors.rank())},
                    {"a block of rows", block * floats_a_number * sizeof(float)}},
                   "raise --memory-limit, or take fewer --columns");
}

/// Writes block by block, in the memory of one block.
void write_rows(const ReconstructVerb& verb, const ReluFactors& factors, std::span<const Index> rows,
                const Reconstruction& made, Session& session) {
    const auto held = session.while_writing();
    MatrixOutput file(verb.output, static_cast<Index>(rows.size()), made.columns(), write_options(session));
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
    const auto rows = parse_selection("--rows", verb.rows, factors.left.rows());
    const auto columns =
        verb.columns.empty() ? std::vector<Index>{} : parse_selection("--columns", verb.columns, factors.right.rows());
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
                    {"shape", {{"rows", rows.size()}, {"columns", made.columns()}}}};
    add_costs(outcome.json, session);
    return outcome;
}

}  // namespace

Command add_reconstruct(CLI::App& app) {
    const auto verb = std::make_shared<ReconstructVerb>();
    app.add_option("MODEL", verb->model, "What isogon decompose has written")->required();
    add_value(
        app, "-o,--output FILE", verb->output,
        "Where the rows go: .npy, .csv or another format of points (float32), or .mtx without the zeros (float64)")
        ->required();
    add_value(app, "--rows ROWS", verb->rows,
              "Which rows: 0:100 (the last not included), 3,1,4, or a file of numbers; default all");
    add_value(app, "--columns COLUMNS", verb->columns, "Which columns, likewise");
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

#include "matrix_conversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "failure.hpp"
#include "matrix_input.hpp"
#include "matrix_output.hpp"
#include "output_files.hpp"
#include "quantity.hpp"

namespace isogon::cli {

namespace {

void require_no_point_flags(const std::vector<std::string>& inputs, const InputFlags& flags) {
    if (inputs.size() != 1) {
        throw UsageError(inputs[1] + ": only files of points are stacked; a matrix is read from one file");
    }
    const InputFlags none;
    for (const auto& [name, given, otherwise] : {std::tuple("--header", &flags.header, &none.header),
                                                 {"--label-column", &flags.label_column, &none.label_column},
                                                 {"--word-column", &flags.word_column, &none.word_column},
                                                 {"--every", &flags.every, &none.every},
                                                 {"--from", &flags.from, &none.from}}) {
        if (*given != *otherwise) {
            throw UsageError(fmt::format("{} {}: goes with points; a matrix is copied whole, without labels or words",
                                         name, *given));
        }
    }
}

std::string format_name(const std::string& output) {
    if (!is_matrix_name(output)) {
        return std::string(name(output_format(output)));
    }
    return std::filesystem::path(output).extension() == ".npz" ? "npz" : "mtx";
}

/// What float32 has no digits for is said, not dropped in silence.
std::vector<std::string> losses(const CsrMatrix<double>& matrix, const std::string& output) {
    const auto rounded = std::ranges::count_if(
        matrix.values, [](double value) { return static_cast<double>(static_cast<float>(value)) != value; });
    if (is_matrix_name(output) || rounded == 0) {
        return {};
    }
    return {
        fmt::format("{} of {} entries are rounded to float32, which is what {} files hold here; .mtx and .npz keep "
                    "all digits",
                    rounded, matrix.entries(), format_name(output))};
}

}  // namespace

bool is_matrix_conversion(const std::vector<std::string>& inputs, const std::string& output, const InputFlags& flags) {
    if (flags.format == "mtx" || flags.format == "npz" || is_matrix_name(output)) {
        return true;
    }
    return flags.format.empty() &&
           std::ranges::any_of(inputs, [](const std::string& input) { return is_matrix_file(input); });
}

Outcome convert_matrix(const std::vector<std::string>& inputs, const std::string& output, const InputFlags& flags,
                       Session& session) {
    require_no_point_flags(inputs, flags);
    if (!is_matrix_name(output)) {
        require_words(output, false);
    }
    require_outputs({output}, inputs, session);
    const CsrMatrix<double> matrix = read_matrix_within({inputs.front(), flags.format}, session);
    throw_if_cancelled(session.context());
    write_matrix_file(output, matrix, session);
    session.end_progress();

    Outcome outcome;
    outcome.warnings = losses(matrix, output);
    outcome.text = fmt::format("{}: {} x {}, {} entries other than 0, {}\n", output, matrix.rows, matrix.columns,
                               matrix.entries(), human_seconds(session.seconds()));
    outcome.json = {{"verb", "convert"},
                    {"version", ISOGON_VERSION},
                    {"input", matrix_json(inputs.front(), matrix)},
                    {"output", output},
                    {"format", format_name(output)},
                    {"shape", {{"rows", matrix.rows}, {"columns", matrix.columns}}},
                    {"warnings", outcome.warnings},
                    {"seconds", session.seconds()},
                    {"peak_memory_bytes", peak_memory_bytes()}};
    return outcome;
}

}  // namespace isogon::cli

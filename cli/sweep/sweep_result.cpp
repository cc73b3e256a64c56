#include "sweep/sweep_result.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

#include "io/label_numbers.hpp"
#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "program/command_line.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "quality/known_truth.hpp"

namespace isogon::cli {

namespace {

constexpr const char* by_error = "error";
constexpr const char* by_neighbor = "knn";

void require_unused(bool given, const char* flag, const char* criterion) {
    if (given) {
        throw UsageError(fmt::format("{} goes with --criterion {}", flag, criterion));
    }
}

}  // namespace

void add_criterion_flags(CLI::App& app, CriterionFlags& flags) {
    const FlagGroup group(app, "Criterion");
    add_value(app, "--criterion error|knn", flags.criterion,
              "error (default): distance from a truth, or from the exact fit, after the best alignment; knn: share "
              "of wrong labels by the nearest neighbour in the coordinates. Less is better");
    add_value(app, "--truth FILE", flags.truth,
              "Of error: true coordinates, one row for each input row that is taken; without it fits on landmarks "
              "are compared with exact ones");
    add_value(app, "--labels FILE", flags.labels,
              "Of knn: class numbers of the inputs, where these do not hold them. Once for each file, in order")
        ->allow_extra_args(false);
    add_value(app, "--test FILE", flags.test,
              "Of knn: points to classify by the fitted ones; without it each fitted point by all others")
        ->allow_extra_args(false);
    add_value(app, "--test-labels FILE", flags.test_labels,
              "Class numbers of the test points, where these do not hold them")
        ->allow_extra_args(false);
}

void Criterion::require_flags(const CriterionFlags& flags, bool landmarks) {
    if (parse_choice("--criterion", flags.criterion, {by_error, by_neighbor}) == by_neighbor) {
        require_unused(!flags.truth.empty(), "--truth", by_error);
        if (flags.test.empty() && !flags.test_labels.empty()) {
            throw UsageError("--test-labels goes with --test");
        }
        return;
    }
    require_unused(!flags.labels.empty(), "--labels", by_neighbor);
    require_unused(!flags.test.empty(), "--test", by_neighbor);
    require_unused(!flags.test_labels.empty(), "--test-labels", by_neighbor);
    if (flags.truth.empty() && !landmarks) {
        throw UsageError(
            "--criterion error needs something to compare with: --truth FILE, or --landmarks, whose fits are compared "
            "with exact ones");
    }
}

Criterion::Criterion(const CriterionFlags& flags, const InputFlags& reading, const Input& input, Session& session)
    : by_labels_(flags.criterion == by_neighbor), wants_exact_(!by_labels_ && flags.truth.empty()), input_(input) {
    if (by_labels_) {
        read_labels_and_test(flags, reading, session);
    } else if (wants_exact_) {
        title_ = "error against the exact fit";
    } else {
        title_ = "error against " + flags.truth;
        truth_ = read_input({flags.truth}, {}, Finite::Required, session);
        static_cast<void>(align(truth_.points, truth_.points));  // refuses one that nothing could be compared with
        if (truth_.points.count != input.points.count) {
            throw InputError(flags.truth, "",
                             fmt::format("{} rows, where {} input rows are taken; there must be one for each",
                                         truth_.points.count, input.points.count));
        }
    }
}

void Criterion::read_labels_and_test(const CriterionFlags& flags, const InputFlags& reading, Session& session) {
    const Labels labels = read_picked_labels(flags.labels, reading, input_);
    labels_ = labels.values;
    if (labels_.empty()) {
        throw UsageError("--criterion knn needs labels, which the input has not; give --labels FILE");
    }
    title_ = "1-nn error, each point left out in turn";
    if (flags.test.empty()) {
        return;
    }
    title_ = "1-nn error of the test points";
    const InputFlags whole = with_columns(of_all_rows(reading), input_.columns);
    test_ = read_input(flags.test, whole, Finite::Required, session);
    require_dimension(flags.test.front(), test_.points.dimension, input_.points.dimension, "the inputs");
    const Labels tested = read_picked_labels(flags.test_labels, whole, test_);
    // Names count by their first appearance, which differs from file to file.
    LabelNumbers both;
    both.add(labels.values, labels.names);
    both.add(tested.values, tested.names);
    const auto end_of_fitted = both.labels().begin() + static_cast<std::ptrdiff_t>(labels.values.size());
    labels_.assign(both.labels().begin(), end_of_fitted);
    test_labels_.assign(end_of_fitted, both.labels().end());
    if (test_labels_.empty()) {
        throw UsageError("--test needs labels, which the test points have not; give --test-labels FILE");
    }
}

double Criterion::evaluate(const std::string& method, const SweepFit& fit, const RunContext& context) const {
    const PointsView fitted = fit.fitted.coordinates.view();
    if (!by_labels_) {
        return align(fitted, wants_exact_ ? fit.exact->coordinates.view() : truth_.points, context).error;
    }
    if (test_.points.empty()) {
        return nearest_label_error(fitted, labels_, context);
    }
    const Transformer transformer(make_model(method, input_.points, fit.fitted), context);
    const Transformed placed = transformer.transform(test_.points, context);
    if (placed.coordinates.count() != test_.points.count) {
        throw Interruption{placed.summary.termination};
    }
    return nearest_label_error(fitted, labels_, placed.coordinates.view(), test_labels_, context);
}

namespace {

using Cells = std::vector<std::string>;

std::string note_of(const SweepRow& row) {
    if (!row.refused.empty()) {
        return in_flags(row.refused);
    }
    return row.summary.termination == Termination::Converged ? "" : std::string(name(row.summary.termination));
}

Cells header(const SweepReport& report) {
    Cells cells = report.axes;
    cells.push_back(report.criterion);
    cells.emplace_back("seconds");
    if (report.with_exact) {
        cells.emplace_back("exact-seconds");
    }
    return cells;
}

/// Numbers of a row as texts: `short_ones` for people.
Cells cells_of(const SweepReport& report, std::size_t number, bool short_ones) {
    const SweepRow& row = report.sweep.rows[number];
    Cells cells;
    for (const auto& axis : report.axes) {
        cells.push_back(to_text(row.values.at(axis)));
    }
    const auto text = [&](bool known, double value, const char* spec) {
        if (!known) {
            cells.emplace_back(short_ones ? "-" : "");
        } else {
            cells.push_back(short_ones ? fmt::format(fmt::runtime(spec), value) : to_text(value));
        }
    };
    const auto& score = report.scores[number];
    text(score.has_value(), score.value_or(0.0), "{:.6f}");
    text(row.refused.empty(), row.seconds, "{:.3f}");
    if (report.with_exact) {
        text(row.refused.empty(), row.exact_seconds, "{:.3f}");
    }
    return cells;
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        result += c == '"' ? "\"\"" : std::string(1, c);
    }
    return result + '"';
}

std::string joined(const Cells& cells) {
    std::string line;
    for (const auto& cell : cells) {
        line.append(cell).append(",");
    }
    return line;
}

}  // namespace

std::optional<std::size_t> SweepReport::best() const {
    std::optional<std::size_t> place;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        if (scores[i] && (!place || *scores[i] < *scores[*place])) {
            place = i;
        }
    }
    return place;
}

std::vector<Text> SweepReport::warnings() const {
    std::vector<Text> different;
    for (const auto& row : sweep.rows) {
        for (const auto& warning : row.summary.warnings) {
            if (std::find(different.begin(), different.end(), warning) == different.end()) {
                different.push_back(warning);
            }
        }
    }
    return different;
}

std::string table_text(const SweepReport& report) {
    std::vector<Cells> table{header(report)};
    for (std::size_t i = 0; i < report.sweep.rows.size(); ++i) {
        table.push_back(cells_of(report, i, true));
    }
    const std::vector<std::string> lines = aligned(table, " ");
    std::string text = "  " + lines.front() + "\n";
    for (std::size_t i = 0; i < report.sweep.rows.size(); ++i) {
        const std::string note = note_of(report.sweep.rows[i]);
        text.append(report.best() == i ? "* " : "  ").append(lines[i + 1]);
        text.append(note.empty() ? "" : "  ").append(note).append("\n");
    }
    return text;
}

std::string csv_text(const SweepReport& report) {
    std::string text = joined(header(report)) + "note\n";
    for (std::size_t i = 0; i < report.sweep.rows.size(); ++i) {
        const std::string note = note_of(report.sweep.rows[i]);
        text += joined(cells_of(report, i, false)) + (note.empty() ? "" : quoted(note)) + '\n';
    }
    return text;
}

Json rows_json(const SweepReport& report) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < report.sweep.rows.size(); ++i) {
        const SweepRow& row = report.sweep.rows[i];
        const bool fitted = row.refused.empty();
        Json json{{"options", to_json(row.values)},
                  {report.criterion, report.scores[i] ? Json(*report.scores[i]) : Json(nullptr)},
                  {"seconds", fitted ? Json(row.seconds) : Json(nullptr)}};
        if (report.with_exact) {
            json["exact_seconds"] = fitted ? Json(row.exact_seconds) : Json(nullptr);
        }
        json["refused"] = fitted ? Json(nullptr) : Json(in_flags(row.refused));
        json["best"] = report.best() == i;
        json["termination"] = fitted ? Json(std::string(name(row.summary.termination))) : Json(nullptr);
        json["counts"] = to_json(row.summary.counts);
        json["measures"] = to_json(row.summary.measures);
        rows.push_back(std::move(json));
    }
    return rows;
}

}  // namespace isogon::cli

#include "reproduce/figure_context.hpp"

#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "isogon/core/error.hpp"
#include "program/failure.hpp"

namespace isogon::cli {

Chart chart_of(const CurveLabels& labels, const std::vector<Curve>& curves) {
    Chart chart{labels.title, labels.x, labels.y, {}, labels.note};
    for (const auto& curve : curves) {
        ChartSeries series{curve.name, curve.role, {}};
        for (const auto& [x, y] : curve.values) {
            series.points.push_back({x, y});
        }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

ChartTable table_of(const CurveLabels& labels, const std::vector<Curve>& curves) {
    ChartTable table{labels.title + " (" + labels.y.label + ")", {labels.x.label}, {}, labels.note};
    std::set<double> places;
    for (const auto& curve : curves) {
        table.columns.push_back(curve.name);
        for (const auto& [x, y] : curve.values) {
            places.insert(x);
        }
    }
    for (const double x : places) {
        std::vector<ChartCell> row{x};
        for (const auto& curve : curves) {
            const auto found = curve.values.find(x);
            row.push_back(cell_of(found == curve.values.end() ? std::nullopt : std::optional(found->second)));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

void add_curves(std::vector<Chart>& charts, std::vector<ChartTable>& tables, const CurveLabels& labels,
                const std::vector<Curve>& curves) {
    charts.push_back(chart_of(labels, curves));
    tables.push_back(table_of(labels, curves));
}

using data_files::testing;
using data_files::training;

std::string FigureContext::file(const std::string& name) const {
    return (data_ / name).string();
}

void FigureContext::require(const std::string& figure, const std::vector<std::string>& files) const {
    std::string missing;
    for (const auto& name : files) {
        std::error_code ignored;
        if (data_.empty() || !std::filesystem::is_regular_file(data_ / name, ignored)) {
            missing += (missing.empty() ? "" : ", ") + (data_ / name).string();
        }
    }
    if (!missing.empty() && data_.empty()) {
        throw UsageError(figure + " needs " + missing + "; name the folder that holds them with --data");
    }
    if (!missing.empty()) {
        throw UsageError(missing + ": not there, where " + figure +
                         " needs it; docs/data.md says where the public gets data");
    }
}

Input FigureContext::labelled(const std::vector<std::string>& points, const std::vector<std::string>& labels,
                              std::int64_t every, std::int64_t from) {
    InputFlags flags;
    flags.every = std::to_string(every);
    flags.from = std::to_string(from);
    std::vector<std::string> files;
    files.reserve(points.size());
    for (const auto& name : points) {
        files.push_back(file(name));
    }
    Input input = read_input(files, flags, Finite::Required, session_);
    files.clear();
    for (const auto& name : labels) {
        files.push_back(file(name));
    }
    if (!files.empty()) {
        input.labels = read_picked_labels(files, flags, input);
    }
    return input;
}

Input FigureContext::digits(std::int64_t every, std::int64_t from) {
    return labelled({training[0], testing[0]}, {training[1], testing[1]}, every, from);
}

Input FigureContext::training_digits(std::int64_t every) {
    return labelled({training[0]}, {training[1]}, every);
}

Input FigureContext::test_digits(std::int64_t every) {
    return labelled({testing[0]}, {testing[1]}, every);
}

Input FigureContext::words() {
    return read_input({file(data_files::words.front())}, {}, Finite::Required, session_);
}

CachedFit required_fit(CachedRuns& runs, const FitRequest& wanted) {
    CachedFit fit = runs.fit(wanted);
    if (!fit.refused.empty()) {
        throw InputError(wanted.method, "", fit.refused);
    }
    return fit;
}

std::string with_commas(std::uint64_t number) {
    const std::string digits = std::to_string(number);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        text.append(i > 0 && (digits.size() - i) % 3 == 0 ? "," : "").push_back(digits[i]);
    }
    return text;
}

}  // namespace isogon::cli

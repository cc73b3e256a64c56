#include "sweep/sweep_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace isogon::cli {

namespace {

using Cells = std::vector<std::string>;

std::string note_of(const SweepRow& row) {
    if (!row.refused.empty()) {
        return row.refused;
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

std::vector<std::string> SweepReport::warnings() const {
    std::vector<std::string> different;
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
    std::vector<std::size_t> widths(table.front().size());
    for (const auto& cells : table) {
        for (std::size_t k = 0; k < cells.size(); ++k) {
            widths[k] = std::max(widths[k], cells[k].size());
        }
    }
    const auto best = report.best();
    std::string text;
    for (std::size_t r = 0; r < table.size(); ++r) {
        std::string line = best && r == *best + 1 ? "*" : " ";
        for (std::size_t k = 0; k < widths.size(); ++k) {
            line += fmt::format(" {:>{}}", table[r][k], widths[k]);
        }
        const std::string note = r == 0 ? "" : note_of(report.sweep.rows[r - 1]);
        line.append(note.empty() ? "" : "  ").append(note);
        text.append(line).append("\n");
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
        json["refused"] = fitted ? Json(nullptr) : Json(row.refused);
        json["best"] = report.best() == i;
        json["termination"] = fitted ? Json(std::string(name(row.summary.termination))) : Json(nullptr);
        json["counts"] = to_json(row.summary.counts);
        json["measures"] = to_json(row.summary.measures);
        rows.push_back(std::move(json));
    }
    return rows;
}

}  // namespace isogon::cli

#include "figure_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "../quantity.hpp"

namespace isogon::cli {

namespace {

std::string cell_text(const ChartCell& cell) {
    constexpr double most_digits = 1e9;
    if (const auto* number = std::get_if<double>(&cell)) {
        const bool whole = std::floor(*number) == *number && std::abs(*number) < most_digits;
        return whole ? fmt::format("{:.0f}", *number) : fmt::format("{:.4g}", *number);
    }
    const auto* text = std::get_if<std::string>(&cell);
    return text == nullptr ? "-" : *text;
}

/// As Markdown has tables, so that what is printed can be kept.
std::string table_text(const ChartTable& table) {
    std::string text = fmt::format("\n{}\n\n|", table.title);
    for (const auto& column : table.columns) {
        text += fmt::format(" {} |", column);
    }
    text += "\n|";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        text += "---|";
    }
    text += "\n";
    for (const auto& row : table.rows) {
        text += "|";
        for (const auto& cell : row) {
            text += fmt::format(" {} |", cell_text(cell));
        }
        text += "\n";
    }
    return table.note.empty() ? text : fmt::format("{}\n{}\n", text, table.note);
}

}  // namespace

std::string figure_text(const Figure& figure, const ChartDocument& document, bool quick) {
    std::string text = fmt::format("## {}: {}\n\n{}{}; {}; {}; {}\n", figure.name, figure.title, figure.source,
                                   quick ? " (--quick)" : "", document.made.date.substr(0, 10), document.made.machine,
                                   human_seconds(document.made.seconds.value_or(0.0)));
    for (const auto& warning : document.warnings) {
        text += warning + "\n";
    }
    for (const auto& note : document.notes) {
        text += note + "\n";
    }
    for (const auto& table : document.tables) {
        text += table_text(table);
    }
    return text + "\n";
}

}  // namespace isogon::cli

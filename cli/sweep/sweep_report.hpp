#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "isogon/methods/fit_series.hpp"
#include "program/json.hpp"

namespace isogon::cli {

/// Result of a sweep: its rows and their scores, one for each row, empty where there is none.
struct SweepReport {
    std::vector<std::string> axes;  ///< names, in the order of the columns
    std::string criterion;          ///< "error" or "knn"
    bool with_exact = false;        ///< has seconds of exact fits
    const Sweep& sweep;
    const std::vector<std::optional<double>>& scores;

    /// The row with the least score, the first of equal ones; none without any score.
    [[nodiscard]] std::optional<std::size_t> best() const;
    /// Different warnings of all fits, in their order.
    [[nodiscard]] std::vector<std::string> warnings() const;
};

/// Aligned columns, the best row marked by a star, reasons of refused rows at the end of theirs.
[[nodiscard]] std::string table_text(const SweepReport& report);

/// Comma-separated: a header, then all rows; reasons in quotes.
[[nodiscard]] std::string csv_text(const SweepReport& report);

/// [{"options": ..., "error": ..., "seconds": ..., "refused": null, ...}, ...]
[[nodiscard]] Json rows_json(const SweepReport& report);

}  // namespace isogon::cli

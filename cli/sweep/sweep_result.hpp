#pragma once
// The criteria of a sweep, and how its results are shown.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "program/command_line.hpp"
#include "program/json.hpp"
#include "program/session.hpp"
#include "registry/fit_series.hpp"

namespace isogon::cli {

/// Flags of the criterion, as the command line spells them.
struct CriterionFlags {
    std::string criterion = "error";
    std::string truth;
    std::vector<std::string> labels;
    std::vector<std::string> test;
    std::vector<std::string> test_labels;
};

/// Adds --criterion, --truth, --labels, --test and --test-labels.
void add_criterion_flags(CLI::App& app, CriterionFlags& flags);

/// Evaluates fits by one number; less is better.
class Criterion {
public:
    /// Throws UsageError for flags that exclude each other (`landmarks`: there are some), before anything is read.
    static void require_flags(const CriterionFlags& flags, bool landmarks);

    /// Reads the truth, or labels and test points. Throws UsageError where labels are missing, InputError.
    Criterion(const CriterionFlags& flags, const InputFlags& reading, const Input& input, Session& session);

    /// "error against truth.npy", "1-nn error of the points, each left out in turn", ...
    [[nodiscard]] const std::string& title() const { return title_; }
    /// Whether fits are compared with exact ones.
    [[nodiscard]] bool wants_exact() const { return wants_exact_; }
    [[nodiscard]] double evaluate(const std::string& method, const SweepFit& fit, const RunContext& context) const;

private:
    void read_labels_and_test(const CriterionFlags& flags, const InputFlags& reading, Session& session);

    std::string title_;
    bool by_labels_;
    bool wants_exact_;
    const Input& input_;
    Input truth_{};
    std::vector<std::int64_t> labels_{};
    Input test_{};
    std::vector<std::int64_t> test_labels_{};
};

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
    [[nodiscard]] std::vector<Text> warnings() const;
};

/// Aligned columns, the best row marked by a star, reasons of refused rows at the end of theirs.
[[nodiscard]] std::string table_text(const SweepReport& report);

/// Comma-separated: a header, then all rows; reasons in quotes.
[[nodiscard]] std::string csv_text(const SweepReport& report);

/// [{"options": ..., "error": ..., "seconds": ..., "refused": null, ...}, ...]
[[nodiscard]] Json rows_json(const SweepReport& report);

}  // namespace isogon::cli

#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/methods/fit_series.hpp"
#include "program/cli11_types.hpp"
#include "program/session.hpp"

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

}  // namespace isogon::cli

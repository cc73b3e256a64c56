#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "pairs/threshold.hpp"
#include "program/option_flags.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

constexpr double line_degrees = 5.0;
constexpr std::size_t bar_cells = 24;

/// Sums the bins of each line.
std::vector<double> lines(const std::vector<double>& bins, double bin_degrees) {
    const auto per_line = static_cast<std::size_t>(std::max(1.0, std::round(line_degrees / bin_degrees)));
    std::vector<double> sums((bins.size() + per_line - 1) / per_line);
    for (std::size_t i = 0; i < bins.size(); ++i) {
        sums[i / per_line] += bins[i];
    }
    return sums;
}

/// A share above zero shows at least one cell, to differ from an empty bin.
std::string bar(double share, double largest) {
    if (share <= 0.0) {
        return "";
    }
    const double cells = std::ceil(share / largest * static_cast<double>(bar_cells));
    return std::string(std::min(bar_cells, static_cast<std::size_t>(cells)), '#');
}

/// Two histograms side by side, one line for each five degrees: angles to the nearest neighbour, and all angles. Each
/// is scaled to its own maximum; the line of the threshold is marked.
std::string angle_chart(const AngleHistograms& angles) {
    const auto nearest = lines(angles.nearest, angles.bin_degrees);
    const auto all = lines(angles.all, angles.bin_degrees);
    const double nearest_top = nearest.empty() ? 0.0 : *std::max_element(nearest.begin(), nearest.end());
    const double all_top = all.empty() ? 0.0 : *std::max_element(all.begin(), all.end());
    const auto marked = static_cast<std::size_t>(angles.threshold_degrees / line_degrees);

    std::string text =
        fmt::format("  degrees  {:<{}}{}\n", "to the nearest neighbour", bar_cells + 10, "between all pairs");
    std::size_t first = 0;
    std::size_t last = std::max(nearest.size(), all.size());
    const auto share = [](const std::vector<double>& list, std::size_t i) { return i < list.size() ? list[i] : 0.0; };
    const auto empty = [&](std::size_t i) { return share(nearest, i) <= 0.0 && share(all, i) <= 0.0; };
    while (first < last && empty(first)) {
        ++first;
    }
    while (last > first && empty(last - 1)) {
        --last;
    }
    for (std::size_t i = first; i < last; ++i) {
        text += fmt::format("  {:3.0f}-{:<3.0f}  {:<{}} {:5.1f}%   {:<{}} {:5.1f}%{}\n",
                            line_degrees * static_cast<double>(i), line_degrees * static_cast<double>(i + 1),
                            bar(share(nearest, i), nearest_top), bar_cells, 100.0 * share(nearest, i),
                            bar(share(all, i), all_top), bar_cells, 100.0 * share(all, i),
                            i == marked ? "  < threshold" : "");
    }
    return text;
}

struct ThresholdVerb {
    std::vector<std::string> inputs;
    std::optional<std::string> threshold;  ///< given: shown, not chosen
    InputFlags reading;
    OptionFlags options;
};

/// Options that choose a threshold have no effect on a given one.
void require_choice(const ThresholdVerb& verb) {
    const OptionValues given = verb.options.values("threshold");
    for (const char* name : {"sparsity", "isolated"}) {
        if (verb.threshold && given.contains(name)) {
            throw InvalidArgument(name, to_text(given.at(name)),
                                  "has no effect with --threshold, by which none is chosen: leave out one of the two");
        }
    }
}

Json result_json(const AngleHistograms& angles) {
    return {{"threshold", angles.threshold},
            {"advised_threshold", angles.advised_threshold > 0.0 ? Json(angles.advised_threshold) : Json(nullptr)},
            {"threshold_degrees", angles.threshold_degrees},
            {"sparsity", angles.sparsity},
            {"isolated_share", angles.isolated_share},
            {"sampled_rows", angles.sampled_rows},
            {"zero_vectors", angles.zero_vectors},
            {"bin_degrees", angles.bin_degrees},
            {"nearest", angles.nearest},
            {"all", angles.all}};
}

std::string result_text(const AngleHistograms& angles) {
    return fmt::format(
        "threshold {:.4f} ({:.1f} degrees): {:.2f}% of pairs lie at or below it\n"
        "{:.2f}% of the points are isolated (no other point above the threshold), {} zero vectors, {} rows "
        "sampled\n\n{}",
        angles.threshold, angles.threshold_degrees, 100.0 * angles.sparsity, 100.0 * angles.isolated_share,
        angles.zero_vectors, angles.sampled_rows, angle_chart(angles));
}

Outcome run(const ThresholdVerb& verb, Session& session) {
    const ThresholdOptions options = threshold_option_table().make(verb.options.values("threshold"));
    require_choice(verb);
    const bool given = verb.threshold.has_value();
    const double threshold = given ? parse_cosine("--threshold", *verb.threshold) : 0.0;
    const Input input = read_input(verb.inputs, verb.reading, Finite::Required, session);
    const AngleHistograms angles = given ? describe_threshold(input.points, threshold, options, session.context())
                                         : choose_threshold(input.points, options, session.context());
    session.end_progress();

    Outcome outcome;
    outcome.text = result_text(angles);
    outcome.json = result_json(angles);
    outcome.json["options"] = to_json(threshold_option_table().values(options));
    outcome.json["options"]["threshold"] = given ? Json(threshold) : Json("auto");
    outcome.json["input"] = input_json(verb.inputs, verb.reading, input);
    add_costs(outcome.json, session);
    outcome.json["version"] = ISOGON_VERSION;
    return outcome;
}

}  // namespace

Command add_threshold(CLI::App& app) {
    const auto verb = std::make_shared<ThresholdVerb>();
    app.add_option("X", verb->inputs, "Files of points; several are stacked in their order")->required();
    add_value(app, "--threshold T", verb->threshold,
              "Show the angles for this cosine instead of choosing one (above 0 and below 1)");
    verb->options.add(app, "verb", {{"threshold", threshold_option_table().specs()}});
    add_input_flags(app, verb->reading);
    app.footer(
        "A good threshold lies where the nearest neighbours end and the bulk of all pairs has not begun.\n"
        "\n"
        "Examples:\n"
        "  isogon threshold vectors.npy\n"
        "  isogon threshold vectors.npy --sparsity 0.98 --json\n"
        "  isogon threshold vectors.npy --threshold 0.75");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli

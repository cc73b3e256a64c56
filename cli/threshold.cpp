#include "isogon/pairs/threshold.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <optional>

#include "angle_chart.hpp"
#include "input_files.hpp"
#include "option_flags.hpp"
#include "quantity.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

struct ThresholdVerb {
    std::vector<std::string> inputs;
    std::optional<std::string> threshold;  ///< given: shown, not chosen
    InputFlags reading;
    std::unique_ptr<OptionFlags> options;
};

/// What leads to a threshold does nothing for one that is given.
void require_choice(const ThresholdVerb& verb) {
    const OptionValues given = verb.options->values("threshold");
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
        "{:.2f}% of the points are isolated (nobody above the threshold), {} zero vectors, {} rows sampled\n\n{}",
        angles.threshold, angles.threshold_degrees, 100.0 * angles.sparsity, 100.0 * angles.isolated_share,
        angles.zero_vectors, angles.sampled_rows, angle_chart(angles));
}

Outcome run(const ThresholdVerb& verb, Session& session) {
    const ThresholdOptions options = threshold_option_table().make(verb.options->values("threshold"));
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
    outcome.json["seconds"] = session.seconds();
    outcome.json["peak_memory_bytes"] = peak_memory_bytes();
    outcome.json["version"] = ISOGON_VERSION;
    return outcome;
}

}  // namespace

Command add_threshold(CLI::App& app) {
    const auto verb = std::make_shared<ThresholdVerb>();
    app.add_option("X", verb->inputs, "Files of points; several are stacked in their order")->required();
    app.add_option("--threshold", verb->threshold,
                   "Show the angles for this cosine instead of choosing one (above 0 and below 1)")
        ->type_name("T");
    verb->options = std::make_unique<OptionFlags>(
        app, "verb", std::vector<OptionOwner>{{"threshold", threshold_option_table().specs()}});
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

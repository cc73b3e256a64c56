#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "fit_files.hpp"
#include "input_files.hpp"
#include "isogon/methods/registry.hpp"
#include "option_flags.hpp"
#include "output_files.hpp"
#include "quantity.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

struct Embed {
    std::vector<std::string> inputs;
    std::string output;
    std::string method = "faithful";
    InputFlags reading;
    FitFlags fit;
    std::unique_ptr<OptionFlags> options;
};

std::vector<OptionOwner> owners() {
    std::vector<OptionOwner> list;
    for (const auto& method : methods()) {
        list.push_back({method.name, method.options});
    }
    return list;
}

std::int64_t dimension_of(const Method& method, const OptionValues& options) {
    const auto given = options.find("dimension");
    if (given != options.end()) {
        return std::get<std::int64_t>(given->second);
    }
    const auto spec = std::find_if(method.options.begin(), method.options.end(),
                                   [](const OptionSpec& option) { return option.name == "dimension"; });
    return spec == method.options.end() ? 0 : std::get<std::int64_t>(spec->default_value);
}

ExitCode exit_code(const Embedding& result) {
    if (!result.summary.usable()) {
        return ExitCode::Unusable;
    }
    switch (result.summary.termination) {
        case Termination::TimeLimit: return ExitCode::OverLimit;
        case Termination::Cancelled: return ExitCode::Interrupted;
        default: return result.coordinates.empty() ? ExitCode::Unusable : ExitCode::Ok;
    }
}

std::string failure_text(ExitCode code, const std::string& written, const Summary& summary) {
    const std::string saved = written.empty() ? "nothing was written" : "the best result so far is in " + written;
    switch (code) {
        case ExitCode::OverLimit: return "stopped by --time-limit; " + saved + "; " + summary.message;
        case ExitCode::Interrupted: return "interrupted; " + saved + "; " + summary.message;
        default: return "no usable result, " + saved + ": " + summary.message;
    }
}

std::string phases_text(const Summary& summary) {
    std::string text;
    for (const auto& [phase, seconds] : summary.seconds) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", phase, human_seconds(seconds));
    }
    return text.empty() ? text : " (" + text + ")";
}

/// The first few: svd alone has a singular value for each dimension.
std::string numbers_text(const Summary& summary) {
    constexpr std::size_t most = 12;
    auto numbers = summary.counts;
    numbers.insert(numbers.end(), summary.measures.begin(), summary.measures.end());
    std::string text;
    for (std::size_t i = 0; i < std::min(most, numbers.size()); ++i) {
        text += fmt::format("  {:<28} {:.6g}\n", numbers[i].first, numbers[i].second);
    }
    return numbers.size() <= most ? text : text + fmt::format("  and {} more in --json\n", numbers.size() - most);
}

std::string result_text(const Embed& embed, const Input& input, const Embedding& result, const Session& session) {
    const Summary& summary = result.summary;
    std::string text =
        fmt::format("{}: {} points of {} numbers, from {}, by {}\n", embed.output, result.coordinates.count(),
                    result.coordinates.dimension(), input.points.dimension, embed.method);
    text += fmt::format("{}: {}\n", name(summary.termination), summary.message);
    text += fmt::format("{}{}, {} threads, seed {}, peak memory {}\n", human_seconds(session.seconds()),
                        phases_text(summary), summary.threads, summary.seed, human_bytes(peak_memory_bytes()));
    text += numbers_text(summary);
    return text;
}

Json result_json(const Embed& embed, const Input& input, const Embedding& result, const std::string& written,
                 const Session& session) {
    Json json{{"verb", "embed"},
              {"version", ISOGON_VERSION},
              {"method", embed.method},
              {"options", to_json(result.options)},
              {"input", input_json(embed.inputs, embed.reading, input)},
              {"output", written.empty() ? Json(nullptr) : Json(written)},
              {"shape", shape_json(result.coordinates.view())}};
    add_summary(json, result.summary);
    json["seconds"] = session.seconds();
    json["peak_memory_bytes"] = peak_memory_bytes();
    return json;
}

Outcome run(const Embed& embed, Session& session) {
    const Method& method = find_method(embed.method);
    const OptionValues options = embed.options->values(method.name);
    FitFiles files(embed.fit, method, options, embed.output, session);
    const Input input = read_input(embed.inputs, embed.reading, Finite::Required, session);
    require_words(embed.output, !input.words.empty());

    files.reserve_for_model(input.points, dimension_of(method, options));
    const Embedding result = files.embed(method, input.points, options);
    session.end_progress();

    Outcome outcome;
    std::string written;
    std::string model;
    if (result.summary.usable() && !result.coordinates.empty()) {
        write_output(session, [&](const WriteOptions& how) {
            write_points(embed.output, result.coordinates.view(), {input.labels, input.words}, how);
        });
        written = embed.output;
        model = files.write_model(method, input.points, result);
        outcome.text = result_text(embed, input, result, session);
    }
    outcome.code = exit_code(result);
    outcome.failure = outcome.code == ExitCode::Ok ? "" : failure_text(outcome.code, written, result.summary);
    outcome.warnings = result.summary.warnings;
    outcome.json = result_json(embed, input, result, written, session);
    outcome.json["model"] = model.empty() ? Json(nullptr) : Json(model);
    return outcome;
}

}  // namespace

Command add_embed(CLI::App& app) {
    const auto embed = std::make_shared<Embed>();
    app.add_option("INPUT", embed->inputs, "Files of points; several are stacked in their order")->required();
    app.add_option("-o,--output", embed->output, "Where the coordinates go; the name tells the format")
        ->required()
        ->type_name("FILE");
    app.add_option("--method", embed->method, "How to embed; isogon methods lists them (default faithful)")
        ->type_name("NAME");
    embed->options = std::make_unique<OptionFlags>(app, "method", owners());
    add_input_flags(app, embed->reading);
    add_fit_flags(app, embed->fit);
    app.footer(
        "Examples:\n"
        "  isogon embed vectors.npy -o small.npy --dim 32\n"
        "  isogon embed train-images-idx3-ubyte.gz t10k-images-idx3-ubyte.gz -o fold0.npy --every 5 --from 0\n"
        "  isogon embed words.vec -o words16.vec --favor neighbors --json\n"
        "  isogon embed vectors.npy -o small.npy --model map.safetensors     (then: isogon transform)\n"
        "  isogon embed big.npy -o small.npy --checkpoint run.safetensors    (after a crash: --resume it)\n"
        "\n"
        "Ctrl-C stops and writes the best result so far (exit code 130); a second one stops at once.\n"
        "Exit codes: 0 done, 1 no usable result or not written, 2 usage, 3 bad input, 5 over a limit,\n"
        "130 interrupted.");
    return [embed](Session& session) { return run(*embed, session); };
}

}  // namespace isogon::cli

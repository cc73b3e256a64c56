#include <fmt/format.h>

#include <limits>
#include <memory>

#include "failure.hpp"
#include "isogon/synthetic/generator.hpp"
#include "option_flags.hpp"
#include "option_text.hpp"
#include "output_files.hpp"
#include "quantity.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

struct Generate {
    std::string name;
    bool list = false;
    std::string output;
    std::string labels;
    std::string truth;
    std::string count = "5000";
    std::string seed = "0";
    std::unique_ptr<OptionFlags> options;
};

std::vector<OptionOwner> owners() {
    std::vector<OptionOwner> list;
    for (const auto& generator : generators()) {
        list.push_back({generator.name, generator.options});
    }
    return list;
}

Outcome list_generators() {
    Outcome outcome;
    Json list = Json::array();
    for (const auto& generator : generators()) {
        list.push_back({{"name", generator.name}, {"title", generator.title}, {"options", to_json(generator.options)}});
        outcome.text += fmt::format("{:<16} {}\n", generator.name, generator.title);
        outcome.text += options_text(generator.options);
    }
    outcome.json = {{"generators", list}};
    return outcome;
}

/// Asks for one point what the whole set would hold: every point depends on the seed and its number alone.
void require_parts(const Generate& verb, const Generator& generator, std::uint64_t seed, const OptionValues& options,
                   const RunContext& context) {
    if (verb.labels.empty() && verb.truth.empty()) {
        return;
    }
    const Generated one = generator.generate(1, seed, options, context);
    if (!verb.labels.empty() && one.labels.empty()) {
        throw UsageError("--labels " + verb.labels + ": " + generator.name + " has no labels; leave it out");
    }
    if (!verb.truth.empty() && one.truth.empty()) {
        throw UsageError("--truth " + verb.truth + ": " + generator.name + " has no true coordinates; leave it out");
    }
}

void write_points_or_images(const std::string& path, const Generated& made, const WriteOptions& how) {
    if (output_format(path) == Format::Idx && made.image_height > 0) {
        write_idx_images(path, made.points.view(), made.image_height, made.image_width, how);
    } else {
        write_points(path, made.points.view(), {made.labels, {}}, how);
    }
}

void write_all(const Generate& verb, const Generated& made, Session& session) {
    write_output(session, [&](const WriteOptions& how) { write_points_or_images(verb.output, made, how); });
    if (!verb.labels.empty()) {
        write_output(session, [&](const WriteOptions& how) { write_labels(verb.labels, made.labels, how); });
    }
    if (!verb.truth.empty()) {
        write_output(session, [&](const WriteOptions& how) { write_points(verb.truth, made.truth.view(), {}, how); });
    }
}

Json name_or_null(const std::string& path) {
    return path.empty() ? Json(nullptr) : Json(path);
}

Outcome run(const Generate& verb, Session& session) {
    if (verb.list || verb.name.empty()) {
        return list_generators();
    }
    const Generator& generator = find_generator(verb.name);
    const OptionValues options = verb.options->values(generator.name);
    const auto count = static_cast<Index>(parse_whole("--count", verb.count, 1, std::numeric_limits<Index>::max()));
    const auto seed =
        static_cast<std::uint64_t>(parse_whole("--seed", verb.seed, 0, std::numeric_limits<std::int64_t>::max()));
    if (verb.output.empty()) {
        throw UsageError("no output named; add -o FILE.npy");
    }
    require_words(verb.output, false);
    require_outputs({verb.output, verb.labels, verb.truth}, session);
    require_parts(verb, generator, seed, options, session.context());

    const Generated made = generator.generate(count, seed, options, session.context());
    session.end_progress();
    write_all(verb, made, session);

    Outcome outcome;
    outcome.text = fmt::format("{}: {} points of {} numbers, {}, seed {}, {}\n", verb.output, made.points.count(),
                               made.points.dimension(), generator.name, seed, human_seconds(session.seconds()));
    outcome.json = {{"verb", "generate"},
                    {"version", ISOGON_VERSION},
                    {"generator", generator.name},
                    {"options", to_json(options_as_used(generator.options, options))},
                    {"count", count},
                    {"seed", seed},
                    {"output", verb.output},
                    {"labels", name_or_null(verb.labels)},
                    {"truth", name_or_null(verb.truth)},
                    {"shape", shape_json(made.points.view())},
                    {"image_height", made.image_height},
                    {"image_width", made.image_width},
                    {"seconds", session.seconds()},
                    {"threads", session.context().thread_count()},
                    {"peak_memory_bytes", peak_memory_bytes()}};
    return outcome;
}

}  // namespace

Command add_generate(CLI::App& app) {
    const auto verb = std::make_shared<Generate>();
    app.add_option("NAME", verb->name, "What to generate; without a name the list is printed");
    app.add_flag("--list", verb->list, "List what can be generated, with options");
    app.add_option("-o,--output", verb->output, "Where the points go; images may go to IDX (.idx, -idx3-ubyte)")
        ->type_name("FILE");
    app.add_option("--labels", verb->labels, "Where the labels go")->type_name("FILE");
    app.add_option("--truth", verb->truth, "Where the true coordinates go")->type_name("FILE");
    app.add_option("--count", verb->count, "Number of points (default 5000)")->type_name("N");
    app.add_option("--seed", verb->seed, "Seed; point i depends on the seed and i alone (default 0)")->type_name("N");
    verb->options = std::make_unique<OptionFlags>(app, "generator", owners());
    app.footer(
        "Examples:\n"
        "  isogon generate --list\n"
        "  isogon generate drawn-digits -o digits.npy --labels digits-labels.npy --count 5000\n"
        "  isogon generate drawn-digits -o digits-idx3-ubyte");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli

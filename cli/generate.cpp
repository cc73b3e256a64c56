#include <fmt/format.h>

#include <limits>
#include <memory>

#include "generated_files.hpp"
#include "isogon/synthetic/generator.hpp"
#include "option_flags.hpp"
#include "option_text.hpp"
#include "quantity.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

struct Generate {
    std::string name;
    bool list = false;
    GeneratedFiles files;
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

/// A run that was stopped has made the first points only.
void describe_end(Outcome& outcome, const Generated& made, Index count, const Session& session) {
    if (made.points.count() == count) {
        return;
    }
    const bool out_of_time =
        session.context().interruption().value_or(Termination::Cancelled) == Termination::TimeLimit;
    outcome.code = out_of_time ? ExitCode::OverLimit : ExitCode::Interrupted;
    outcome.failure = fmt::format("{} after {} of {} points; those were written",
                                  out_of_time ? "stopped by --time-limit" : "interrupted", made.points.count(), count);
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
    require_files(verb.files, session);
    // One point shows what the whole set would hold: every point depends on the seed and its number alone.
    RunContext silent = session.context();
    silent.on_iteration = nullptr;
    require_parts(verb.files, generator.name, generator.generate(1, seed, options, silent));

    const Generated made = generator.generate(count, seed, options, session.context());
    session.end_progress();
    if (made.points.empty()) {
        throw Interruption{session.context().interruption().value_or(Termination::Cancelled)};
    }
    write_files(verb.files, made, session);

    Outcome outcome;
    outcome.text = fmt::format("{}: {} points of {} numbers, {}, seed {}, {}\n", verb.files.points, made.points.count(),
                               made.points.dimension(), generator.name, seed, human_seconds(session.seconds()));
    outcome.json = {{"verb", "generate"},
                    {"version", ISOGON_VERSION},
                    {"generator", generator.name},
                    {"options", to_json(options_as_used(generator.options, options))},
                    {"count", count},
                    {"seed", seed},
                    {"output", verb.files.points},
                    {"labels", name_or_null(verb.files.labels)},
                    {"truth", name_or_null(verb.files.truth)},
                    {"sheet", name_or_null(verb.files.sheet)},
                    {"shape", shape_json(made.points.view())},
                    {"image_height", made.image_height},
                    {"image_width", made.image_width},
                    {"seconds", session.seconds()},
                    {"threads", session.context().thread_count()},
                    {"peak_memory_bytes", peak_memory_bytes()}};
    describe_end(outcome, made, count, session);
    return outcome;
}

}  // namespace

Command add_generate(CLI::App& app) {
    const auto verb = std::make_shared<Generate>();
    app.add_option("NAME", verb->name, "What to generate; without a name the list is printed");
    app.add_flag("--list", verb->list, "List what can be generated, with options");
    app.add_option("-o,--output", verb->files.points, "Where the points go; images may go to IDX (.idx, -idx3-ubyte)")
        ->type_name("FILE");
    app.add_option("--labels", verb->files.labels, "Where the labels go")->type_name("FILE");
    app.add_option("--truth", verb->files.truth, "Where the true coordinates go")->type_name("FILE");
    app.add_option("--sheet", verb->files.sheet, "Where a picture of the first 400 images goes")->type_name("FILE.png");
    app.add_option("--count", verb->count, "Number of points (default 5000)")->type_name("N");
    app.add_option("--seed", verb->seed, "Seed; point i depends on the seed and i alone (default 0)")->type_name("N");
    verb->options = std::make_unique<OptionFlags>(app, "generator", owners());
    app.footer(
        "Examples:\n"
        "  isogon generate --list\n"
        "  isogon generate drawn-digits -o digits.npy --labels classes.npy --sheet digits.png\n"
        "  isogon generate drawn-digits -o digits-idx3-ubyte");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "begin.hpp"
#include "io/atomic_file.hpp"
#include "isogon/core/error.hpp"
#include "linalg/packed_points.hpp"
#include "program/command_line.hpp"
#include "program/failure.hpp"
#include "program/process.hpp"
#include "program/ranks.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

struct Verb {
    const char* name;
    const char* summary;
    Command (*add)(CLI::App&);
    bool writes;
    bool shares = false;  ///< ranks of mpirun can share its work
};

constexpr std::array verbs{
    Verb{"embed", "Give every point of the input a few coordinates that keep its neighbours", add_embed, true, true},
    Verb{"transform", "Give new points coordinates among those of a fit", add_transform, true},
    Verb{"extend", "Give many new points coordinates together, from a fit to a sample", add_extend, true},
    Verb{"score", "Score coordinates against the inputs they came from", add_score, false},
    Verb{"report", "Write a page that shows coordinates and how far to believe them, to be opened in a browser",
         add_report, true},
    Verb{"sweep", "Fit a spectral method with every combination of some options, and say which is best", add_sweep,
         true},
    Verb{"decompose", "Write a sparse nonnegative matrix as max(0, W H), W and H of low rank", add_decompose, true},
    Verb{"reconstruct", "Make rows of max(0, W H) from what decompose has left", add_reconstruct, true},
    Verb{"compare", "Run several methods in several dimensions, score each, and draw the curves", add_compare, true},
    Verb{"neighbors", "Find the nearest points of every point, or all pairs above a cosine", add_neighbors, true},
    Verb{"quantize", "Store vectors in a few bytes each, to be searched as they are", add_quantize, true},
    Verb{"threshold", "Choose the cosine above which two points count as near, and show the angles", add_threshold,
         false},
    Verb{"generate", "Make a data set whose truth is known", add_generate, true},
    Verb{"convert", "Copy points from one file format to another, stacked or picked", add_convert, true},
    Verb{"info", "Say what a file holds", add_info, false},
    Verb{"methods", "List the methods of embed, their options and sources", add_methods, false},
};

/// The verb that was chosen, with its flags parsed.
struct Request {
    const Verb* verb = nullptr;
    const CLI::App* flags = nullptr;
    Arguments words;
    CommonOptions options;
    Command command;
};

/// CLI11 stores pointers to these members: they must not move until the flags are parsed.
struct Parser {
    CLI::App app{"isogon: fewer dimensions, with neighbours kept"};
    std::array<CommonOptions, verbs.size()> options;
    std::array<Command, verbs.size()> commands;
    std::array<CLI::App*, verbs.size()> subcommands{};
};

std::string exit_codes_text() {
    std::string text;
    for (const auto& [code, meaning] : exit_codes) {
        text += fmt::format("{}{}{} {}", text.empty() ? "Exit codes: " : ",",
                            code == ExitCode::Interrupted ? "\n"
                            : text.empty()                ? ""
                                                          : " ",
                            static_cast<int>(code), meaning);
    }
    return text + " (docs/exit_codes.md).";
}

std::unique_ptr<Parser> make_parser() {
    auto parser = std::make_unique<Parser>();
    parser->app.name("isogon");
    lay_out_help(parser->app);
    const std::string with = built_with_petsc() ? ", with MPI and PETSc" : built_with_mpi() ? ", with MPI" : "";
    parser->app.set_version_flag("--version", "isogon " ISOGON_VERSION + with, "Print the version and exit");
    parser->app.set_help_flag("-h,--help", "Print this help and exit");
    parser->app.set_help_all_flag("--help-all", "Print all that can be said of each flag, and exit");
    parser->app.require_subcommand(1);
    parser->app.footer("isogon VERB --help shows the flags of a verb, with examples.\n" + exit_codes_text());
    for (std::size_t i = 0; i < verbs.size(); ++i) {
        CLI::App* verb = parser->app.add_subcommand(verbs.at(i).name, verbs.at(i).summary);
        verb->group("Verbs");
        parser->subcommands.at(i) = verb;
        parser->commands.at(i) = verbs.at(i).add(*verb);
        add_common_options(*verb, parser->options.at(i), verbs.at(i).writes);
        verb->footer(verb->get_footer() + "\n" + exit_codes_text());
    }
    return parser;
}

/// The verb that was chosen, or null.
const CLI::App* chosen_verb(const Parser& parser) {
    const auto chosen =
        std::ranges::find_if(parser.subcommands, [](const CLI::App* verb) { return verb->parsed() > 0; });
    return chosen == parser.subcommands.end() ? nullptr : *chosen;
}

/// Throws CLI::Success for --help and --version, UsageError for what cannot be parsed.
Request parse(Parser& parser, int argc, const char* const* argv, const Arguments& words) {
    try {
        std::vector<std::string> last_first(words.rbegin(), words.rend());
        parser.app.parse(last_first);
    } catch (const CLI::Success&) {
        throw;  // --help and --version
    } catch (const CLI::ParseError& error) {
        const CLI::App* verb = chosen_verb(parser);
        if (verb == nullptr || words.front().starts_with('-')) {
            throw UsageError(no_verb_text({parser.subcommands.begin(), parser.subcommands.end()}, words) +
                             "; isogon --help tells what they do");
        }
        throw UsageError(parse_error_text(error, *verb, words) + "; isogon " + verb->get_name() +
                         " --help lists the flags");
    }
    const std::string empty = empty_word_text(*chosen_verb(parser), words);
    if (!empty.empty()) {
        throw UsageError(empty);
    }
    const auto at = static_cast<std::size_t>(std::ranges::find(parser.subcommands, chosen_verb(parser)) -
                                             parser.subcommands.begin());
    parser.options.at(at).command = command_line(argc, argv);
    return {&verbs.at(at), parser.subcommands.at(at), words, parser.options.at(at), parser.commands.at(at)};
}

/// Whether --json is among the arguments, also if parsing failed before it.
bool wants_json(int argc, const char* const* argv) {
    return std::any_of(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
}

/// Adds the stated memory next to the peak memory.
Json with_stated_memory(Json json, const Session& session) {
    if (json.contains("peak_memory_bytes")) {
        json["stated_memory_bytes"] = session.stated_memory_bytes();
    }
    return json;
}

/// The message of a failure, and the files already written that it does not name.
std::string with_written(std::string sentence, const FileRecord& files) {
    std::string more;
    files.for_each_written([&](std::string_view path) {
        if (sentence.find(path) == std::string::npos) {
            more += (more.empty() ? "; already written: " : ", ") + std::string(path);
        }
    });
    return sentence + more;
}

/// The name of a file that a word of the command is, or ends in, if it is a flag with its value.
std::string name_in(const std::string& word) {
    if (word.starts_with("--")) {
        return word.substr(word.find('=') + 1);
    }
    return word.starts_with('-') && word.size() > 2 ? word.substr(2) : word;
}

/// The text, with names of files escaped that go over several lines.
std::string with_names_on_one_line(std::string text, const Arguments& words) {
    for (const std::string& word : words) {
        const std::string name = name_in(word);
        if (name.size() < 2 || name.find('\n') == std::string::npos) {
            continue;
        }
        const std::string shown = printable(name);
        for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + shown.size())) {
            text.replace(at, name.size(), shown);
        }
    }
    return text;
}

ExitCode finish(const Outcome& outcome, const Request& request, Session& session, const FileRecord& files) {
    session.end_progress();
    if (!session.is_root()) {
        return outcome.code;
    }
    for (const auto& warning : outcome.warnings) {
        session.warn(warning);
    }
    const std::string text = request.options.json
                                 ? to_line(with_stated_memory(outcome.json, session)) + '\n'
                                 : printable_lines(with_names_on_one_line(outcome.text, request.words));
    if (!files.is_expected(standard_stream)) {
        print_result(text);
    } else if (!request.options.quiet) {
        print_on_stderr(text);
    }
    if (!outcome.failure.empty()) {
        print_on_stderr(fmt::format("isogon: {}\n", printable(with_written(outcome.failure, files))));
    }
    return outcome.code;
}

/// Obeys ISOGON_INSTRUCTION_SET, so that a test can compare results (docs/reproducible.md).
void obey_instruction_set() {
    const char* name = std::getenv("ISOGON_INSTRUCTION_SET");
    if (name == nullptr || *name == '\0') {
        return;
    }
    try {
        use_instruction_set(name);
    } catch (const InvalidArgument& error) {
        throw UsageError(fmt::format("the environment variable ISOGON_INSTRUCTION_SET: {}", error.what()));
    }
}

/// Independent copies of a run would overwrite the files of each other.
void require_shared(const Verb& verb, const Ranks& ranks) {
    if (!ranks.group().is_shared() && mpirun_process_count() > 1) {
        throw UsageError(
            fmt::format("mpirun started {} copies of a program that was built without MPI: start it "
                        "without mpirun (it uses all cores), or build it with -DISOGON_MPI=ON",
                        mpirun_process_count()));
    }
    if (ranks.group().is_shared() && !verb.shares) {
        throw UsageError(
            fmt::format("{}: ranks of mpirun cannot share its work, only that of embed; start it without "
                        "mpirun (it uses all cores)",
                        verb.name));
    }
}

ExitCode run_within_limits(const Request& request, Interrupts& interrupts, const Ranks& ranks, FileRecord& files) {
    Session session(request.options, interrupts, ranks, files);
    try {
        return finish(request.command(session), request, session, files);
    } catch (const LimitExceeded& error) {
        throw LimitExceeded({error.text(), session.limit_note()}, error.needed_bytes(), error.limit_bytes());
    }
}

/// All words of the command but the names of flags.
std::vector<std::string> values_of(const CLI::App& verb) {
    std::vector<std::string> values;
    for (const CLI::Option* option : verb.get_options()) {
        values.insert(values.end(), option->results().begin(), option->results().end());
    }
    return values;
}

ExitCode run(const Request& request, Interrupts& interrupts, const Ranks& ranks, FileRecord& files) {
    files.add_inputs(values_of(*request.flags));
    require_shared(*request.verb, ranks);
    if (ranks.group().is_shared()) {
        require_same_start(ranks.group(), request.options.command);
    }
    try {
        return run_within_limits(request, interrupts, ranks, files);
    } catch (const InvalidArgument& error) {
        throw UsageError(in_flags(error, *request.flags, request.words));
    }
}

/// Call it from a catch block: prints the error on stderr, and on stdout as well if JSON was requested. `ranks`: null
/// before they exist.
ExitCode fail(bool json, const Ranks* ranks, const FileRecord& files) noexcept {
    try {
        Failure failure = describe_current_exception();
        const bool of_inputs = failure.kind == "usage" || failure.kind == "input";
        std::string sentence =
            with_written(failure.message + (of_inputs ? files.unnamed_inputs(failure.message) : std::string()), files);
        const bool nothing = failure.kind == "interrupted" && sentence == failure.message;
        failure.message = std::move(sentence) + (nothing ? "; nothing was written" : "");
        std::string message = failure.message;
        const bool leads = ranks == nullptr || ranks->is_root();
        // Built before anything is printed: if memory is exhausted, print_out_of_memory() prints everything, and
        // nothing is printed twice.
        const std::string line = json && leads ? to_line(to_json(failure)) + '\n' : "";
        if (ranks == nullptr || ranks->leave_failing(failure, message)) {
            message = "isogon: " + printable(message) + '\n';
            print_on_stderr(message);
        }
        print_on_stdout(line);
        return failure.code;
    } catch (...) {
        print_out_of_memory(json, files);
        return ExitCode::OverLimit;
    }
}

ExitCode run_program(int argc, const char* const* argv, Interrupts& interrupts, const Ranks& ranks) {
    const bool json = wants_json(argc, argv);
    FileRecord files;
    interrupts.set_last_words([&files] { print_written(files); });
    struct Silence {
        Interrupts& interrupts;
        ~Silence() { interrupts.set_last_words({}); }
    };
    const Silence before_files_go{interrupts};
    try {
        obey_instruction_set();
        const auto parser = make_parser();
        try {
            const Arguments words = without_dashes(Arguments(argv + std::min(argc, 1), argv + argc));
            return ranks.leave(run(parse(*parser, argc, argv, words), interrupts, ranks, files));
        } catch (const CLI::CallForHelp&) {
            print_result(ranks.is_root() ? help_text(parser->app, HelpLength::Short) : "");
        } catch (const CLI::CallForAllHelp&) {
            print_result(ranks.is_root() ? help_text(parser->app, HelpLength::Whole) : "");
        } catch (const CLI::CallForVersion& version) {
            print_result(ranks.is_root() ? std::string(version.what()) + '\n' : "");
        }
        return ranks.leave(ExitCode::Ok);
    } catch (...) {
        return fail(json, &ranks, files);
    }
}

ExitCode start_program(int argc, char** argv) noexcept {
    try {
        Interrupts interrupts;
        // After the signals are blocked: MPI starts threads.
        Ranks ranks(argc, argv);
        if (!ranks.is_root()) {
            interrupts.silence();
        }
        return run_program(argc, argv, interrupts, ranks);
    } catch (...) {
        // A thread could not be started, or memory is exhausted.
        return fail(wants_json(argc, argv), nullptr, {});
    }
}

}  // namespace

int begin(int argc, char** argv) {
    prepare_standard_streams();
    keep_memory_reserve();
    return with_usual_stack([&] { return static_cast<int>(start_program(argc, argv)); });
}

}  // namespace isogon::cli

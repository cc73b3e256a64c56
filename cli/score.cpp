#include "isogon/quality/score.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "analogies.hpp"
#include "failure.hpp"
#include "input_files.hpp"
#include "option_flags.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

struct ScoreVerb {
    std::vector<std::string> files;  ///< those of x, then the one of y, as cp has its target last
    std::vector<std::string> labels;
    std::string analogies;
    InputFlags reading;
    std::unique_ptr<OptionFlags> options;
};

Json result_json(const Score& score) {
    Json json{{"mean_angular_deviation_degrees", score.mean_angular_deviation_degrees},
              {"jaccard", score.jaccard},
              {"norm_deviation_mean", score.norm_deviation_mean},
              {"norm_deviation_max", score.norm_deviation_max},
              {fmt::format("recall_at_{}", score.neighbors), score.recall},
              {"trustworthiness", score.trustworthiness},
              {"continuity", score.continuity}};
    if (score.knn_accuracy) {
        json["knn_accuracy"] = *score.knn_accuracy;
    }
    json["points"] = score.points;
    json["threshold"] = score.threshold;
    json["sparsity"] = score.sparsity;
    json["isolated"] = score.isolated;
    json["zero_vectors"] = score.zero_vectors;
    json["rank_rows"] = score.rank_rows;
    return json;
}

std::string result_text(const Score& score) {
    std::string text;
    const auto line = [&](const std::string& what, const std::string& value, const std::string& meaning) {
        text += fmt::format("{:<24} {:>10}  {}\n", what, value, meaning);
    };
    const auto number = [](double value) { return fmt::format("{:.4f}", value); };
    line("mean angular deviation", fmt::format("{:.2f}", score.mean_angular_deviation_degrees),
         "degrees, over pairs above the threshold; 0 is perfect");
    line("jaccard", number(score.jaccard), "pairs above the threshold in both, of those in either; 1 is perfect");
    line("norm deviation, mean", number(score.norm_deviation_mean), "of lengths, relative; 0 is perfect");
    line("norm deviation, max", number(score.norm_deviation_max), "");
    line(fmt::format("recall at {}", score.neighbors), number(score.recall), "of the nearest by cosine; 1 is perfect");
    line("trustworthiness", number(score.trustworthiness), "no false neighbours: 1");
    line("continuity", number(score.continuity), "no lost neighbours: 1");
    if (score.knn_accuracy) {
        line("k-nn accuracy", number(*score.knn_accuracy), "of labels, each point left out in turn");
    }
    text +=
        fmt::format("{} points, threshold {:.4f} (sparsity {:.4f}), {} isolated, {} zero vectors, ranks over {} rows\n",
                    score.points, score.threshold, score.sparsity, score.isolated, score.zero_vectors, score.rank_rows);
    return text;
}

void require_usable(const Summary& summary) {
    if (summary.termination == Termination::Cancelled || summary.termination == Termination::TimeLimit) {
        throw Interruption{summary.termination};
    }
}

void require_same_count(const Input& x, const Input& y, const std::string& y_file) {
    if (x.points.count != y.points.count) {
        throw InputError(y_file, "",
                         fmt::format("{} points, where the inputs have {} (after --every and --from); the last file "
                                     "must hold the coordinates of exactly those rows",
                                     y.points.count, x.points.count));
    }
}

Outcome run(const ScoreVerb& verb, Session& session) {
    if (verb.files.size() < 2) {
        throw UsageError("only one file given; name the files of the inputs, then the one of the coordinates");
    }
    const ScoreOptions options = score_option_table().make(verb.options->values("score"));
    const std::vector<std::string> x_files(verb.files.begin(), verb.files.end() - 1);
    const std::string& y_file = verb.files.back();
    const Input x = read_input(x_files, verb.reading, Finite::Required, session);
    const Input y = read_input({y_file}, {}, Finite::Required, session);
    require_same_count(x, y, y_file);
    const auto labels = verb.labels.empty() ? x.labels : read_picked_labels(verb.labels, verb.reading, x);
    std::optional<AnalogyTask> task;
    if (!verb.analogies.empty()) {
        task = prepare_analogies(verb.analogies, x, y);
    }

    Score result = score(x.points, y.points, labels, options, session.context());
    require_usable(result.summary);
    std::optional<AnalogyComparison> analogies;
    if (task) {
        analogies = compare_analogies(*task, x, y, session, result.summary);
    }
    session.end_progress();

    Outcome outcome;
    outcome.text = result_text(result) + (analogies ? to_text(*analogies) : "");
    outcome.warnings = result.summary.warnings;
    outcome.json = result_json(result);
    if (analogies) {
        outcome.json["analogies"] = to_json(*analogies);
    }
    outcome.json["options"] = to_json(score_option_table().values(options));
    outcome.json["input"] = input_json(x_files, verb.reading, x);
    outcome.json["coordinates"] = input_json({y_file}, {}, y);
    add_summary(outcome.json, result.summary);
    outcome.json["seconds"] = session.seconds();
    outcome.json["peak_memory_bytes"] = peak_memory_bytes();
    outcome.json["version"] = ISOGON_VERSION;
    return outcome;
}

}  // namespace

Command add_score(CLI::App& app) {
    const auto verb = std::make_shared<ScoreVerb>();
    app.add_option("X... Y", verb->files,
                   "Files of the inputs, stacked in their order, and last the file of their coordinates")
        ->required();
    app.add_option("--labels", verb->labels,
                   "Class numbers of the inputs: adds knn_accuracy. Give it once for each file, in their order")
        ->type_name("FILE")
        ->allow_extra_args(false);
    app.add_option(
           "--analogies", verb->analogies,
           "Questions \"a is to b as c is to d\", as in word2vec's questions-words.txt, also as .gz: adds how many "
           "of them X and Y answer rightly. X or Y must have words")
        ->type_name("FILE");
    verb->options =
        std::make_unique<OptionFlags>(app, "verb", std::vector<OptionOwner>{{"score", score_option_table().specs()}});
    add_input_flags(app, verb->reading);
    app.footer(
        "--every and --from pick rows of X and of the labels, as embed did; Y is taken whole.\n"
        "The words that --analogies asks for are those of X, or of Y if X has none. A word that is not\n"
        "among them is tried in small letters. Categories named gram... are syntactic, all others\n"
        "semantic. In JSON, analogies.x and analogies.y hold semantic_accuracy, syntactic_accuracy,\n"
        "accuracy, questions, covered, correct and categories.\n"
        "\n"
        "Examples:\n"
        "  isogon score vectors.npy small.npy\n"
        "  isogon score words.vec.gz small.npy --analogies questions-words.txt\n"
        "  isogon score train-images-idx3-ubyte t10k-images-idx3-ubyte fold0.npy --every 5 --from 0 --threshold 0.75 "
        "\\\n"
        "      --labels train-labels-idx1-ubyte --labels t10k-labels-idx1-ubyte --json");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli

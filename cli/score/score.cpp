#include "score/score.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/core/error.hpp"
#include "isogon/quality/score.hpp"
#include "program/failure.hpp"
#include "program/json.hpp"
#include "program/option_flags.hpp"
#include "program/session.hpp"
#include "report/run_result.hpp"
#include "verbs.hpp"

namespace isogon::cli {

Json worst_points_json(const KeptNeighbors& kept) {
    Json json = Json::array();
    for (const auto& worst : kept.worst()) {
        json.push_back({{"point", worst.point}, {"kept", worst.share}});
    }
    return json;
}

std::string worst_points_text(const KeptNeighbors& kept) {
    const auto worst = kept.worst(3);
    std::string text;
    for (const auto& point : worst) {
        text +=
            fmt::format("{} point {} ({:.0f}%)", text.empty() ? "fewest kept:" : ",", point.point, 100.0 * point.share);
    }
    return text.empty() ? text : text + "\n";
}

Json to_json(const Score& score) {
    Json json = faithfulness_json(score);
    json["deviation_without_self_degrees"] = score.deviation_without_self_degrees;
    json["jaccard_without_self"] = score.jaccard_without_self;
    json[fmt::format("all_kept_at_{}", score.neighbors)] = score.all_kept;
    json[fmt::format("kept_in_order_at_{}", score.neighbors)] = score.kept_in_order;
    json["worst_points"] = worst_points_json(score.kept);
    json["trustworthiness"] = score.trustworthiness;
    json["continuity"] = score.continuity;
    if (score.knn_accuracy) {
        json["knn_accuracy"] = *score.knn_accuracy;
    }
    if (score.knn_accuracy_inputs) {
        json["knn_accuracy_inputs"] = *score.knn_accuracy_inputs;
    }
    json["metrics"] = to_json(score.metrics);
    json["points"] = score.points;
    json["threshold"] = score.threshold;
    json["sparsity"] = score.sparsity;
    json["isolated"] = score.isolated;
    json["zero_vectors"] = score.zero_vectors;
    json["angle_rows"] = score.angle_rows;
    json["rank_rows"] = score.rank_rows;
    return json;
}

std::string nearest_text(const SideMetrics& metrics) {
    const auto by = [](std::string_view metric) { return metric == "euclidean" ? "distance" : metric; };
    const std::string_view input = by(metrics.input_name());
    const std::string_view output = by(metrics.output_name());
    if (metrics.inner_product) {
        return fmt::format("nearest by {}, found by inner product", input);
    }
    return input == output ? fmt::format("nearest by {}", input)
                           : fmt::format("nearest by {} in X, by {} in Y", input, output);
}

Json to_json(const SideMetrics& metrics) {
    return {{"input", metrics.input_name()}, {"output", metrics.output_name()}};
}

std::string described(const Score& score) {
    const std::string all = fmt::format("all {} kept", score.neighbors);
    std::string text = faithfulness_text(score, nearest_text(score.metrics)) +
                       measure_line(all, score.all_kept, "of the points; 1 is perfect") +
                       measure_line(all + ", in order", score.kept_in_order, "and in the same order") +
                       measure_line("trustworthiness", score.trustworthiness, "no false neighbours: 1") +
                       measure_line("continuity", score.continuity, "no lost neighbours: 1");
    if (score.knn_accuracy) {
        const std::string inputs =
            score.knn_accuracy_inputs ? fmt::format(" (X itself: {:.4f})", *score.knn_accuracy_inputs) : "";
        text += measure_line("k-nn accuracy", *score.knn_accuracy, "of labels, each point left out in turn" + inputs);
    }
    text += worst_points_text(score.kept);
    const std::string angles =
        score.angle_rows < score.points ? fmt::format("angles of {} rows, ", score.angle_rows) : "";
    text += fmt::format(
        "{} points, threshold {:.4f} (sparsity {:.4f}), {} isolated, {} zero vectors, {}ranks over {} rows\n",
        score.points, score.threshold, score.sparsity, score.isolated, score.zero_vectors, angles, score.rank_rows);
    return text;
}

namespace {

/// The reference of `score --against F G`: the fitted inputs and their coordinates.
struct Fitted {
    std::string x_file;
    std::string y_file;
    Input x;
    Input y;
};

void require_paired(const Fitted& fitted) {
    if (fitted.y.points.count != fitted.x.points.count) {
        throw InputError(fitted.y_file, "",
                         fmt::format("{} points, where {} has {}; --against takes the inputs that were fitted and the "
                                     "coordinates that they got, row by row, and --every and --from pick none of them: "
                                     "if the fit took every K-th row, isogon convert --every K copies those",
                                     fitted.y.points.count, fitted.x_file, fitted.x.points.count));
    }
}

void require_same_dimension(const std::string& file, const Input& fitted, const Input& input, const std::string& what,
                            const std::string& remedy) {
    if (fitted.points.dimension != input.points.dimension) {
        throw InputError(file, "",
                         fmt::format("points of {} numbers, where {} have {}; {}", fitted.points.dimension, what,
                                     input.points.dimension, remedy));
    }
}

/// Reads F with the flags of reading but all rows, as --every and --from select rows of X; and G. `files` are their
/// names, `x` and `y` the scored points. Throws InputError for an invalid file, and if F, G, x and y do not match.
Fitted read_fitted(const std::vector<std::string>& files, const InputFlags& flags, const Input& x, const Input& y,
                   Session& session) {
    Fitted fitted{files.front(), files.back(), {}, {}};
    fitted.x = read_input({fitted.x_file}, with_columns(of_all_rows(flags), x.columns), Finite::Required, session);
    fitted.y = read_input({fitted.y_file}, {}, Finite::Required, session);
    require_paired(fitted);
    require_same_dimension(fitted.x_file, fitted.x, x, "the inputs",
                           "--against takes the fitted inputs first, which are of the same kind as X");
    require_same_dimension(fitted.y_file, fitted.y, y, "the coordinates",
                           "--against takes the fitted coordinates second, which are of the same dimension as Y");
    return fitted;
}

/// The measures and counts, and "against": {"inputs": F, "outputs": G, "points": n}.
Json cross_score_json(const CrossScore& score, const Fitted& fitted) {
    Json json = faithfulness_json(score);
    json["points"] = score.points;
    json["threshold"] = score.threshold;
    json["isolated"] = score.isolated;
    json["zero_vectors"] = score.zero_vectors;
    json["metrics"] = to_json(score.metrics);
    json["against"] = {{"inputs", fitted.x_file}, {"outputs", fitted.y_file}, {"points", score.fitted}};
    return json;
}

std::string cross_score_text(const CrossScore& score) {
    return faithfulness_text(score, nearest_text(score.metrics)) +
           fmt::format("{} points against {} fitted ones, threshold {:.4f}, {} isolated, {} zero vectors\n",
                       score.points, score.fitted, score.threshold, score.isolated, score.zero_vectors);
}

// Names in messages for the two forms of the verb, whose options differ.
constexpr const char* plain_form = "score";
constexpr const char* against_form = "score --against";

struct ScoreVerb {
    std::vector<std::string> files;  ///< files of x, then the one of y, as cp has its target last
    std::vector<std::string> labels;
    std::string analogies;
    std::vector<std::string> against;  ///< empty, or the fitted inputs and their coordinates
    std::string result;                ///< result of embed --json
    InputFlags reading;
    OptionFlags options;
};

/// The scored points and the names of their files.
struct ScoreInput {
    const ScoreVerb& verb;
    std::vector<std::string> x_files;
    std::string y_file;
    Input x;
    Input y;
};

ScoreInput read_score_input(const ScoreVerb& verb, Session& session) {
    require_result(verb.result);
    ScoreInput input{verb, {verb.files.begin(), verb.files.end() - 1}, verb.files.back(), {}, {}};
    input.x = read_input(input.x_files, verb.reading, Finite::Required, session);
    input.y = read_input({input.y_file}, {}, Finite::Required, session);
    require_same_count(input.x.points.count, input.y.points.count, input.y_file);
    return input;
}

/// The run that made the coordinates, if it is known.
std::optional<ReportRun> made_by(const ScoreInput& input, Session& session) {
    return run_that_made(input.y_file, input.y.points.count, input.y.points.dimension, input.verb.result, session);
}

/// Says by which run metrics and threshold were taken.
void note_run(const ScoreInput& input, const std::optional<ReportRun>& run, Outcome& outcome) {
    if (!run) {
        outcome.json["result_file"] = nullptr;
        return;
    }
    const std::string file = input.verb.result.empty() ? record_path(input.y_file) : input.verb.result;
    outcome.json["result_file"] = file;
    outcome.text +=
        fmt::format("metrics and threshold, where none are given, are those of {} in {}\n", run->method, file);
}

/// Adds what all kinds of scores have besides their measures.
void complete(Outcome& outcome, const OptionValues& options, const ScoreInput& input, const Summary& summary,
              const Session& session) {
    outcome.warnings = in_flags(summary.warnings);
    outcome.json["options"] = to_json(options);
    outcome.json["input"] = input_json(input.x_files, input.verb.reading, input.x);
    outcome.json["coordinates"] = input_json({input.y_file}, {}, input.y);
    add_run(outcome.json, summary, session);
    outcome.json["version"] = ISOGON_VERSION;
}

/// Reduces the default number of neighbours to the number of points; a number set by the user is not changed.
std::string take_fewer_neighbors(int& neighbors, const OptionValues& given, std::int64_t most) {
    if (given.contains("neighbors") || neighbors <= most || most < 1) {
        return "";
    }
    neighbors = static_cast<int>(most);
    return fmt::format("{0} neighbours, as there are no more: --neighbors {0} by default\n", neighbors);
}

Outcome run_against(const ScoreVerb& verb, Session& session) {
    const OptionValues given = verb.options.values(against_form);
    CrossScoreOptions options = cross_score_option_table().make(given);
    const ScoreInput input = read_score_input(verb, session);
    const auto run = made_by(input, session);
    if (run) {
        ScoreOptions known{
            .threshold = options.threshold, .metric = options.metric, .output_metric = options.output_metric};
        use_options_of(*run, known);
        options.threshold = known.threshold;
        options.metric = known.metric;
        options.output_metric = known.output_metric;
    }
    const Fitted fitted = read_fitted(verb.against, verb.reading, input.x, input.y, session);
    const std::string fewer = take_fewer_neighbors(options.neighbors, given, fitted.x.points.count);
    const CrossScore result =
        cross_score(input.x.points, input.y.points, fitted.x.points, fitted.y.points, options, session.context());
    require_finished(result.summary);
    session.end_progress();

    Outcome outcome;
    outcome.text = cross_score_text(result) + fewer;
    outcome.json = cross_score_json(result, fitted);
    note_run(input, run, outcome);
    complete(outcome, cross_score_option_table().values(options), input, result.summary, session);
    return outcome;
}

Outcome run_alone(const ScoreVerb& verb, Session& session) {
    const OptionValues given = verb.options.values(plain_form);
    ScoreOptions options = score_option_table().make(given);
    const ScoreInput input = read_score_input(verb, session);
    const auto run = made_by(input, session);
    if (run) {
        use_options_of(*run, options);
    }
    const Input& x = input.x;
    const std::string fewer = take_fewer_neighbors(options.neighbors, given, std::int64_t{x.points.count} - 1);
    const auto labels = read_picked_labels(verb.labels, verb.reading, x).values;
    std::optional<AnalogyTask> task;
    if (!verb.analogies.empty()) {
        task = prepare_analogies(verb.analogies, x, input.y);
    }

    Score result = score(x.points, input.y.points, labels, options, session.context());
    require_finished(result.summary);
    std::optional<AnalogyComparison> analogies;
    if (task) {
        analogies = compare_analogies(*task, x, input.y, session, result.summary);
    }
    session.end_progress();

    Outcome outcome;
    outcome.text = described(result) + fewer + (analogies ? described(*analogies) : "");
    outcome.json = to_json(result);
    note_run(input, run, outcome);
    if (analogies) {
        outcome.json["analogies"] = to_json(*analogies);
    }
    complete(outcome, score_option_table().values(options), input, result.summary, session);
    return outcome;
}

void require_fitting_flags(const ScoreVerb& verb) {
    static_cast<void>(files_of_inputs(verb.files));
    const std::string remedy = "; leave it out, or score X and Y without --against";
    if (!verb.against.empty() && !verb.labels.empty()) {
        throw UsageError(
            "--labels with --against: the accuracy is that of votes among the scored points themselves, which "
            "--against does not compare with each other" +
            remedy);
    }
    if (!verb.against.empty() && !verb.analogies.empty()) {
        throw UsageError(
            "--analogies with --against: the answers are looked for among the scored points themselves, which "
            "--against does not compare with each other" +
            remedy);
    }
}

Outcome run(const ScoreVerb& verb, Session& session) {
    require_fitting_flags(verb);
    return verb.against.empty() ? run_alone(verb, session) : run_against(verb, session);
}

}  // namespace

Command add_score(CLI::App& app) {
    const auto verb = std::make_shared<ScoreVerb>();
    app.add_option("X... Y", verb->files,
                   "Files of the inputs, stacked in their order, and last the file of their coordinates")
        ->required();
    add_value(app, "--labels FILE", verb->labels,
              "Class numbers of the inputs: adds knn_accuracy. Give it once for each file, in their order")
        ->allow_extra_args(false);
    add_value(app, "--analogies FILE", verb->analogies,
              "Questions \"a is to b as c is to d\", as in word2vec's questions-words.txt, also as .gz: adds how many "
              "of them X and Y answer rightly. X or Y must have words");
    add_value(app, "--against F G", verb->against,
              "Scores points that were placed after a fit: F are the inputs that were fitted and G their "
              "coordinates. Pairs are then those of X with F and of Y with G")
        ->expected(2)
        ->allow_extra_args(false);
    add_value(app, "--result FILE", verb->result,
              "What isogon embed --json printed when it made Y: metrics and the threshold, where you give none, are "
              "then those of that fit. Not needed where Y.json, as embed leaves it, stands beside Y");
    verb->options.add(app, "command",
                      {{plain_form, score_option_table().specs()}, {against_form, cross_score_option_table().specs()}});
    add_input_flags(app, verb->reading);
    app.footer(
        "--every and --from pick rows of X and of the labels, as embed did; Y is taken whole, and so\n"
        "are F and G. F is read as X is (--format, --header, ...), and auto takes the threshold from F.\n"
        "Each point's pair with itself counts among the near pairs of X and Y, as in Saul 2022 (not of\n"
        "--against). Recall is over points that are no zero vectors in X. Of more than --angle-rows points\n"
        "pairs are those of a sample with all points, and isolated points those of the sample.\n"
        "Neighbours are nearest by --metric in X and by --output-metric in Y: for a map give those of its\n"
        "fit, as --metric cosine --output-metric euclidean, or --result. By default those of the fit that\n"
        "made Y, as the file beside it (small.npy.json) says; without one distances judge both sides. The\n"
        "result says which.\n"
        "The words that --analogies asks for are those of X, or of Y if X has none. A word that is not\n"
        "among them is tried in small letters. Categories named gram... are syntactic, all others\n"
        "semantic. In JSON, analogies.x and analogies.y hold semantic_accuracy, syntactic_accuracy,\n"
        "accuracy, questions, covered, correct and categories.\n"
        "\n"
        "Examples:\n"
        "  isogon score vectors.npy small.npy\n"
        "  isogon score vectors.npy umap.csv --metric cosine\n"
        "  isogon score vectors.npy small.npy --result small.json\n"
        "  isogon score unseen.npy placed.npy --against vectors.npy small.npy\n"
        "  isogon score words.vec.gz small.npy --analogies questions-words.txt\n"
        "  isogon score train-images-idx3-ubyte t10k-images-idx3-ubyte fold0.npy --every 5 --from 0 --threshold 0.75 "
        "\\\n"
        "      --labels train-labels-idx1-ubyte --labels t10k-labels-idx1-ubyte --json");
    return [verb](Session& session) {
        verb->reading.other_files.assign(verb->files.begin(), verb->files.end() - 1);
        if (!verb->against.empty()) {
            verb->reading.other_files.push_back(verb->against.front());  // F is read as X is
        }
        return run(*verb, session);
    };
}

}  // namespace isogon::cli

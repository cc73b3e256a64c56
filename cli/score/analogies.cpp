#include "score/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "io/word_lists.hpp"
#include "program/failure.hpp"

namespace isogon::cli {

namespace {

Json accuracy_json(const AnalogyTally& tally) {
    const auto accuracy = tally.accuracy();
    return accuracy ? Json(*accuracy) : Json();
}

Json category_json(const AnalogyCategory& category) {
    return {{"name", category.name},
            {"kind", category.syntactic ? "syntactic" : "semantic"},
            {"questions", category.tally.questions},
            {"covered", category.tally.covered},
            {"correct", category.tally.correct},
            {"accuracy", accuracy_json(category.tally)}};
}

Json score_json(const AnalogyScore& score) {
    Json categories = Json::array();
    for (const auto& category : score.categories) {
        categories.push_back(category_json(category));
    }
    return {{"semantic_accuracy", accuracy_json(score.semantic)},
            {"syntactic_accuracy", accuracy_json(score.syntactic)},
            {"accuracy", accuracy_json(score.all)},
            {"questions", score.all.questions},
            {"covered", score.all.covered},
            {"correct", score.all.correct},
            {"categories", std::move(categories)}};
}

/// A category name from a file, shortened and with only printable characters.
std::string shown(const std::string& name) {
    constexpr std::size_t widest = 32;
    std::string text = name.size() > widest ? name.substr(0, widest - 3) + "..." : name;
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
}

std::string table_line(const std::string& what, const AnalogyTally& x, const AnalogyTally& y) {
    const auto share = [](const AnalogyTally& tally) {
        const auto accuracy = tally.accuracy();
        return accuracy ? fmt::format("{:.4f}", *accuracy) : std::string("-");
    };
    return fmt::format("{:<32} {:>9} {:>9} {:>8} {:>8}\n", what, x.questions, x.covered, share(x), share(y));
}

void warn_of_other_words(AnalogyTask& task, const Input& x, const Input& y) {
    if (x.words.empty() || y.words.empty()) {
        return;
    }
    const auto [in_x, in_y] = std::mismatch(x.words.begin(), x.words.end(), y.words.begin(), y.words.end());
    if (in_x != x.words.end()) {
        task.warnings.push_back(
            fmt::format("the words of the inputs and of the coordinates differ, first in row {}: are the rows in the "
                        "same order? The analogies take the words of the inputs",
                        in_x - x.words.begin()));
    }
}

void require_complete(const Summary& summary) {
    if (summary.termination != Termination::Converged) {
        throw Interruption{summary.termination};
    }
}

}  // namespace

AnalogyTask prepare_analogies(const std::string& file, const Input& x, const Input& y) {
    if (x.words.empty() && y.words.empty()) {
        throw UsageError("--analogies " + file +
                         ": neither the inputs nor the coordinates have words, so no row can be asked for; give the "
                         "inputs as word vectors (.vec or .bin), or as a table whose words --word-column names");
    }
    AnalogyTask task{file, read_questions(file), x.words.empty() ? y.words : x.words, {}};
    warn_of_other_words(task, x, y);
    return task;
}

AnalogyComparison compare_analogies(const AnalogyTask& task, const Input& x, const Input& y, Session& session,
                                    Summary& summary) {
    const PhaseTimer timer(summary, "analogies");
    AnalogyComparison comparison{task.file, {}, {}};
    comparison.x = score_analogies(x.points, task.words, task.questions, session.context());
    require_complete(comparison.x.summary);
    comparison.y = score_analogies(y.points, task.words, task.questions, session.context());
    require_complete(comparison.y.summary);
    // Both have the same words, so the library returns the same warnings twice.
    std::copy(task.warnings.begin(), task.warnings.end(), std::back_inserter(summary.warnings));
    const auto& more = comparison.x.summary.warnings;
    std::copy(more.begin(), more.end(), std::back_inserter(summary.warnings));
    return comparison;
}

Json to_json(const AnalogyComparison& comparison) {
    return {{"file", comparison.file}, {"x", score_json(comparison.x)}, {"y", score_json(comparison.y)}};
}

std::string described(const AnalogyComparison& comparison) {
    std::string text = fmt::format("\n{:<32} {:>9} {:>9} {:>8} {:>8}\n", "analogies", "questions", "covered", "X", "Y");
    for (std::size_t i = 0; i < comparison.x.categories.size(); ++i) {
        const auto& category = comparison.x.categories[i];
        text += table_line(shown(category.name), category.tally, comparison.y.categories[i].tally);
    }
    text += table_line("all semantic", comparison.x.semantic, comparison.y.semantic);
    text += table_line("all syntactic", comparison.x.syntactic, comparison.y.syntactic);
    text += table_line("all", comparison.x.all, comparison.y.all);
    return text + "X and Y: share of the covered questions whose fourth word is the nearest; 1 is perfect\n";
}

}  // namespace isogon::cli

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "isogon/io/word_lists.hpp"
#include "isogon/quality/analogies.hpp"
#include "reproduce/figures.hpp"
#include "reproduce/tsm_quality.hpp"

namespace isogon::cli {

namespace {

constexpr const char* other_data =
    "The paper's 25,124 FastText vectors are not available. Ours: 8,000 words of GoogleNews, 300 numbers each; of the "
    "19,544 questions those "
    "whose four words are among them. Accuracies of different words cannot agree in numbers.";

/// Data of the figure and the table.
struct Words {
    Input input;
    AnalogyQuestions questions;
};

Words read_words(FigureContext& context) {
    return {context.words(), read_questions(context.file(data_files::questions.front()))};
}

struct Accuracy {
    Curve semantic;
    Curve syntactic;
};

void require_whole(const AnalogyScore& score) {
    if (score.summary.termination != Termination::Converged) {
        throw Interruption{score.summary.termination};
    }
}

AnalogyScore analogy_score(const PointsView& points, const Words& words, FigureContext& context) {
    AnalogyScore score = score_analogies(points, words.input.words, words.questions, context.run_context());
    require_whole(score);
    return score;
}

Accuracy accuracy_of(const std::string& method, const Words& words, const std::vector<std::int64_t>& dimensions,
                     CachedRuns& runs, FigureContext& context) {
    Accuracy accuracy{{"isogon " + method, SeriesRole::Ours, {}}, {"isogon " + method, SeriesRole::Ours, {}}};
    for (const std::int64_t dimension : dimensions) {
        const CachedFit fit = required_fit(runs, {method, {{"dimension", dimension}}});
        const AnalogyScore score = analogy_score(fit.fitted.coordinates.view(), words, context);
        accuracy.semantic.values[static_cast<double>(dimension)] = score.semantic.accuracy().value_or(0.0);
        accuracy.syntactic.values[static_cast<double>(dimension)] = score.syntactic.accuracy().value_or(0.0);
    }
    return accuracy;
}

/// Answers single questions, for a table of a few; slow. Rows have unit length.
class Answers {
public:
    Answers(Points points, const std::vector<std::string>& words) : points_(std::move(points)), words_(words) {
        const std::vector<double> lengths = norms(points_.view());
        for (Index i = 0; i < points_.count(); ++i) {
            rows_.emplace(words[i], i);
            for (float& value : points_[i]) {
                value = lengths[i] > 0.0 ? static_cast<float>(value / lengths[i]) : 0.0F;
            }
        }
    }

    [[nodiscard]] std::optional<Index> row(const std::string& word) const {
        const auto found = rows_.find(word);
        return found == rows_.end() ? std::nullopt : std::optional(found->second);
    }

    /// The word nearest to b - a + c, other than these three.
    [[nodiscard]] const std::string& answer(const std::array<Index, 3>& terms) const {
        std::vector<double> wanted(points_.dimension());
        for (Index k = 0; k < points_.dimension(); ++k) {
            wanted[k] = double{points_[terms[1]][k]} - points_[terms[0]][k] + points_[terms[2]][k];
        }
        Index best = 0;
        double nearest = -1e300;
        for (Index i = 0; i < points_.count(); ++i) {
            double product = 0.0;
            for (Index k = 0; k < points_.dimension(); ++k) {
                product += wanted[k] * points_[i][k];
            }
            if (product > nearest && std::find(terms.begin(), terms.end(), i) == terms.end()) {
                nearest = product;
                best = i;
            }
        }
        return words_[best];
    }

private:
    Points points_;
    const std::vector<std::string>& words_;
    std::map<std::string, Index> rows_{};
};

/// The first question of each category that TSM answers correctly and SVD does not.
std::vector<std::vector<ChartCell>> examples(const Words& words, const Answers& tsm, const Answers& svd,
                                             FigureContext& context) {
    std::vector<std::vector<ChartCell>> rows;
    std::set<Index> done;
    for (const auto& question : words.questions.questions) {
        throw_if_cancelled(context.run_context());
        const auto a = tsm.row(question.words[0]);
        const auto b = tsm.row(question.words[1]);
        const auto c = tsm.row(question.words[2]);
        if (!a || !b || !c || !tsm.row(question.words[3]) || done.contains(question.category)) {
            continue;
        }
        const std::string& ours = tsm.answer({*a, *b, *c});
        const std::string& theirs = svd.answer({*a, *b, *c});
        if (ours == question.words[3] && theirs != ours) {
            const std::string& category = words.questions.categories[question.category];
            rows.push_back({is_syntactic(category) ? "syntactic" : "semantic", category,
                            fmt::format("({}, {})", question.words[0], question.words[1]), question.words[2], ours,
                            theirs});
            done.insert(question.category);
        }
    }
    return rows;
}

}  // namespace

ChartDocument tsm_analogies_figure(FigureContext& context) {
    const Words words = read_words(context);
    const std::vector<std::int64_t> dimensions = plotted_dimensions(context);
    CachedRuns runs(words.input.points, {}, context.cache(), context.session());
    const Accuracy svd = accuracy_of("svd", words, dimensions, runs, context);
    const Accuracy tsm = accuracy_of("tsm", words, dimensions, runs, context);
    const AnalogyScore all = analogy_score(words.input.points, words, context);
    ChartDocument document;
    const ChartAxis x{"dimensions", AxisScale::Log};
    const ChartAxis y{"share of questions answered correctly"};
    add_curves(document.charts, document.tables, {"Semantic analogies: other data than the paper's", x, y, other_data},
               {tsm.semantic,
                svd.semantic,
                {"TSM, published (FastText)", SeriesRole::Published, published::words::tsm_semantic},
                {"SVD, published (FastText)", SeriesRole::Published, published::words::svd_semantic}});
    add_curves(document.charts, document.tables, {"Syntactic analogies: other data than the paper's", x, y, other_data},
               {tsm.syntactic,
                svd.syntactic,
                {"TSM, published (FastText)", SeriesRole::Published, published::words::tsm_syntactic},
                {"SVD, published (FastText)", SeriesRole::Published, published::words::svd_syntactic}});
    document.notes = {definitions::analogies, definitions::variants, published::reading_error,
                      fmt::format("All 300 numbers: {:.3f} semantic of {} questions, {:.3f} syntactic of {}; the "
                                  "paper's vectors, 0.91 and 0.84.",
                                  all.semantic.accuracy().value_or(0.0), all.semantic.covered,
                                  all.syntactic.accuracy().value_or(0.0), all.syntactic.covered)};
    return document;
}

ChartDocument tsm_examples_table(FigureContext& context) {
    constexpr std::int64_t dimension = 32;
    const Words words = read_words(context);
    CachedRuns runs(words.input.points, {}, context.cache(), context.session());
    const CachedFit tsm = required_fit(runs, {"tsm", {{"dimension", dimension}}});
    const CachedFit svd = required_fit(runs, {"svd", {{"dimension", dimension}}});
    ChartDocument document;
    document.tables = {{"Analogies that TSM completes in 32 dimensions and SVD does not",
                        {"type", "category", "prompt", "query", "isogon tsm (right)", "isogon svd (wrong)"},
                        examples(words, Answers(tsm.fitted.coordinates, words.input.words),
                                 Answers(svd.fitted.coordinates, words.input.words), context),
                        "The first such question of each category; categories without one are left out."}};
    document.notes = {
        definitions::analogies, other_data,
        "The paper's own examples, such as (boy, girl) father: TSM mother, SVD daughter, are of its own words."};
    return document;
}

}  // namespace isogon::cli

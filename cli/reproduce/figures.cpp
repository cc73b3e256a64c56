#include "reproduce/figures.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "isogon/core/error.hpp"
#include "program/failure.hpp"

namespace isogon::cli {

Chart chart_of(const CurveLabels& labels, const std::vector<Curve>& curves) {
    Chart chart{labels.title, labels.x, labels.y, {}, labels.note};
    for (const auto& curve : curves) {
        ChartSeries series{curve.name, curve.role, {}};
        for (const auto& [x, y] : curve.values) {
            series.points.push_back({x, y});
        }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

ChartTable table_of(const CurveLabels& labels, const std::vector<Curve>& curves) {
    ChartTable table{labels.title + " (" + labels.y.label + ")", {labels.x.label}, {}, labels.note};
    std::set<double> places;
    for (const auto& curve : curves) {
        table.columns.push_back(curve.name);
        for (const auto& [x, y] : curve.values) {
            places.insert(x);
        }
    }
    for (const double x : places) {
        std::vector<ChartCell> row{x};
        for (const auto& curve : curves) {
            const auto found = curve.values.find(x);
            row.push_back(cell_of(found == curve.values.end() ? std::nullopt : std::optional(found->second)));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

void add_curves(std::vector<Chart>& charts, std::vector<ChartTable>& tables, const CurveLabels& labels,
                const std::vector<Curve>& curves) {
    charts.push_back(chart_of(labels, curves));
    tables.push_back(table_of(labels, curves));
}

using data_files::testing;
using data_files::training;

std::string FigureContext::file(const std::string& name) const {
    return (data_ / name).string();
}

void FigureContext::require(const std::string& figure, const std::vector<std::string>& files) const {
    std::string missing;
    for (const auto& name : files) {
        std::error_code ignored;
        if (data_.empty() || !std::filesystem::is_regular_file(data_ / name, ignored)) {
            missing += (missing.empty() ? "" : ", ") + (data_ / name).string();
        }
    }
    if (!missing.empty() && data_.empty()) {
        throw UsageError(figure + " needs " + missing + "; name the folder that holds them with --data");
    }
    if (!missing.empty()) {
        throw UsageError(missing + ": not there, where " + figure +
                         " needs it; docs/data.md says where the public gets data");
    }
}

Input FigureContext::labelled(const std::vector<std::string>& points, const std::vector<std::string>& labels,
                              std::int64_t every, std::int64_t from) {
    InputFlags flags;
    flags.every = std::to_string(every);
    flags.from = std::to_string(from);
    std::vector<std::string> files;
    files.reserve(points.size());
    for (const auto& name : points) {
        files.push_back(file(name));
    }
    Input input = read_input(files, flags, Finite::Required, session_);
    files.clear();
    for (const auto& name : labels) {
        files.push_back(file(name));
    }
    if (!files.empty()) {
        set_labels(input, read_picked_labels(files, flags, input.rows_in_files));
    }
    return input;
}

Input FigureContext::digits(std::int64_t every, std::int64_t from) {
    return labelled({training[0], testing[0]}, {training[1], testing[1]}, every, from);
}

Input FigureContext::training_digits(std::int64_t every) {
    return labelled({training[0]}, {training[1]}, every);
}

Input FigureContext::test_digits(std::int64_t every) {
    return labelled({testing[0]}, {testing[1]}, every);
}

Input FigureContext::words() {
    return read_input({file(data_files::words.front())}, {}, Finite::Required, session_);
}

CachedFit required_fit(CachedRuns& runs, const FitRequest& wanted) {
    CachedFit fit = runs.fit(wanted);
    if (!fit.refused.empty()) {
        throw InputError(wanted.method, "", fit.refused);
    }
    return fit;
}

std::string with_commas(std::uint64_t number) {
    const std::string digits = std::to_string(number);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        text.append(i > 0 && (digits.size() - i) % 3 == 0 ? "," : "").push_back(digits[i]);
    }
    return text;
}

namespace {

struct Paper {
    std::string_view source;
    std::string_view citation;
};

constexpr std::array papers{
    Paper{"Saul 2022",
          "L. K. Saul, \"A geometrical connection between sparse and low-rank matrices and its application to manifold "
          "learning\", Transactions on Machine Learning Research, 2022."},
    Paper{"Vladymyrov 2013",
          "M. Vladymyrov and M. A. Carreira-Perpinan, \"Locally linear landmarks for large-scale manifold learning\", "
          "ECML 2013."},
    Paper{"Weinberger 2005",
          "K. Q. Weinberger, B. D. Packer and L. K. Saul, \"Nonlinear dimensionality reduction by semidefinite "
          "programming and kernel matrix factorization\", AISTATS 2005."},
    Paper{"Draganov 2023",
          "A. Draganov and S. Dohn, \"Unexplainable Explanations: Towards Interpreting tSNE and UMAP Embeddings\", "
          "2023."},
};

}  // namespace

std::string citation_of(std::string_view source) {
    for (const auto& paper : papers) {
        if (source.starts_with(paper.source)) {
            return std::string(paper.citation);
        }
    }
    return "";
}

const std::vector<Figure>& figures() {
    using namespace data_files;
    static const Files digits = both(training, testing);
    static const std::vector<Figure> list{
        {"tsm-1",
         "A sparse matrix of rank 6 from one of rank 2",
         "Saul 2022, figure 1",
         {},
         "1 s",
         "",
         false,
         tsm_example_figure},
        {"tsm-2", "Angles to the nearest neighbour against all angles", "Saul 2022, figure 2", both(digits, words),
         "1 s", "points", false, tsm_angles_figure},
        {"tsm-3", "Mean angular deviation by dimension", "Saul 2022, figure 3", both(digits, words), "4 min", "points",
         true, tsm_deviation_figure},
        {"tsm-4", "Jaccard index by dimension", "Saul 2022, figure 4", both(digits, words), "4 min, shared with tsm-3",
         "points", true, tsm_jaccard_figure},
        {"tsm-5", "Analogies by dimension (other words)", "Saul 2022, figure 5", both(words, questions),
         "4 min, shared with tsm-3", "dimensions", true, tsm_analogies_figure},
        {"tsm-6", "Mean angular deviation with LLX", "Saul 2022, figure 6", digits, "23 min", "points", true,
         tsm_llx_deviation_figure},
        {"tsm-7", "Jaccard index with LLX", "Saul 2022, figure 7", digits, "23 min, shared with tsm-6", "points", true,
         tsm_llx_jaccard_figure},
        {"tsm-8", "The loss over the updates", "Saul 2022, figure 8", both(digits, words), "34 s", "points", false,
         tsm_loss_figure},
        {"tsm-9", "Jaccard index of Isomap, TSM and SVD by dimension", "Saul 2022, figure 9", digits, "34 s", "points",
         false, tsm_isomap_figure},
        {"tsm-11", "Eigenvalues of Isomap's Gram matrix", "Saul 2022, figure 11", digits, "34 s, shared with tsm-9",
         "points", false, tsm_spectrum_figure},
        {"tsm-table-1", "Analogies that TSM completes and SVD does not (other words)", "Saul 2022, table 1",
         both(words, questions), "4 min, shared with tsm-3", "", false, tsm_examples_table},
        {"lll-landmarks", "Error and time of landmarks against exact eigenmaps", "Vladymyrov 2013, experiment 1",
         training, "36 s", "points", false, lll_landmarks_figure},
        {"lll-roll",
         "Choosing sigma and k on landmarks, a Swiss roll",
         "Vladymyrov 2013, experiment 2",
         {},
         "8 s",
         "points",
         false,
         lll_roll_figure},
        {"lll-classes", "Choosing sigma and k by 1-nn errors of digits", "Vladymyrov 2013, experiment 3", digits,
         "55 s", "points", false, lll_classes_figure},
        {"lsde-roll",
         "A Swiss roll unrolled",
         "Weinberger 2005, the Swiss roll",
         {},
         "8 s",
         "points",
         false,
         lsde_roll_figure},
        {"lsde-object", "Views of a rotating object: a ring", "Weinberger 2005, the rotating object", objects, "1 s",
         "", false, lsde_object_figure},
        {"lsde-digits", "1-nn error of digits by dimension, and the spectrum", "Weinberger 2005, the digits of USPS",
         postal_digits, "31 s", "points", false, lsde_digits_figure},
        {"forces-2", "PCA by gradient descent", "Draganov 2023, figure 2", digits, "5 s", "steps", false,
         forces_pca_figure},
        {"forces-3", "Maps by PCA and LLE with two kernels, t-SNE and UMAP", "Draganov 2023, figure 3", digits, "33 s",
         "points", false, forces_maps_figure},
    };
    return list;
}

const Figure& find_figure(std::string_view name) {
    const auto& list = figures();
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const Figure& figure) { return figure.name == name; });
    if (found == list.end()) {
        std::string names;
        std::vector<std::string> known;
        for (const auto& figure : list) {
            known.push_back(figure.name);
            names += (names.empty() ? "" : ", ") + figure.name;
        }
        throw UsageError(std::string(name) + ": no such figure; there are " + names + did_you_mean(name, known) +
                         "; isogon reproduce list tells what they show");
    }
    return *found;
}

}  // namespace isogon::cli

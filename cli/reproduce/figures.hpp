#pragma once
// Figures of papers: the data and curves that they share, the list of all, and the folder that one is written to.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compare/cached_runs.hpp"
#include "files/input_files.hpp"
#include "isogon/report/chart.hpp"
#include "program/session.hpp"

namespace isogon::cli::data_files {

// Files of the folder --data; docs/data.md says where to get them.
using Files = std::vector<std::string>;

inline const Files training{"mnist/train-images-idx3-ubyte.gz", "mnist/train-labels-idx1-ubyte.gz"};
inline const Files testing{"mnist/t10k-images-idx3-ubyte.gz", "mnist/t10k-labels-idx1-ubyte.gz"};
inline const Files words{"wordvectors/googlenews-word2vec-8000x300.vec.gz"};
inline const Files questions{"analogies/questions-words.txt.gz"};
inline const Files objects{"coil-20/coil20-32x32-images-idx3-float.gz", "coil-20/coil20-labels-idx1-ubyte.gz"};
inline const Files postal_digits{"usps/usps11000-images-idx3-ubyte.gz", "usps/usps11000-labels-idx1-ubyte.gz"};

/// Concatenates two lists.
[[nodiscard]] inline Files both(Files one, const Files& other) {
    one.insert(one.end(), other.begin(), other.end());
    return one;
}

/// "mnist/, wordvectors/": the folders of the files.
[[nodiscard]] inline std::string folders_of(const Files& files) {
    std::string folders;
    for (const auto& file : files) {
        const std::string folder = file.substr(0, file.find('/') + 1);
        if (folders.find(folder) == std::string::npos) {
            folders += (folders.empty() ? "" : ", ") + folder;
        }
    }
    return folders;
}

}  // namespace isogon::cli::data_files

namespace isogon::cli {

/// A computed or published curve: y by x.
struct Curve {
    std::string name;
    SeriesRole role = SeriesRole::Ours;
    std::map<double, double> values{};
};

/// Titles of a chart and of the table that belongs to it.
struct CurveLabels {
    std::string title{};
    ChartAxis x{};
    ChartAxis y{};
    std::string note{};
};

[[nodiscard]] Chart chart_of(const CurveLabels& labels, const std::vector<Curve>& curves);

/// A row for each x that any curve has, a column for each curve, empty where it has no value.
[[nodiscard]] ChartTable table_of(const CurveLabels& labels, const std::vector<Curve>& curves);

/// Adds both to the lists of a document.
void add_curves(std::vector<Chart>& charts, std::vector<ChartTable>& tables, const CurveLabels& labels,
                const std::vector<Curve>& curves);

/// Data sets by name and cached runs, which figures share.
class FigureContext {
public:
    /// `dimensions`: replaces the dimensions of figures over the dimension; empty: those of the figure.
    FigureContext(std::filesystem::path data, bool quick, std::vector<std::int64_t> dimensions, RunCache& cache,
                  Session& session)
        : data_(std::move(data)), quick_(quick), dimensions_(std::move(dimensions)), cache_(cache), session_(session) {}

    /// Whether --quick is set.
    [[nodiscard]] bool quick() const { return quick_; }
    /// The dimensions of a figure: those of --dims, else `own`.
    [[nodiscard]] std::vector<std::int64_t> dimensions(const std::vector<std::int64_t>& own) const {
        return dimensions_.empty() ? own : dimensions_;
    }
    [[nodiscard]] Session& session() { return session_; }
    [[nodiscard]] const RunContext& run_context() const { return session_.context(); }
    [[nodiscard]] RunCache& cache() { return cache_; }

    /// The 70,000 digits of MNIST, train followed by test, every `every`-th of them from `from` on, with labels. Fold f
    /// of the papers is every 5th from f.
    [[nodiscard]] Input digits(std::int64_t every, std::int64_t from = 0);
    /// Those for training, or those for testing, alone.
    [[nodiscard]] Input training_digits(std::int64_t every);
    [[nodiscard]] Input test_digits(std::int64_t every);
    /// 8,000 words of GoogleNews, 300 numbers each: not the words of the papers, which are not available.
    [[nodiscard]] Input words();
    /// The path of a file of the data folder.
    [[nodiscard]] std::string file(const std::string& name) const;
    /// Throws UsageError naming missing files. `figure`: the figure that needs them.
    void require(const std::string& figure, const std::vector<std::string>& files) const;
    /// Points and labels of two files.
    [[nodiscard]] Input labelled(const std::vector<std::string>& points, const std::vector<std::string>& labels,
                                 std::int64_t every = 1, std::int64_t from = 0);

private:
    std::filesystem::path data_;
    bool quick_;
    std::vector<std::int64_t> dimensions_;
    RunCache& cache_;
    Session& session_;
};

/// Runs the fit; throws InputError if it is refused.
[[nodiscard]] CachedFit required_fit(CachedRuns& runs, const FitRequest& wanted);

/// "14,000"
[[nodiscard]] std::string with_commas(std::uint64_t number);

/// A figure or table of a source, as this program makes it.
struct Figure {
    std::string name;                ///< "tsm-3": its name on the command line
    std::string title;               ///< what it shows
    std::string source;              ///< "Saul 2022, figure 3, left"
    std::vector<std::string> needs;  ///< files of the data folder (data_files)
    std::string takes;               ///< run time as measured on two fast cores (docs/reproduction.md): "9 min"
    std::string quick;               ///< what --quick reduces: "points"; empty: nothing
    bool has_dimensions = false;     ///< over the dimension, so that --dims applies
    /// Makes our results and the published ones; the caller adds title, origin, citation and the note on --quick. The
    /// required files must exist. Throws Interruption, and what its steps throw.
    ChartDocument (*make)(FigureContext&) = nullptr;
};

/// All figures, ordered by source.
[[nodiscard]] const std::vector<Figure>& figures();

/// Throws UsageError listing the known names.
[[nodiscard]] const Figure& find_figure(std::string_view name);

/// The figures and the table of L. K. Saul, "A geometrical connection between sparse and low-rank matrices and its
/// application to manifold learning", Transactions on Machine Learning Research, 2022; figure 10 is a drawing.
[[nodiscard]] ChartDocument tsm_example_figure(FigureContext& context);        ///< 1
[[nodiscard]] ChartDocument tsm_angles_figure(FigureContext& context);         ///< 2
[[nodiscard]] ChartDocument tsm_deviation_figure(FigureContext& context);      ///< 3
[[nodiscard]] ChartDocument tsm_jaccard_figure(FigureContext& context);        ///< 4
[[nodiscard]] ChartDocument tsm_analogies_figure(FigureContext& context);      ///< 5
[[nodiscard]] ChartDocument tsm_llx_deviation_figure(FigureContext& context);  ///< 6
[[nodiscard]] ChartDocument tsm_llx_jaccard_figure(FigureContext& context);    ///< 7
[[nodiscard]] ChartDocument tsm_loss_figure(FigureContext& context);           ///< 8
[[nodiscard]] ChartDocument tsm_isomap_figure(FigureContext& context);         ///< 9
[[nodiscard]] ChartDocument tsm_spectrum_figure(FigureContext& context);       ///< 11
[[nodiscard]] ChartDocument tsm_examples_table(FigureContext& context);        ///< table 1

/// The experiments of M. Vladymyrov and M. A. Carreira-Perpinan, "Locally linear landmarks for large-scale manifold
/// learning", ECML 2013; the available slides show the curves without numbers.
[[nodiscard]] ChartDocument lll_landmarks_figure(
    FigureContext& context);                                             ///< error and time by the number of landmarks
[[nodiscard]] ChartDocument lll_roll_figure(FigureContext& context);     ///< choosing sigma and k on a Swiss roll
[[nodiscard]] ChartDocument lll_classes_figure(FigureContext& context);  ///< choosing them by 1-nn errors on digits

/// The experiments of K. Q. Weinberger, B. D. Packer and L. K. Saul, "Nonlinear dimensionality reduction by
/// semidefinite programming and kernel matrix factorization", AISTATS 2005; most numbers are missing in the available
/// text.
[[nodiscard]] ChartDocument lsde_roll_figure(FigureContext& context);    ///< a Swiss roll of 20,000 points
[[nodiscard]] ChartDocument lsde_object_figure(FigureContext& context);  ///< a rotating object: a ring
[[nodiscard]] ChartDocument lsde_digits_figure(FigureContext& context);  ///< 11,000 digits: 1-nn error by dimension

/// Figures of A. Draganov and S. Dohn, "Unexplainable Explanations: Towards Interpreting tSNE and UMAP Embeddings",
/// 2023.
[[nodiscard]] ChartDocument forces_pca_figure(FigureContext& context);  ///< 2: PCA by gradient descent
[[nodiscard]] ChartDocument forces_maps_figure(
    FigureContext& context);  ///< 3: PCA and LLE with two kernels, t-SNE, UMAP

/// The full citation of the paper of a source ("Saul 2022, figure 3"); "" for an unknown one.
[[nodiscard]] std::string citation_of(std::string_view source);

/// Checks before work starts: throws UsageError if the folder of a figure cannot be written, or is not empty without
/// --overwrite. Its parent folder must exist. Creates nothing.
void require_figure_folder(const std::filesystem::path& folder, const Session& session);

/// Writes a figure: data.json, report.html, each table as .csv, each chart and map as .svg and .csv. All files are
/// first written to a temporary folder, so that a full disk leaves the folder unchanged; then they are moved, and files
/// of an earlier version of the figure (chart-9.svg) are removed. Other files stay. Returns the paths. Throws
/// OutputError.
[[nodiscard]] std::vector<std::string> write_figure_folder(const std::filesystem::path& folder,
                                                           const ChartDocument& document, Session& session);

}  // namespace isogon::cli

namespace isogon::cli::definitions {

// Definitions of terms, as notes of several figures.
inline constexpr const char* deviation =
    "Mean angular deviation: the difference between angles of outputs and of inputs, over pairs of inputs whose cosine "
    "is above the threshold tau, each point's pair with itself counted.";
inline constexpr const char* jaccard =
    "Jaccard index: pairs whose cosine is above the threshold tau among inputs and among outputs, over those that are "
    "in either; 1: "
    "the same pairs. Each point's pair with itself counts.";
inline constexpr const char* variants =
    "tsm: thresholded similarity matching, the paper's method; svd: the linear projection that keeps most; faithful: "
    "isogon's own.";
inline constexpr const char* analogies =
    "(a, b) c: a is to b as c is to which word? The answer is the word nearest to b - a + c by cosine, these three "
    "left out.";
inline constexpr const char* llx =
    "LLX, locally linear extension: outputs of new points are those that are reconstructed best from their neighbours' "
    "by the weights that reconstruct the inputs (eqs. 14 and 15).";
inline constexpr const char* isomap =
    "Isomap: distances are lengths of shortest paths through a graph, here that of the pairs above tau; coordinates "
    "are scaled eigenvectors of the Gram matrix of these distances.";
inline constexpr const char* extensions =
    "LLL: the eigenproblem of all points, restricted to combinations of landmarks, each point a combination of its K_Z "
    "nearest. LE(Z): that of the landmarks alone, all others combined by the same weights Z. LE(Nys.): that of the "
    "landmarks alone, all others by Nystrom's formula.";
inline constexpr const char* lsde =
    "lsde: landmark semidefinite embedding, which pulls points apart as far as distances between neighbours allow, all "
    "of them being mixtures of some landmarks. Share of the trace: an eigenvalue of the outputs' Gram matrix over the "
    "sum of all.";
inline constexpr const char* nearest_label = "1-nn error: the share of digits whose nearest one has another label.";

}  // namespace isogon::cli::definitions

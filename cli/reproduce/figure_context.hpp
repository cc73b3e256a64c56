#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
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

}  // namespace isogon::cli

namespace isogon::cli {

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

}  // namespace isogon::cli

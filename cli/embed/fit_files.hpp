#pragma once
#include <optional>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/methods/registry.hpp"
#include "program/cli11_types.hpp"
#include "program/session.hpp"
#include "report/report_flags.hpp"

namespace isogon::cli {

/// The files of a fit besides its input and output: report, model, checkpoint, start.
struct FitFlags {
    ReportFlags report;
    std::string model;
    std::string store = "map";
    std::string checkpoint;
    std::string checkpoint_every = "60s";
    std::string resume;
    std::string start;
    std::string affinities;
    std::string save_neighbors;
    std::string save_affinities;
};

/// Adds --report with the flags of a report, --model, --store, --checkpoint, --checkpoint-every, --resume,
/// --start-from, --affinity-graph, --save-neighbors and --save-affinities.
void add_fit_flags(CLI::App& app, FitFlags& flags);

/// Those files, checked before work starts, and kept while the fit runs.
class FitFiles {
public:
    /// `inputs`: what the fit reads besides the files of `flags`. Throws UsageError for flags that this method cannot
    /// serve and files that could not be written; InputError for a checkpoint or a start that cannot be read.
    FitFiles(const FitFlags& flags, const Method& method, const OptionValues& options,
             const std::vector<std::string>& inputs, const std::string& output, Session& session);

    /// Reads the user's own affinities, if there are any. Throws InputError unless they are of so many points.
    void read_affinities(Index points);
    /// States what the model will take beside the fit. Throws LimitExceeded.
    void reserve_for_model(const DistributedPoints& x, std::int64_t dimension);
    /// The ranks that divide the fit's graph; null: none.
    void divide_among(const SpectralRanks* ranks) { extras_.ranks = ranks; }
    /// The user's own neighbour lists of all points, for a method that starts from neighbours. Where ranks divide the
    /// graph those of the own points are kept.
    void start_from_neighbors(NeighborLists lists);
    /// Embeds with what the files hold, and writes checkpoints on the way; with landmarks, if there are any, for a
    /// method that takes them itself.
    [[nodiscard]] Embedding embed(const Method& method, const DistributedPoints& points, const OptionValues& options,
                                  const LandmarkOptions& landmarks);
    /// What the files hold, for a method that is called otherwise.
    [[nodiscard]] const FitExtras& extras() const { return extras_; }
    /// Writes the model if one is wanted, and tells its name, else "".
    std::string write_model(const Method& method, const PointsView& x, const Embedding& fitted);

private:
    void require_graph_flags(const Method& method) const;
    void keep_graphs(const OptionValues& options);
    void write_checkpoint(const Archive& archive);

    const FitFlags& flags_;
    Session& session_;
    Input start_;
    NeighborLists lists_;
    CsrMatrix<double> affinities_;
    std::optional<Archive> resume_;
    FitExtras extras_;
};

/// How a fit went, for people: what embed says of it, however its points were held.
struct FitReport {
    std::string output;  ///< the file
    std::string method;
    Index points = 0;
    Index dimension = 0;
    Index input_dimension = 0;
};

[[nodiscard]] std::string result_text(const FitReport& report, const Summary& summary, const Session& session);

}  // namespace isogon::cli

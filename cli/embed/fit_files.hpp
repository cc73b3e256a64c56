#pragma once
// The files of a fit, besides its input and coordinates: what else it reads and writes, and the fit of landmarks alone.

#include <optional>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/methods/registry.hpp"
#include "program/command_line.hpp"
#include "program/session.hpp"
#include "report/report_file.hpp"
#include "verbs.hpp"

namespace isogon::cli {

/// The files of a fit besides its input and output: report, model, checkpoint, start.
struct FitFlags {
    ReportFlags report;
    std::string model;
    std::string map;  ///< empty: the model gets no map for queries
    std::string checkpoint;
    std::string checkpoint_every = "60s";
    std::string resume;
    std::string start;
};

/// Adds --report, --labels, --model, --map, --checkpoint, --checkpoint-every, --resume and --start-from.
void add_fit_flags(CLI::App& app, FitFlags& flags);

/// These files: checked before work starts, and open during the fit.
class FitFiles {
public:
    /// `inputs`: other inputs of the fit. Throws UsageError for flags that the method does not support and files that
    /// cannot be written; InputError for a checkpoint or a start that cannot be read.
    FitFiles(const FitFlags& flags, const Method& method, const OptionValues& options,
             const std::vector<std::string>& inputs, const std::string& output, Session& session);

    /// For --target-weight: takes the labels of --labels, else the points' own. Throws UsageError where there are none.
    void take_labels(const InputFlags& reading, const Input& input);
    /// The columns of the points, which the model keeps.
    void take_columns(const ColumnNames& columns) { columns_ = columns; }
    /// States the memory of the model. Throws LimitExceeded.
    void reserve_for_model(const DistributedPoints& x, std::int64_t dimension);
    /// The ranks among which the graph of the fit is distributed; null: none.
    void set_graph_ranks(const SpectralRanks* ranks) { extras_.ranks = ranks; }
    /// Neighbour lists of all points, given by the user, for a method that starts from neighbours. If the graph is
    /// distributed, only the lists of the own points are kept.
    void start_from_neighbors(NeighborLists lists);
    /// Embeds with the content of the files, and writes checkpoints; with landmarks, if there are any, for a method
    /// that has landmarks of its own.
    [[nodiscard]] Embedding embed(const Method& method, const DistributedPoints& points, const OptionValues& options,
                                  const LandmarkOptions& landmarks);
    /// The content of the files, for calls other than embed().
    [[nodiscard]] const FitExtras& extras() const { return extras_; }
    /// Writes the model if it is requested; returns its path, else "".
    std::string write_model(const Method& method, const PointsView& x, const Embedding& fitted);

private:
    void require_label_flags() const;
    void write_checkpoint(const Archive& archive);
    void add_map(Archive& model);

    const FitFlags& flags_;
    Session& session_;
    bool by_labels_;  ///< labels count in the fit
    Input start_;
    NeighborLists lists_;
    std::vector<std::int64_t> labels_;
    ColumnNames columns_;
    std::optional<Archive> resume_;
    FitExtras extras_;
};

/// Description of a fit in the output for people.
struct FitReport {
    std::string output;  ///< the file
    std::string method;
    Index points = 0;
    Index dimension = 0;
    Index input_dimension = 0;
};

[[nodiscard]] std::string result_text(const FitReport& report, const Summary& summary, const Session& session);

/// The request to embed, besides the method.
struct LandmarkRequest {
    const std::vector<std::string>& inputs;
    const std::string& output;
    const InputFlags& reading;
    const FitFlags& fit;
    const std::string& neighbor_graph;
};

/// embed --landmarks: fits some of the points and extends the fit to all, reading and writing block by block.
[[nodiscard]] Outcome embed_landmarks(const LandmarkRequest& request, const Method& method, const OptionValues& options,
                                      const LandmarkOptions& landmarks, Session& session);

}  // namespace isogon::cli

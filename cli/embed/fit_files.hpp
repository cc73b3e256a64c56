#pragma once
// The files of a fit, besides its input and coordinates: what else it reads and writes, and the fit of landmarks alone.

#include <optional>
#include <string>
#include <vector>

#include "embed/start_file.hpp"
#include "files/input_files.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/method.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/registry/registry.hpp"
#include "program/command_line.hpp"
#include "program/option_flags.hpp"
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
    std::string targets;
};

/// Adds --report, --labels, --model, --map, --checkpoint, --checkpoint-every, --resume, --start-from and
/// --targets.
void add_fit_flags(CLI::App& app, FitFlags& flags);

/// The command line of isogon embed.
struct Embed {
    std::vector<std::string> inputs;
    std::string output;
    std::string method = "faithful";
    InputFlags reading;
    FitFlags fit;
    OptionFlags options;
    OptionFlags landmarks;
    std::string neighbor_graph;
    bool keep_columns = false;
};

/// The method of a fit and its options.
struct FitPlan {
    const Method& method;
    OptionValues options;
    LandmarkOptions landmarks;

    [[nodiscard]] bool on_landmarks() const { return landmarks.landmarks != 0; }
};

/// The files of a fit: checked before work starts, and open during the fit.
class FitFiles {
public:
    /// `flags`: of the files that this rank reads and writes. Throws UsageError for flags that the method does not
    /// support and files that cannot be written; InputError for a checkpoint or a start that cannot be read.
    FitFiles(const FitFlags& flags, const Embed& embed, const FitPlan& plan, Session& session);

    /// The columns of the points, which the model keeps.
    void take_columns(const ColumnNames& columns) { columns_ = columns; }
    /// take_columns(), then states the memory of the model and reads neighbours, labels and start of the points. Throws
    /// LimitExceeded; InputError for files that do not fit the points; UsageError where --target-weight finds no
    /// labels.
    void take_points(const DistributedPoints& x, const InputFacts& facts);
    /// The inputs are a sparse matrix, which must outlive the fit.
    void take_sparse(const CsrMatrix<double>& inputs) { extras_.sparse = &inputs; }
    /// The ranks among which the graph of the fit is distributed; null: none.
    void set_graph_ranks(const SpectralRanks* ranks) { extras_.ranks = ranks; }
    /// Embeds with the content of the files, and writes checkpoints; with landmarks, if there are any, for a method
    /// that has landmarks of its own.
    [[nodiscard]] Embedding fit(const DistributedPoints& points);
    /// The content of the files, for calls other than embed().
    [[nodiscard]] const FitExtras& extras() const { return extras_; }
    /// Writes the model if it is requested; returns its path, else "".
    std::string write_model(const PointsView& x, const Embedding& fitted);

private:
    void require_label_flags() const;
    void reserve_for_model(const DistributedPoints& x);
    void read_neighbors(Index points);
    void take_labels(const InputFacts& facts);
    void write_checkpoint(const Archive& archive);
    void add_map(Archive& model);

    const FitFlags& flags_;
    const Embed& embed_;
    const FitPlan& plan_;
    Session& session_;
    bool by_labels_;  ///< labels count in the fit
    std::optional<StartFile> start_;
    NeighborLists lists_;
    std::vector<std::int64_t> labels_;
    Input targets_;
    ColumnNames columns_;
    std::optional<Archive> resume_;
    FitExtras extras_;
};

/// The result of a fit, as the output tells of it.
struct FitReport {
    Index points = 0;  ///< those of the output
    Index dimension = 0;
    Index input_points = 0;
    Index input_dimension = 0;
    OptionValues options{};
    const KeptNeighbors* kept = nullptr;
};

/// For people, once the coordinates have been written.
[[nodiscard]] std::string result_text(const Embed& embed, const FitReport& report, const Summary& summary,
                                      const Session& session);
/// `output`: empty if none has been written.
[[nodiscard]] Json result_json(const std::string& output, const Embed& embed, const FitReport& report,
                               const Summary& summary, const Session& session);

/// embed --landmarks: fits some of the points and extends the fit to all, reading and writing block by block.
[[nodiscard]] Outcome embed_landmarks(const Embed& embed, const FitPlan& plan, Session& session);

}  // namespace isogon::cli

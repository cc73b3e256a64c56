#pragma once
// The report that other verbs write besides their own output, and its flags.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/core/points.hpp"
#include "isogon/report/report.hpp"
#include "program/command_line.hpp"
#include "program/session.hpp"
#include "verbs.hpp"

namespace isogon::cli {

/// Flags of a report, as the command line spells them, and its options.
struct ReportFlags {
    std::string file;  ///< where the report goes; empty: none is wanted
    std::vector<std::string> labels;
    std::vector<std::string> words;
    std::string columns;
    std::string image_shape;
    bool no_images = false;
    std::string title;
    ReportOptions options{};
};

/// Adds --columns.
void add_columns_flag(CLI::App& app, ReportFlags& flags);

/// Adds --labels.
void add_labels_flag(CLI::App& app, ReportFlags& flags);

/// Adds --labels, --columns, --words, --image-shape, --no-images and --title.
void add_report_flags(CLI::App& app, ReportFlags& flags);

/// Program, date (UTC), command line, machine, memory and seconds of this run so far.
[[nodiscard]] ReportOrigin report_origin(const Session& session);

/// The report of a verb: labels, words, columns and image shape are read before the work starts, the page is made after
/// it.
class ReportFile {
public:
    /// Reads labels and words of the inputs, those of `facts` where the flags name no files, and whether the inputs are
    /// images. Does nothing if no report is requested. Throws InputError; InvalidArgument, also for a shape of images
    /// that does not match `dimension`.
    ReportFile(const ReportFlags& flags, const std::vector<std::string>& inputs, const InputFlags& reading,
               const InputFacts& facts, Index dimension);

    /// Reads the columns, if the flags name any. Throws as read_columns().
    void take_columns(const InputFlags& reading, const InputFacts& facts, const Session& session);

    [[nodiscard]] bool wanted() const { return !flags_.file.empty(); }

    /// Makes the report of points in memory, and writes it; `name`: of the coordinates. Throws as make_report();
    /// Interruption if the session's context ends it; OutputError.
    [[nodiscard]] Report write(const PointsView& inputs, const PointsView& coordinates, const std::string& name,
                               const std::optional<ReportRun>& run, Session& session) const;
    /// The same for points that are streamed: reads only those that are shown.
    [[nodiscard]] Report write(const RowSource& inputs, const RowSource& coordinates, const std::string& name,
                               const std::optional<ReportRun>& run, Session& session) const;

    /// Writes the report of a fit, and adds it to `outcome`; if it fails, the coordinates stay. There is none if no
    /// coordinates were written or after a run that ended early.
    template <class Inputs, class Coordinates>
    void write_after_fit(const Inputs& inputs, const Coordinates& coordinates, const ReportRun& run, Session& session,
                         Outcome& outcome) const {
        add_to(outcome, [&] { return write(inputs, coordinates, run.method, run, session); });
    }

private:
    void add_to(Outcome& outcome, const std::function<Report()>& write) const;
    void number_by_file(ReportSubject& subject) const;
    [[nodiscard]] Report make(ReportSubject subject, Session& session) const;

    ReportFlags flags_;
    Classes labels_;
    std::vector<std::string> words_;
    std::vector<PointColumn> columns_;
    std::optional<ImageShape> images_;
    std::vector<Index> picked_;  ///< the rows of the files that the inputs are; empty: all
};

/// The file of a report, the measures of its coordinates and of the SVD, and its warnings.
[[nodiscard]] Json to_json(const Report& report, const std::string& file);
[[nodiscard]] std::string described(const Report& report, const std::string& file);

}  // namespace isogon::cli

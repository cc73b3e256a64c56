#include "methods/joint_landmarks.hpp"

#include "methods/joint_extension.hpp"

namespace isogon {

namespace {

/// What the fit has told, with what the extension adds.
Summary joined(const Summary& fitted, const Summary& extension, bool complete) {
    Summary summary = fitted;
    summary.seconds.insert(summary.seconds.end(), extension.seconds.begin(), extension.seconds.end());
    summary.count("landmarks", extension.value("landmarks"));
    summary.count("placed", extension.value("unknown"));
    summary.count("unreached", extension.value("unreached"));
    summary.count("extension_neighbors", extension.value("neighbors"));
    summary.count("extension_iterations", extension.value("iterations"));
    summary.measure("extension_residual", extension.value("residual"));
    summary.measure("neighbor_recall", extension.value("neighbor_recall", 1.0));
    summary.warnings.insert(summary.warnings.end(), extension.warnings.begin(), extension.warnings.end());
    if (!complete) {
        summary.termination = extension.termination;
        summary.message = extension.message;
    }
    return summary;
}

}  // namespace

Summary extend_by_llx(const LandmarkFit& fit, const RowSource& source, RowSink& sink,
                      const LocallyLinearOptions& options, const RunContext& context, const NeighborLists* lists) {
    Summary reading;
    const std::uint64_t bytes = std::uint64_t{source.count()} * source.dimension() * sizeof(float);
    require_memory(context, {{"all points", bytes}},
                   "raise the limit, or use the extension placement, which works block by block");
    Points points(source.count(), source.dimension());
    {
        const PhaseTimer timer(reading, "read");
        source.read(0, points.values());
    }
    const LocallyLinearExtension extension =
        extend_among(points.view(), fit.rows, fit.fitted.coordinates.view(), lists, options, beside(context, bytes));
    const Termination end = extension.summary.termination;
    const bool complete = !extension.outputs.empty() && end != Termination::TimeLimit && end != Termination::Cancelled;
    Summary summary = joined(fit.fitted.summary, extension.summary, complete);
    summary.seconds.insert(summary.seconds.end(), reading.seconds.begin(), reading.seconds.end());
    if (complete) {
        sink.write(extension.outputs.view());
    }
    return summary;
}

}  // namespace isogon

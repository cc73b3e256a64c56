#include "isogon/transform/new_point_map.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/finite_result.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"

namespace isogon {

namespace {

/// A few rows are always farther than most of the fitted ones (LocalPlacement::share_within).
void warn_of_rows_beyond(Index rows, Summary& summary) {
    constexpr double most_share_beyond = 0.01;
    const double beyond = summary.value(beyond_fit, 0.0);
    if (beyond > most_share_beyond * rows) {
        summary.warn(to_text(OptionValue{static_cast<std::int64_t>(beyond)}) + " of " + std::to_string(rows) +
                     " rows lie farther from all fitted points than 999 of 1000 of these from each other: the fit does "
                     "not know such rows, and their coordinates mean little");
    }
}

}  // namespace

void NewPointMap::require_dimension(const PointsView& rows) const {
    if (rows.dimension != input_dimension()) {
        throw InvalidArgument("input dimension", std::to_string(rows.dimension),
                              "must be " + std::to_string(input_dimension()) + ", that of the fitted points");
    }
}

Transformed NewPointMap::transform(const PointsView& rows, const RunContext& context) const {
    require_dimension(rows);
    Transformed result;
    Summary& summary = result.summary;
    summary.threads = context.thread_count();
    const PhaseTimer timer(summary, "transform");
    try {
        result.coordinates = coordinates_of(rows, result, context);
        warn_of_rows_beyond(rows.count, summary);
        summary.message = std::to_string(rows.count) + " points, each on its own";
        fail_unless_finite(result.coordinates, summary);
    } catch (const Interruption& interruption) {
        result.coordinates = Points();
        result.nearest.clear();
        summary.termination = interruption.reason;
        summary.message = "ended before all points had coordinates";
    }
    return result;
}

namespace {

// Placement runs 32 panels of 48 rows between two looks at the context: a block of whole groups leaves no thread idle.
constexpr Index group_rows = 32 * 48;

Index block_rows(const NewPointMap& map, Index count) {
    return rows_per_block(count, std::uint64_t{map.input_dimension()} + map.output_dimension(), group_rows);
}

void require_fitting(const NewPointMap& map, const RowSource& source, const GivenRows& given) {
    if (source.dimension() != map.input_dimension()) {
        throw InvalidArgument("input dimension", std::to_string(source.dimension()),
                              "must be " + std::to_string(map.input_dimension()) + ", that of the fitted points");
    }
    const bool known = given.rows.size() == given.coordinates.count &&
                       (given.rows.empty() ||
                        (given.coordinates.dimension == map.output_dimension() && given.rows.back() < source.count()));
    if (!known || !std::is_sorted(given.rows.begin(), given.rows.end())) {
        throw InvalidArgument("given rows", std::to_string(given.rows.size()),
                              "must be ascending numbers of rows, with coordinates of dimension " +
                                  std::to_string(map.output_dimension()) + " for each");
    }
}

void add_counts(const Summary& part, Summary& sum) {
    for (const auto& count : part.counts) {
        const auto found = std::find_if(sum.counts.begin(), sum.counts.end(),
                                        [&](const auto& item) { return item.first == count.first; });
        if (found == sum.counts.end()) {
            sum.counts.push_back(count);
        } else {
            found->second += count.second;
        }
    }
}

/// Some of the rows, at equal distances.
std::vector<Index> examined_rows(Index count) {
    constexpr Index one_in = 50;
    const Index wanted = std::min(count, std::clamp<Index>(count / one_in, 10, 100));
    std::vector<Index> rows;
    for (std::uint64_t i = 0; i < wanted; ++i) {
        rows.push_back(static_cast<Index>(i * count / wanted));
    }
    return rows;
}

/// False when the context has ended the run.
bool examine_some(const NewPointMap& map, const RowSource& source, const RunContext& context, Summary& summary) {
    const PhaseTimer timer(summary, "comparison");
    try {
        map.examine(read_rows(source, examined_rows(source.count())).view(), summary, context);
    } catch (const Interruption& interruption) {
        summary.termination = interruption.reason;
        summary.message = "ended before any point had coordinates";
        return false;
    }
    return true;
}

/// Adds the rows from `first` on that belong to the ten farthest.
void keep_farthest(Index first, std::span<const float> distances, std::vector<FarRow>& farthest) {
    constexpr std::ptrdiff_t most_rows = 10;
    for (std::size_t i = 0; i < distances.size(); ++i) {
        if (distances[i] > 0.0F) {
            farthest.push_back({static_cast<Index>(first + i), distances[i]});
        }
    }
    const auto end = farthest.begin() + std::min(most_rows, std::ssize(farthest));
    std::partial_sort(farthest.begin(), end, farthest.end(), [](const FarRow& a, const FarRow& b) {
        return a.distance != b.distance ? a.distance > b.distance : a.row < b.row;
    });
    farthest.erase(end, farthest.end());
}

/// One pass over the rows.
class Pass {
public:
    Pass(const NewPointMap& map, const RowSource& source, const RunContext& context, const GivenRows& given)
        : map_(map),
          source_(source),
          inner_(beside(context, transform_rows_bytes(map, source.count()))),
          given_(given),
          step_(block_rows(map, source.count())),
          block_(step_, source.dimension()) {
        inner_.on_iteration = nullptr;  // progress is over all rows, not over those of a block
    }

    /// The next rows, in input and coordinates; false when the context has ended the run.
    bool advance(RowSink& sink, TransformedRows& result) {
        Summary& summary = result.summary;
        const Index rows = std::min(step_, source_.count() - done_);
        const auto values = block_.values().first(std::size_t{rows} * source_.dimension());
        {
            const PhaseTimer timer(summary, "read");
            source_.read(done_, values);
        }
        Points outputs = transformed(PointsView(values.data(), rows, source_.dimension()), result);
        if (outputs.empty()) {
            return false;
        }
        const PhaseTimer timer(summary, "write");
        sink.write(outputs.view());
        done_ += rows;
        return true;
    }

    [[nodiscard]] Index done() const { return done_; }

private:
    Points transformed(const PointsView& rows, TransformedRows& result) {
        Summary& summary = result.summary;
        const PhaseTimer timer(summary, "transform");
        Transformed part = transform_block(rows);
        if (part.coordinates.empty()) {
            summary.termination = part.summary.termination;
            // The map knows the rows of a block only.
            summary.message = source_.place(done_) + ", rows counted from there: " + part.summary.message;
            return {};
        }
        add_counts(part.summary, summary);
        keep_farthest(done_, part.nearest, result.farthest);
        for (; next_given_ < given_.rows.size() && given_.rows[next_given_] < done_ + rows.count; ++next_given_) {
            const auto known = given_.coordinates[static_cast<Index>(next_given_)];
            std::copy(known.begin(), known.end(), part.coordinates[given_.rows[next_given_] - done_].begin());
        }
        return std::move(part.coordinates);
    }

    /// The map knows the rows of a block only, and not what file they come from.
    Transformed transform_block(const PointsView& rows) {
        try {
            return map_.transform(rows, inner_);
        } catch (const InputError& error) {
            throw InputError(source_.place(done_), "rows counted from there", error.text());
        }
    }

    const NewPointMap& map_;
    const RowSource& source_;
    RunContext inner_;
    GivenRows given_;
    Index step_;
    Points block_;
    Index done_ = 0;
    std::size_t next_given_ = 0;
};

}  // namespace

std::uint64_t transform_rows_bytes(const NewPointMap& map, Index rows) {
    const std::uint64_t numbers = std::uint64_t{map.input_dimension()} + map.output_dimension();
    return block_rows(map, rows) * numbers * sizeof(float);
}

TransformedRows transform_rows(const NewPointMap& map, const RowSource& source, RowSink& sink,
                               const RunContext& context, const GivenRows& given) {
    require_fitting(map, source, given);
    require_memory(context, {{"a block of rows", transform_rows_bytes(map, source.count())}}, "raise the limit");
    TransformedRows result;
    Summary& summary = result.summary;
    summary.threads = context.thread_count();
    if (map.is_approximate() && !examine_some(map, source, context, summary)) {
        return result;
    }
    Pass pass(map, source, context, given);
    while (pass.done() < source.count()) {
        if (!pass.advance(sink, result)) {
            if (summary.usable()) {
                summary.message = "ended when " + std::to_string(pass.done()) + " of " +
                                  std::to_string(source.count()) + " points had coordinates";
            }
            return result;
        }
        context.report({"transform", pass.done(), source.count(), 0.0});
    }
    warn_of_rows_beyond(source.count(), summary);
    summary.message = std::to_string(source.count()) + " points, each on its own";
    return result;
}

}  // namespace isogon

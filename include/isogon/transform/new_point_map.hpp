#pragma once
#include <string_view>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"

namespace isogon {

struct Transformed {
    Points coordinates;
    Summary summary;
};

/// Coordinates for points that were not fitted, one implementation for each way to get them. Rows are independent: the
/// same bits alone, in a batch, in any order, on any number of threads.
class NewPointMap {
public:
    NewPointMap() = default;
    virtual ~NewPointMap() = default;

    [[nodiscard]] virtual Index input_dimension() const = 0;
    [[nodiscard]] virtual Index output_dimension() const = 0;
    /// The fitted points that it keeps; 0 for a map that needs none.
    [[nodiscard]] virtual Index fitted_count() const = 0;
    /// How it places rows, if that is the only way: the predicate of an error message, "is a linear map". Empty where
    /// the fitted points may as well be landmarks of another way (mixtures by weights, joint extension).
    [[nodiscard]] virtual std::string_view only_way() const { return {}; }

    /// Throws InvalidArgument for points of another dimension.
    void require_dimension(const PointsView& rows) const;

    /// Throws as require_dimension(), InputError for NaN, infinity, and coordinates beyond
    /// float32. A run that the context ends has no coordinates; its summary says why.
    [[nodiscard]] Transformed transform(const PointsView& rows, const RunContext& context) const;

protected:
    NewPointMap(const NewPointMap&) = default;
    NewPointMap& operator=(const NewPointMap&) = default;
    NewPointMap(NewPointMap&&) = default;
    NewPointMap& operator=(NewPointMap&&) = default;

private:
    /// Coordinates of rows of the right dimension; may add counts to the summary. Throws Interruption.
    [[nodiscard]] virtual Points coordinates_of(const PointsView& rows, Summary& summary,
                                                const RunContext& context) const = 0;
};

}  // namespace isogon

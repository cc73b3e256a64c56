#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/methods/method.hpp"
#include "reference/point_sets.hpp"

/// Checks of embeddings that tests of several methods share. A `fit` is a function of a view of points, a context and
/// extras that returns an Embedding.
namespace isogon::support {

/// A method with these options, as a `fit`.
template <class Options>
auto fit_with(Embedding (*method)(const PointsView&, const Options&, const RunContext&, const FitExtras&),
              const Options& options) {
    return [method, options](const PointsView& points, const RunContext& context, const FitExtras& extras) {
        return method(points, options, context, extras);
    };
}

inline bool same_bits(const Points& a, const Points& b) {
    return std::ranges::equal(a.values(), b.values());
}

inline bool same_bits(const Embedding& a, const Embedding& b) {
    return same_bits(a.coordinates, b.coordinates);
}

inline bool all_finite(const Points& points) {
    return std::ranges::all_of(points.values(), [](float value) { return std::isfinite(value); });
}

/// Every row of y has the length of the row of x, up to a relative error.
inline void expect_lengths_of(const Points& x, const Points& y, double tolerance = 2e-7) {
    const auto expected = norms(x.view());
    const auto actual = norms(y.view());
    for (Index i = 0; i < x.count(); ++i) {
        EXPECT_NEAR(actual[i], expected[i], tolerance * expected[i]) << i;
    }
}

/// The field of the InvalidArgument that `call` throws; "" if it throws none.
template <class Call>
std::string refused_field(const Call& call) {
    try {
        call();
        return "";
    } catch (const InvalidArgument& error) {
        return error.field();
    }
}

/// A context that is cancelled by the report of `done` in `phase`.
inline RunContext cancelled_at(std::string phase, std::uint64_t done) {
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    context.on_iteration = [source, phase = std::move(phase), done](const Progress& progress) mutable {
        if (progress.phase == phase && progress.done == done) {
            source.request_stop();
        }
    };
    return context;
}

/// Cancelled at report `done` of a phase, a fit returns the result of so many iterations, which `counter` counts.
template <class Fit>
void expect_result_when_cancelled(const Points& points, const Fit& fit, const std::string& phase, std::uint64_t done,
                                  const std::string& counter) {
    const Embedding result = fit(points.view(), cancelled_at(phase, done), {});
    EXPECT_EQ(result.summary.termination, Termination::Cancelled);
    EXPECT_EQ(result.summary.value(counter), static_cast<double>(done));
    EXPECT_EQ(result.coordinates.count(), points.count());
}

}  // namespace isogon::support

#pragma once
#include <gtest/gtest.h>

#include <stop_token>

#include "isogon/methods/faithful.hpp"
#include "reference/point_sets.hpp"
#include "support/sanitizers.hpp"

namespace isogon::support {

/// From 30,000 points on no update visits all pairs, and the result says what it favors.
class ManyPoints : public testing::Test {
protected:
    void SetUp() override {
        if (support::under_a_sanitizer()) {
            GTEST_SKIP() << "minutes; the passes and lists that they need are sanitized by their own tests";
        }
    }
    /// A curved surface of 4 dimensions in 8.
    static Points many() {
        const Points flat = reference::random_points(30000, 4, 3, 0.5);
        Points x(flat.count(), 8);
        for (Index i = 0; i < x.count(); ++i) {
            for (Index k = 0; k < 4; ++k) {
                x[i][k] = flat[i][k];
                x[i][4 + k] = 0.3F * flat[i][k] * flat[i][(k + 1) % 4];
            }
        }
        return x;
    }
    static FaithfulOptions options() { return {.dimension = 6, .neighbors = 6, .iterations = 6}; }
    /// Ends a run after so many updates.
    static RunContext stopped_after(int most, std::stop_source& source) {
        RunContext context = reference::on_threads(2);
        context.stop = source.get_token();
        context.on_iteration = [&source, most, updates = 0](const Progress& progress) mutable {
            updates += progress.phase == "matching" ? 1 : 0;
            if (updates == most) {
                source.request_stop();
            }
        };
        return context;
    }
};

}  // namespace isogon::support

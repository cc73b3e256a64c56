// Data times a power of two: every number that a fit, its model and its landmarks give is the same to the last bit,
// times that power where it is a length.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/registry/registry.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"
#include "support/quick_fits.hpp"

namespace isogon::units_of_length_test {
namespace {

using reference::on_threads;
using reference::scaled;

constexpr Index numbers = 3;

/// A method, and one of its metrics, kernels or solvers where it has several.
struct Choice {
    std::string method;
    std::string option{};
    std::string value{};
};

std::string name_of(const Choice& choice) {
    return support::test_name(choice.method + (choice.value.empty() ? "" : "-" + choice.value));
}

std::vector<Choice> choices() {
    std::vector<Choice> all{{"tsm", "solver", "sphere"}};
    for (const Method& method : methods()) {
        const OptionSpec* metric = find_option(method.options, "metric");
        const OptionSpec* spec = metric != nullptr ? metric : find_option(method.options, "kernel");
        if (spec == nullptr) {
            all.push_back({method.name});
            continue;
        }
        for (const std::string& value : spec->choices) {
            if (value != "hamming" && value != "jaccard") {  // these compare zeros and ones, which have no unit
                all.push_back({method.name, spec->name, value});
            }
        }
    }
    return all;
}

/// Numbers that stay the same when they are divided by 2^100.
Points example(Index count, std::uint64_t seed) {
    Points x = support::clustered_points(count, 8, 5, 0.4, seed);
    for (float& value : x.values()) {
        value = std::round(value * 0x1p12F) * 0x1p-12F;
    }
    return x;
}

/// Between all points: products for a kernel, else distances.
Points table_of(const Points& x, bool products) {
    const support::Matrix m = support::to_matrix(x);
    const support::Matrix gram = m * m.transpose();
    Points table(x.count(), x.count());
    for (Index i = 0; i < x.count(); ++i) {
        for (Index j = 0; j < x.count(); ++j) {
            const double square = std::max(0.0, gram(i, i) + gram(j, j) - 2.0 * gram(i, j));
            table[i][j] = static_cast<float>(products ? gram(i, j) : std::sqrt(square));
        }
    }
    return table;
}

/// The power of the data's unit that coordinates have: of eigenvectors of length 1, directions, widths and perplexities
/// none, of kernels the root of theirs.
double power_of(const Choice& choice) {
    const std::string& method = choice.method;
    const std::string& value = choice.value;
    if (method == "kpca") {
        return value == "linear" ? 1.0 : value == "precomputed" ? 0.5 : 0.0;
    }
    if (method == "mds" || method == "isomap" || method == "faithful") {
        return value == "cosine" || value == "correlation" ? 0.0 : 1.0;
    }
    if (method == "lle" || method == "laplacian" || method == "tsne" || method == "umap" || method == "pca2" ||
        method == "lle2") {
        return 0.0;
    }
    return 1.0;
}

/// A result, and the power of the data's unit that it has.
struct Result {
    std::string what;
    Points points;
    double power = 0.0;
};

class EveryUnitOfLength : public testing::TestWithParam<Choice> {
protected:
    [[nodiscard]] static std::vector<Result> results(float factor) {
        const Choice& choice = GetParam();
        const Method& method = find_method(choice.method);
        const bool is_table = choice.value == "precomputed";
        Points x = example(60, 3);
        x = choice.method == "nmf" ? reference::magnitudes(x) : x;
        x = scaled(is_table ? table_of(x, choice.method == "kpca") : x, factor);
        OptionValues options = support::quick_options(choice.method, x.count(), numbers);
        if (!choice.option.empty()) {
            options[choice.option] = choice.value;
        }
        if (is_table && choice.method == "tsne") {
            options["start"] = std::string("random");  // a table has no principal directions
        }
        const double power = power_of(choice);
        const Embedding fitted = method.embed(x.view(), options, on_threads(1));
        EXPECT_TRUE(fitted.summary.usable()) << fitted.summary.message;
        std::vector<Result> all{{"fit", fitted.coordinates, power}};
        const bool starts = method.accepts_init && (choice.method != "tsm" || choice.value == "sphere");
        if (starts && power_of(choice) == 1.0) {
            FitExtras extras;
            extras.start = fitted.coordinates.view();
            all.push_back(
                {"fit from a start", method.embed(x.view(), options, on_threads(1), extras).coordinates, power});
        }
        if (!is_table) {
            Points others = example(31, 4);
            others = scaled(choice.method == "nmf" ? reference::magnitudes(others) : others, factor);
            add_new_points(method, x, fitted, others, power, all);
        }
        add_landmarks(method, x, options, power, all);
        return all;
    }

private:
    static void add_new_points(const Method& method, const Points& x, const Embedding& fitted, const Points& others,
                               double power, std::vector<Result>& all) {
        const RunContext context = on_threads(1);
        Transformer transformer(make_model(method.name, x.view(), fitted), context);
        const auto transform = [&](const char* what, const Points& rows) {
            all.push_back({what, transformer.transform(rows.view(), context).coordinates, power});
        };
        transform("transform of fitted rows", x);
        transform("transform of new rows", others);
        const Points back = all.back().points;
        all.push_back({"inverse", transformer.inverse(context)->transform(back.view(), context).coordinates, 1.0});
        if (!transformer.has_map()) {
            all.push_back({"extend", transformer.extend(others.view(), {}, context).coordinates, power});
            transformer.use_weights({});
            transform("weights", others);
        }
    }

    static void add_landmarks(const Method& method, const Points& x, const OptionValues& options, double power,
                              std::vector<Result>& all) {
        const std::vector<std::pair<const char*, LandmarkExtension>> extensions{
            {"landmarks, placement", LandmarkExtension::Placement},
            {"landmarks, weights", LandmarkExtension::Weights},
            {"landmarks, llx", LandmarkExtension::Llx},
            {"landmarks, lll", LandmarkExtension::Lll},
            {"landmarks, nystrom", LandmarkExtension::Nystrom},
        };
        for (const auto& [what, extension] : extensions) {
            const LandmarkOptions landmarks{.landmarks = 20, .extension = extension};
            try {
                all.push_back({what, from_landmarks(method, x, options, landmarks), power});
            } catch (const InvalidArgument&) {  // the method has no such way
            }
        }
    }

    static Points from_landmarks(const Method& method, const Points& x, const OptionValues& options,
                                 const LandmarkOptions& landmarks) {
        const RunContext context = on_threads(1);
        if (method.fits_on_landmarks) {
            return method.embed(x.view(), options, context, {}, &landmarks).coordinates;
        }
        const ViewRows source(x.view());
        const LandmarkRun run{method, source, landmarks, context};
        const LandmarkFit fit = fit_landmarks(run, options);
        Points y(x.count(), fit.fitted.coordinates.dimension());
        PointsSink sink(y);
        (void)extend_to_all(run, fit, sink);
        return y;
    }
};

INSTANTIATE_TEST_SUITE_P(Registry, EveryUnitOfLength, testing::ValuesIn(choices()),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(EveryUnitOfLength, GivesTheSameToTheLastBit) {
    const std::vector<Result> expected = results(1.0F);
    for (const int exponent : {-100, -40, -20, -10, 10, 20, 40, 100}) {
        SCOPED_TRACE("times 2^" + std::to_string(exponent));
        const std::vector<Result> found = results(static_cast<float>(std::ldexp(1.0, exponent)));
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t r = 0; r < found.size(); ++r) {
            const double unit = std::exp2(exponent * expected[r].power);
            const double least = 0x1p-149 / unit;  // by which numbers of float32 differ
            double worst = 0.0;
            ASSERT_EQ(found[r].points.values().size(), expected[r].points.values().size());
            for (std::size_t k = 0; k < found[r].points.values().size(); ++k) {
                const double there = double{found[r].points.values()[k]} / unit;
                const double off = std::abs(there - double{expected[r].points.values()[k]});
                worst = std::isnan(off) ? off : std::max(worst, off);
            }
            EXPECT_LE(worst, least) << found[r].what;
        }
    }
}

}  // namespace
}  // namespace isogon::units_of_length_test

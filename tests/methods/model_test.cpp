#include "isogon/methods/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "isogon/core/error.hpp"
#include "isogon/registry/registry.hpp"
#include "reference/point_sets.hpp"
#include "support/embeddings.hpp"
#include "support/matching_examples.hpp"

namespace isogon::model_test {
namespace {

using reference::on_threads;
using support::all_finite;
using support::Matrix;
using support::same_bits;
using support::to_matrix;

Points example() {
    return support::clustered_points(120, 12, 8, 0.6, 5);
}

/// Points like those of the example that are not among them.
Points others(Index count = 61) {
    return support::to_points(to_matrix(support::clustered_points(120, 12, 8, 0.6, 5)).topRows(count) +
                              0.1 * support::random_matrix(count, 12, 9));
}

bool is_linear(const std::string& method) {
    return method == "svd" || method == "pca";
}

Embedding fit(const std::string& method, const Points& x) {
    OptionValues options{{"dimension", std::int64_t{4}}};
    if (method == "tsm") {
        options["threshold"] = 0.6;
    }
    if (!is_linear(method)) {
        options["iterations"] = std::int64_t{20};
    }
    return find_method(method).embed(x.view(), options, on_threads(1));
}

Archive model_of(const std::string& method, const Points& x) {
    return make_model(method, x.view(), fit(method, x));
}

Points transformed(const Transformer& transformer, const Points& rows, int threads = 1) {
    return transformer.transform(rows.view(), on_threads(threads)).coordinates;
}

/// The message of the refusal of a model; "" if it is taken and a row of ones gets finite coordinates.
std::string refusal(Archive model) {
    model.source = "map.safetensors";
    try {
        const Transformer transformer(std::move(model), on_threads(1));
        Points row(1, transformer.input_dimension());
        std::fill(row.values().begin(), row.values().end(), 1.0F);
        const Points y = transformed(transformer, row);
        EXPECT_EQ(y.dimension(), transformer.output_dimension());
        EXPECT_TRUE(all_finite(y));
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

void expect_refused(const Archive& model, const std::string& word) {
    const std::string text = refusal(model);
    EXPECT_NE(text.find("map.safetensors"), std::string::npos) << "does not name the file: \"" << text << "\"";
    EXPECT_NE(text.find(word), std::string::npos) << "no \"" << word << "\" in: " << text;
}

Archive without(Archive model, const std::string& array) {
    model.arrays.erase(array);
    return model;
}

template <class Value>
Archive with(Archive model, const std::string& array, Value value) {
    model.arrays.erase(array);
    model.arrays.emplace(array, Array(value));
    return model;
}

Archive with_number(const Archive& model, const std::string& array, double value) {
    return with(model, array, Array{{}, std::vector<double>{value}});
}

class ModelOf : public testing::TestWithParam<const char*> {
protected:
    static std::string method() { return GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Methods, ModelOf, testing::Values("svd", "pca", "tsm", "faithful"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(ModelOf, GivesFittedRowsTheirCoordinatesBitForBit) {
    for (const float factor : {1.0F, 1e-25F, 1e25F}) {
        const Points x = reference::scaled(example(), factor);
        const Embedding fitted = fit(method(), x);
        const Transformer transformer(make_model(method(), x.view(), fitted), on_threads(2));
        EXPECT_EQ(transformer.input_dimension(), 12U);
        EXPECT_EQ(transformer.output_dimension(), 4U);
        EXPECT_TRUE(same_bits(transformed(transformer, x, 2), fitted.coordinates));
    }
}

TEST_P(ModelOf, TreatsEachRowIndependently) {
    const Transformer transformer(model_of(method(), example()), on_threads(1));
    const Points rows = others();
    const Points batch = transformed(transformer, rows);
    EXPECT_TRUE(all_finite(batch));
    EXPECT_TRUE(same_bits(batch, transformed(transformer, rows, 2)));
    EXPECT_TRUE(same_bits(batch, transformed(transformer, rows, 3)));
    const std::vector<Index> order = reference::shuffled(rows.count(), 4);
    EXPECT_TRUE(
        same_bits(reference::reordered(batch, order), transformed(transformer, reference::reordered(rows, order), 2)));
    for (Index i = 0; i < rows.count(); i += 7) {
        const PointsView row(rows[i].data(), 1, rows.dimension());
        const Points alone = transformer.transform(row, on_threads(1)).coordinates;
        EXPECT_TRUE(std::equal(alone.values().begin(), alone.values().end(), batch[i].begin())) << i;
    }
}

TEST_P(ModelOf, SetsNewPointsNearThoseTheyAreNear) {
    const Points x = example();
    const Embedding fitted = fit(method(), x);
    const Points near = support::to_points(to_matrix(x) + 1e-4 * support::random_matrix(120, 12, 3));
    const Transformer transformer(make_model(method(), x.view(), fitted), on_threads(1));
    EXPECT_LT(to_matrix(transformed(transformer, near)).norm(), 2.0 * to_matrix(fitted.coordinates).norm());
    if (is_linear(method())) {
        EXPECT_LT(support::difference(to_matrix(transformed(transformer, near)), to_matrix(fitted.coordinates)), 1e-3);
    }
}

TEST_P(ModelOf, TakesRowsOfAnyLengthThatFloatsHold) {
    const bool goes_by_direction = method() != "faithful" && method() != "pca";  // these go by places
    for (const float of_fit : {1e-25F, 1.0F, 1e25F}) {
        const Transformer transformer(model_of(method(), reference::scaled(example(), of_fit)), on_threads(1));
        const Matrix expected =
            to_matrix(transformed(transformer, reference::scaled(others(9), of_fit))) / double{of_fit};
        for (const float of_rows : {1e-30F, 1e-25F, 1e-10F, 1.0F, 1e10F, 1e25F, 1e37F}) {
            const Points y = transformed(transformer, reference::scaled(others(9), of_rows));
            EXPECT_TRUE(all_finite(y)) << of_fit << " and " << of_rows;
            // A unit of length that is far too long hides what is shorter.
            if ((goes_by_direction || of_rows == of_fit) && !(is_linear(method()) && of_rows < 1e-20F * of_fit)) {
                EXPECT_LT(support::difference(to_matrix(y) / double{of_rows}, expected), 1e-4)
                    << of_fit << " and " << of_rows;
            }
        }
    }
}

/// Far beyond the fit, where float32 may not hold them in the unit of the fit.
TEST(Model, ProjectsLongRowsByTheDefinition) {
    for (const float of_fit : {1.0F, 1e25F}) {
        Matrix moved = to_matrix(example());
        moved.array() += 3.0;  // a centre that can be seen
        const Archive model = model_of("pca", reference::scaled(support::to_points(moved), of_fit));
        const double unit = model.number("unit");
        const auto& directions = model.numbers<double>("directions", {12, 4});
        const auto& center = model.numbers<double>("center", {12});
        const Points rows = reference::scaled(others(5), of_fit * 0x1p25F);
        const Points y = transformed(Transformer(model, on_threads(1)), rows);
        for (Index i = 0; i < 5; ++i) {
            for (Index a = 0; a < 4; ++a) {
                double sum = 0.0;
                for (Index k = 0; k < 12; ++k) {
                    sum += (double{rows[i][k]} - center[k] * unit) * directions[4 * k + a];
                }
                EXPECT_NEAR(double{y[i][a]}, sum, 1e-7 * std::abs(sum));
            }
        }
    }
}

TEST_P(ModelOf, RefusesRowsThatItCannotPlace) {
    const Transformer transformer(model_of(method(), example()), on_threads(1));
    EXPECT_THROW((void)transformed(transformer, Points(2, 11)), InvalidArgument);
    EXPECT_THROW((void)transformed(transformer, Points(2, 13)), InvalidArgument);
    EXPECT_THROW((void)transformed(transformer, Points()), InvalidArgument);
    Points rows = others(3);
    rows[1][2] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW((void)transformed(transformer, rows), InputError);
    rows[1][2] = std::numeric_limits<float>::infinity();
    EXPECT_THROW((void)transformed(transformer, rows), InputError);
    if (method() != "faithful") {  // which places what is far at the edge of the fit
        std::fill(rows[1].begin(), rows[1].end(), std::numeric_limits<float>::max());
        EXPECT_THROW((void)transformed(transformer, rows), InputError);
    }
    EXPECT_EQ(transformed(transformer, Points(0, 12)).count(), 0U);
}

TEST_P(ModelOf, EndsWithoutCoordinatesWhenStopped) {
    const Transformer transformer(model_of(method(), example()), on_threads(1));
    RunContext context;
    context.limit_seconds(0.0);
    const Transformed result = transformer.transform(others().view(), context);
    EXPECT_EQ(result.summary.termination, Termination::TimeLimit);
    EXPECT_TRUE(result.coordinates.empty());
}

TEST_P(ModelOf, KeepsWhatItsMapNeeds) {
    const Points x = example();
    const Embedding fitted = fit(method(), x);
    const Archive map = make_model(method(), x.view(), fitted);
    EXPECT_EQ(map.options, fitted.options);
    EXPECT_EQ(map.has("inputs"), !is_linear(method()));
    if (map.has("inputs")) {
        EXPECT_TRUE(same_bits(map.points("inputs"), x));
        EXPECT_TRUE(same_bits(map.points("coordinates"), fitted.coordinates));
    }
    EXPECT_EQ(map.method, method());
    EXPECT_EQ(map.kind, ArchiveKind::Model);
}

TEST_P(ModelOf, MayBeMoved) {
    Transformer first(model_of(method(), example()), on_threads(1));
    const Points expected = transformed(first, others());
    Transformer second(std::move(first));
    EXPECT_TRUE(same_bits(expected, transformed(second, others())));
    Transformer third(model_of(method(), example()), on_threads(1));
    third = std::move(second);
    EXPECT_TRUE(same_bits(expected, transformed(third, others())));
    EXPECT_EQ(third.model().method, method());
}

TEST_P(ModelOf, RefusesWhatIsNoModelByTheNameOfItsFile) {
    Archive model = model_of(method(), example());
    EXPECT_EQ(refusal(model), "");
    for (const auto& [name, array] : Archive(model).arrays) {
        expect_refused(without(model, name), name);
        expect_refused(with(model, name, Array{{7}, std::vector<std::uint32_t>(7)}), name);
    }
    model.notes["map"] = "telepathy";
    expect_refused(model, "telepathy");
    model.notes.clear();
    expect_refused(model, "map");
    model = model_of(method(), example());
    model.kind = ArchiveKind::Checkpoint;
    expect_refused(model, "checkpoint");
}

TEST(Model, RefusesMapsThatAreNone) {
    const Archive svd = model_of("svd", example());
    for (const double unit : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
        expect_refused(with_number(svd, "unit", unit), "unit");
    }
    expect_refused(with(svd, "directions", Array{{12, 0}, std::vector<double>()}), "directions");
    expect_refused(with(with(svd, "directions", Array{{0, 4}, std::vector<double>()}), "center",
                        Array{{0}, std::vector<double>()}),
                   "directions");
    expect_refused(with(svd, "center", Array{{11}, std::vector<double>(11)}), "center");
    expect_refused(with(svd, "directions", Array{{12, 4}, std::vector<double>(48, 1e300)}), "directions");
    expect_refused(with_number(svd, "unit", 1e-300), "unit");
    expect_refused(with_number(svd, "unit", 1e300), "unit");
}

TEST(Model, RefusesPlacementsThatAreNone) {
    const Archive model = model_of("tsm", example());
    for (const double threshold : {0.0, 1.0, -0.5, 2.0}) {
        expect_refused(with_number(model, "threshold", threshold), "threshold");
    }
    const auto zeros = [](std::uint64_t rows, std::uint64_t columns) {
        return Array{{rows, columns}, std::vector<float>(rows * columns)};
    };
    expect_refused(with(model, "coordinates", zeros(119, 4)), "119");
    expect_refused(with(model, "coordinates", zeros(120, 0)), "");
    expect_refused(with(model, "coordinates", zeros(120, 4)), "");
    expect_refused(with(model, "inputs", zeros(120, 12)), "");
    expect_refused(with(with(model, "inputs", zeros(0, 12)), "coordinates", zeros(0, 4)), "");
    Archive broken = model;
    std::get<std::vector<float>>(broken.arrays.at("inputs").values)[5] = std::numeric_limits<float>::quiet_NaN();
    expect_refused(broken, "");
}

TEST(Model, RefusesNumbersThatLeadBeyondAllNumbers) {
    const Archive pca = model_of("pca", example());
    for (const char* name : {"center", "directions"}) {
        Archive wrong = pca;
        std::get<std::vector<double>>(wrong.arrays.at(name).values)[0] = std::numeric_limits<double>::max();
        expect_refused(wrong, name);
    }
    Archive counted = pca;
    counted.arrays.at("centered").values = std::vector<std::uint64_t>{2};
    expect_refused(counted, "centered");
}

TEST(Model, SaysSoWhereCoordinatesAreBeyondFloat) {
    // All numbers of a row to one side: twelve times what float32 holds a fifth of.
    Archive model = with(model_of("svd", example()), "directions", Array{{12, 4}, std::vector<double>(48, 1.0)});
    const Transformer transformer(model, on_threads(1));
    Points row(2, 12);
    std::fill(row[1].begin(), row[1].end(), 9e37F);
    const Transformed placed = transformer.transform(row.view(), on_threads(1));
    EXPECT_TRUE(placed.coordinates.empty());
    EXPECT_EQ(placed.summary.termination, Termination::NumericalFailure);
    EXPECT_NE(placed.summary.message.find("row 1"), std::string::npos) << placed.summary.message;
}

}  // namespace
}  // namespace isogon::model_test

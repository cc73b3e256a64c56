#include "methods/distance_family.hpp"

#include <gtest/gtest.h>

#include <string>

#include "isogon/core/error.hpp"

namespace isogon::distance_family_test {
namespace {

/// Three points on a line, at 0, 3 and 7.
Points good() {
    Points table(3, 3);
    table[0][1] = table[1][0] = 3.0F;
    table[1][2] = table[2][1] = 4.0F;
    table[0][2] = table[2][0] = 7.0F;
    return table;
}

std::string fault(const Points& table) {
    try {
        require_distance_table(table.view());
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(DistanceFamily, TakesTablesOfDistances) {
    EXPECT_EQ(fault(good()), "");
    Points rounded = good();
    rounded[0][2] = 7.00001F;
    EXPECT_EQ(fault(rounded), "");
}

TEST(DistanceFamily, RefusesWhatIsNone) {
    Points bad = good();
    bad[1][2] = 4.1F;
    EXPECT_NE(fault(bad).find("row 2, column 1"), std::string::npos) << fault(bad);
    EXPECT_NE(fault(bad).find("symmetric"), std::string::npos);
    bad = good();
    bad[2][0] = bad[0][2] = -1.0F;
    EXPECT_NE(fault(bad).find("row 2, column 0"), std::string::npos) << fault(bad);
    EXPECT_NE(fault(bad).find("below 0"), std::string::npos);
    bad = good();
    bad[1][1] = 0.5F;
    EXPECT_NE(fault(bad).find("row 1, column 1"), std::string::npos) << fault(bad);
    EXPECT_NE(fault(Points(3, 2)).find("3 x 2"), std::string::npos);
}

TEST(DistanceFamily, IsTheGramMatrixOfTheCentredPoints) {
    const Points table = good();
    DistanceFamily family(table.view(), false);
    Summary summary;
    const SpectralProblem problem = family.whole(summary, {});
    WideVectors in(3, 1);
    in.at(0, 0) = 1.0;
    WideVectors out(3, 1);
    problem.a->apply(in, out, {});
    const double mean = 10.0 / 3.0;
    EXPECT_NEAR(out.at(0, 0), mean * mean, 1e-5);
    EXPECT_NEAR(out.at(1, 0), -mean * (3.0 - mean), 1e-5);
    EXPECT_NEAR(out.at(2, 0), -mean * (7.0 - mean), 1e-5);
}

}  // namespace
}  // namespace isogon::distance_family_test

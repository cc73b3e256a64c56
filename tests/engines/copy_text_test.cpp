#include "engines/copy_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "io/files.hpp"
#include "isogon/core/error.hpp"

namespace isogon::copy_text_test {

namespace {

Points points() {
    Points x(3, 2);
    const std::vector<float> values{0.1F, -2, 3e-9F, 4, 1e30F, 16777216};
    std::copy(values.begin(), values.end(), x.values().begin());
    return x;
}

std::string written(const PointsView& x, const Companions& ids) {
    const test::TemporaryFolder folder;
    write_copy_text(folder / "x.copy", x, ids);
    return test::bytes_of(folder / "x.copy");
}

}  // namespace

TEST(CopyText, ARowIsItsIdAndItsNumbers) {
    const Points x = points();
    const std::vector<std::int64_t> labels{5, -6, std::numeric_limits<std::int64_t>::max()};
    EXPECT_EQ(written(x.view(), {}), "0\t[0.1,-2]\n1\t[3e-09,4]\n2\t[1e+30,16777216]\n");
    EXPECT_EQ(written(x.view(), {.labels = labels}),
              "5\t[0.1,-2]\n-6\t[3e-09,4]\n9223372036854775807\t[1e+30,16777216]\n");
}

// PostgreSQL's documentation, COPY, "Text Format".
TEST(CopyText, WordsAreEscaped) {
    const Points x = points();
    const std::vector<std::string> words{"a\\b\tc", "\\N", "line\r\nend"};
    EXPECT_EQ(written(x.view(), {.words = words}),
              "a\\\\b\\tc\t[0.1,-2]\n\\\\N\t[3e-09,4]\nline\\r\\nend\t[1e+30,16777216]\n");
}

TEST(CopyText, WhatPostgresqlWouldRefuseIsRefused) {
    const test::TemporaryFolder folder;
    const auto refusal = [&](const PointsView& x, const Companions& ids) {
        return test::message_of<Error>([&] {
            write_copy_text(folder / "x.copy", x, ids);
            return 0;
        });
    };
    Points x = points();
    const std::vector<std::string> words{"a", std::string("b\0", 2), "c"};
    const std::vector<std::int64_t> few{1};
    test::expect_holds(refusal(x.view(), {.words = words}), {"words", "row 1", "zero byte"});
    test::expect_holds(refusal(x.view(), {.labels = few}), {"labels", "1", "3"});
    test::expect_holds(refusal(Points(1, 16001).view(), {}), {"16001", "16000", "pgvector"});
    x[2][0] = std::numeric_limits<float>::infinity();
    test::expect_holds(refusal(x.view(), {}), {"row 2"});
    EXPECT_EQ(folder.entries(), 0U);
}

}  // namespace isogon::copy_text_test

#include "io/output_format.hpp"

#include "unit/io/files.hpp"

namespace isogon::output_format_test {
namespace {

using namespace test;

TEST(OutputFormat, WhatIsSaidGoesBeforeTheName) {
    EXPECT_EQ(format_to_write("x.npy", {}), Format::Npy);
    EXPECT_EQ(format_to_write("x.npy", {.format = Format::Fvecs}), Format::Fvecs);
    EXPECT_EQ(format_to_write("x", {.format = Format::Csv}), Format::Csv);
}

TEST(OutputFormat, ANameThatTellsNothingIsRefused) {
    expect_holds(message_of<OutputError>([] { (void)format_to_write("x.xyz", {}); }), {"x.xyz", ".npy"});
}

}  // namespace
}  // namespace isogon::output_format_test

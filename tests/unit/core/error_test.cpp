#include "isogon/core/error.hpp"

#include <gtest/gtest.h>

namespace isogon::error_test {
namespace {

TEST(InvalidArgument, NamesFieldValueAndBound) {
    const InvalidArgument error("dimension", "900", "must be at most 784, the dimension of the input");
    EXPECT_STREQ(error.what(), "dimension = 900: must be at most 784, the dimension of the input");
    EXPECT_EQ(error.field(), "dimension");
}

TEST(InputError, NamesSourcePlaceAndReason) {
    EXPECT_STREQ(InputError("a.csv", "line 3", "5 fields where 4 belong").what(),
                 "a.csv, line 3: 5 fields where 4 belong");
    EXPECT_STREQ(InputError("a.csv", "", "the file is empty").what(), "a.csv: the file is empty");
}

TEST(OutputError, NamesFileAndReason) {
    EXPECT_STREQ(OutputError("b.npy", "the disk is full").what(), "b.npy: the disk is full");
}

TEST(LimitExceeded, CarriesNeedAndLimit) {
    const LimitExceeded error("needs more", 2000, 1000);
    EXPECT_EQ(error.needed_bytes(), 2000U);
    EXPECT_EQ(error.limit_bytes(), 1000U);
}

TEST(Error, IsTheBaseOfAllAndOfTheStandardLibrary) {
    EXPECT_THROW(throw InvalidArgument("a", "b", "c"), Error);
    EXPECT_THROW(throw InputError("a", "b", "c"), Error);
    EXPECT_THROW(throw OutputError("a", "b"), Error);
    EXPECT_THROW(throw LimitExceeded("a", 2, 1), Error);
    EXPECT_THROW(throw InputError("a", "b", "c"), std::runtime_error);
}

}  // namespace
}  // namespace isogon::error_test

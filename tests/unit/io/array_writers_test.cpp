#include <gtest/gtest.h>

#include <limits>

#include "io/npy.hpp"
#include "io/point_writers.hpp"
#include "unit/io/files.hpp"
#include "unit/io/npy_bytes.hpp"

namespace isogon::array_writers_test {
namespace {

using namespace test;

/// What a writer puts into a file.
template <class Writer>
std::string written(Writer writer) {
    const TemporaryFolder folder;
    OutputStream out(folder / "x", false);
    writer(out);
    out.commit();
    return bytes_of(folder / "x");
}

const std::vector<float> kValues{1, 2, 99, 3, 4, 99};
const PointsView kPoints(kValues.data(), 2, 2, 3);  // a stride wider than the points
const PointsShape kShape{.count = 2, .dimension = 2};

TEST(ArrayWriters, NpyIsHeaderAndRows) {
    EXPECT_EQ(written([](OutputStream& out) {
                  out.write(array_head(Format::Npy, kShape));
                  write_float_rows(out, kPoints, std::endian::little);
              }),
              npy_header(ScalarType::Float32, {2, 2}) + packed<float>({1, 2, 3, 4}));
}

TEST(ArrayWriters, IdxIsBigEndian) {
    EXPECT_EQ(written([](OutputStream& out) {
                  out.write(array_head(Format::Idx, kShape));
                  write_float_rows(out, kPoints, std::endian::big);
              }),
              std::string("\0\0\x0d\x02\0\0\0\x02\0\0\0\x02", 12) + packed<float>({1, 2, 3, 4}, std::endian::big));
}

TEST(ArrayWriters, VecsBeginEveryRowWithItsDimension) {
    const std::string two = packed<std::int32_t>({2});
    EXPECT_EQ(written([](OutputStream& out) { write_vecs_rows(out, kPoints, Format::Fvecs, 0); }),
              two + packed<float>({1, 2}) + two + packed<float>({3, 4}));
    EXPECT_EQ(written([](OutputStream& out) { write_vecs_rows(out, kPoints, Format::Bvecs, 0); }),
              two + "\x01\x02" + two + "\x03\x04");
    EXPECT_EQ(written([](OutputStream& out) { write_vecs_rows(out, kPoints, Format::Ivecs, 0); }),
              two + packed<std::int32_t>({1, 2}) + two + packed<std::int32_t>({3, 4}));
}

TEST(ArrayWriters, WholeNumberFormatsRefuseAnythingElse) {
    const auto refused = [](float value, Format format) {
        const std::vector<float> values{0, value};
        expect_holds(
            message_of<InvalidArgument>([&] {
                written([&](OutputStream& out) { write_vecs_rows(out, PointsView(values.data(), 2, 1), format, 0); });
            }),
            {"row 1, column 0", "whole numbers from", std::string(name(format))});
    };
    for (const float value : {0.5F, -1.0F, 256.0F, std::numeric_limits<float>::quiet_NaN()}) {
        refused(value, Format::Bvecs);
    }
    for (const float value : {0.5F, 2147483648.0F, -3e9F, std::numeric_limits<float>::infinity()}) {
        refused(value, Format::Ivecs);
    }
    const std::vector<float> extremes{-2147483648.0F, 2147483520.0F};
    EXPECT_NO_THROW(
        written([&](OutputStream& out) { write_vecs_rows(out, PointsView(extremes.data(), 1, 2), Format::Ivecs, 0); }));
}

}  // namespace
}  // namespace isogon::array_writers_test

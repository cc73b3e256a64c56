#include "io/array_layout.hpp"

#include <limits>

#include "unit/io/files.hpp"

namespace isogon::array_layout_test {
namespace {

using namespace test;

ArrayLayout layout(std::vector<std::uint64_t> shape, ScalarType scalar = ScalarType::UInt8) {
    return {scalar, std::endian::little, false, std::move(shape)};
}

TEST(ArrayLayout, ExtentCountsPointsAndFlattensTheRest) {
    const TemporaryFolder folder;
    const ByteStream stream(folder.file("x", std::string(96, 'x')));
    const ArrayExtent extent = checked_extent(stream, layout({2, 3, 4}, ScalarType::Float32));
    EXPECT_EQ(extent.points, 2U);
    EXPECT_EQ(extent.dimension, 12U);
    EXPECT_EQ(extent.bytes, 96U);
    EXPECT_EQ(checked_extent(stream, layout({5})).dimension, 1U);
}

TEST(ArrayLayout, ShapesThatLieAreRefusedBeforeMemoryIsTaken) {
    const TemporaryFolder folder;
    const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
    for (const std::string& bytes : {std::string(100, 'x'), gzip(std::string(100, 'x'))}) {
        const ByteStream stream(folder.file("x", bytes));
        const auto refused = [&](std::vector<std::uint64_t> shape, const std::string& why) {
            expect_input_error([&] { static_cast<void>(checked_extent(stream, layout(shape, ScalarType::Float64))); },
                               {"x", shape_text(shape), why});
        };
        refused({4000000000U, 4000000000U}, "truncated or damaged");
        refused({1000000, 100}, "truncated or damaged");
        refused({1, huge, huge}, "the most there may be");
        refused({huge}, "more points");
        refused({2, 65536, 65536, 65536, 65536}, "more numbers");
        refused({0, huge, huge}, "no numbers");
        refused({3, huge, 0}, "no numbers");
    }
}

TEST(ArrayLayout, ShapesReadAsInPython) {
    EXPECT_EQ(shape_text({}), "()");
    EXPECT_EQ(shape_text({3}), "(3,)");
    EXPECT_EQ(shape_text({3, 4}), "(3, 4)");
}

TEST(ArrayLayout, DescriptionHoldsWhatTheHeaderSays) {
    const TemporaryFolder folder;
    const ByteStream stream(folder.file("x", std::string(24, 'x')));
    ArrayLayout fortran = layout({2, 3, 1}, ScalarType::Int32);
    fortran.fortran_order = true;
    const FileInfo info = describe_array(stream, fortran, Format::Npy);
    EXPECT_EQ(info.shape, (std::vector<std::uint64_t>{2, 3, 1}));
    EXPECT_EQ(info.scalar, "int32");
    EXPECT_TRUE(info.fortran_order);
    EXPECT_THROW(static_cast<void>(describe_array(stream, layout({25}), Format::Npy)), InputError);
}

}  // namespace
}  // namespace isogon::array_layout_test

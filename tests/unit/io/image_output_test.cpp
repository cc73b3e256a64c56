#include <cmath>

#include "isogon/io/dataset.hpp"
#include "isogon/io/output.hpp"
#include "unit/io/files.hpp"

namespace isogon::image_output_test {
namespace {

using namespace test;

TEST(ImageOutput, ValuesAreRoundedAndClippedAndKeepTheirShape) {
    const TemporaryFolder folder;
    const std::vector<float> values{-5, 0.4F, 0.6F, 254.5F, 255.4F, 1e30F, 7, 8, 9, 10, 11, INFINITY};
    for (const std::string name : {"x-idx3-ubyte", "x-idx3-ubyte.gz"}) {
        write_idx_images(folder / name, PointsView(values.data(), 2, 6), 2, 3);
        EXPECT_EQ(flat(read_points(folder / name).points),
                  (std::vector<float>{0, 0, 1, 255, 255, 255, 7, 8, 9, 10, 11, 255}));
        const FileInfo info = describe_file(folder / name);
        EXPECT_EQ(info.shape, (std::vector<std::uint64_t>{2, 2, 3}));
        EXPECT_EQ(info.scalar, "uint8");
    }
}

TEST(ImageOutput, SizesMustAgreeAndValuesBeNumbers) {
    const TemporaryFolder folder;
    const std::vector<float> values{1, 2, 3, NAN};
    const PointsView images(values.data(), 2, 2);
    const auto mistake = [&](Index height, Index width) {
        return message_of<InvalidArgument>([&] { write_idx_images(folder / "x.idx", images, height, width); });
    };
    expect_holds(mistake(3, 1), {"3 x 1", "dimension of the images, 2"});
    expect_holds(mistake(65536, 65537), {"65536 x 65537"});
    expect_holds(mistake(1, 2), {"row 1, column 1", "NaN"});
    EXPECT_EQ(folder.entries(), 0U);
}

}  // namespace
}  // namespace isogon::image_output_test

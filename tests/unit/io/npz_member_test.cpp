#include "io/npz_member.hpp"

#include "io/npy.hpp"
#include "io/zip_file.hpp"
#include "unit/io/files.hpp"

namespace isogon::npz_member_test {
namespace {

using namespace test;

TEST(NpzMember, IsItsHeadAndItsNumbers) {
    const TemporaryFolder folder;
    const std::string head = npy_header(ScalarType::Float64, {3});
    {
        OutputStream out(folder / "x.npz", false);
        ZipWriter zip(out);
        write_npz_member(out, zip, "x.npz", "some", head, std::vector<double>{1, 2, 3});
        write_npz_member(out, zip, "x.npz", "text", npy_text("word"), {});
        zip.finish();
        out.commit();
    }
    const ZipFile zip(folder / "x.npz");
    const auto some = zip.open("some.npy");
    EXPECT_EQ(read_npy_header(*some).shape, (std::vector<std::uint64_t>{3}));
    EXPECT_EQ(some->position(), head.size());
    std::string numbers(3 * sizeof(double), '\0');
    some->read(numbers, "numbers");
    some->require_end();  // where the checksum is compared
    EXPECT_EQ(read_npy_text(*zip.open("text.npy")), "word");
}

}  // namespace
}  // namespace isogon::npz_member_test

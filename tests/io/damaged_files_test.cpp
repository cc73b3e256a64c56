#include "io/files.hpp"
#include "io/npy_bytes.hpp"
#include "io/row_file.hpp"
#include "io/zip_bytes.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon::damaged_files_test {
namespace {

using namespace test;

struct Sample {
    const char* description;
    Format format;
    std::string bytes;
    bool line_based;  ///< cut at a line's or row's end, or within the last number, it is a smaller valid set
};

std::vector<Sample> samples() {
    const std::string two = packed<std::int32_t>({2});
    const std::string vecs = two + packed<float>({1, 2}) + two + packed<float>({3, 4});
    std::vector<Sample> list = {
        {"npy", Format::Npy, npy("<f4", "(2, 3)", packed<float>({1, 2, 3, 4, 5, 6})), false},
        {"npy, converted", Format::Npy, npy(">f8", "(2, 2)", packed<double>({1, 2, 3, 4}, std::endian::big), true),
         false},
        {"csv", Format::Csv, "a,b\n10,20\n\"30\",-4.5e1\n", true},
        {"csv by semicolons", Format::Csv, "a;b\n1,5;20\n\"30\";-4,5e1\n", true},
        {"tsv", Format::Tsv, "10\t20\n30\t40\n", true},
        {"idx", Format::Idx, std::string("\0\0\x08\x02\0\0\0\x02\0\0\0\x02\x01\x02\x03\x04", 16), false},
        {"fvecs", Format::Fvecs, vecs, true},
        {"bvecs", Format::Bvecs, two + "\x01\x02" + two + "\x03\x04", true},
        {"ivecs", Format::Ivecs, two + packed<std::int32_t>({1, 2}) + two + packed<std::int32_t>({3, 4}), true},
        {"vec", Format::WordText, "2 2\ncat 10 20\ndog 30 40\n", true},
        {"vec without header", Format::WordText, "cat 10 20\ndog 30 40\n", true},
        {"jsonl", Format::Jsonl, "{\"v\": [10, 20]}\n{\"v\": [30, 40]}\n", true},
        {"word2vec", Format::WordBinary, "2 2\na " + packed<float>({1, 2}) + "b " + packed<float>({3, 4}), false},
    };
    const std::size_t plain = list.size();
    for (std::size_t i = 0; i < plain; ++i) {
        Sample zipped = list[i];
        zipped.bytes = gzip(zipped.bytes);
        zipped.line_based = false;  // gzip's check sum sees every cut
        list.push_back(zipped);
    }
    std::string wide = "\xFF\xFE";  // UTF-16
    for (const char c : std::string("a,b\n10,20\n30,40\n")) {
        wide += {c, '\0'};
    }
    list.push_back({"csv in UTF-16", Format::Csv, wide, true});
    const std::string array = npy("<f4", "(2, 2)", packed<float>({1, 2, 3, 4}));
    list.push_back({"npz", Format::Npz, zip({{"x.npy", array}}), false});
    list.push_back({"npz, deflated", Format::Npz, zip({{"x.npy", array}}, {.deflate = true, .wide = true}), false});
    return list;
}

/// Points that a reader let through must be whole: every number there, a word for each point or none.
void expect_whole(const Dataset& data) {
    ASSERT_GT(data.points.count, 0U);
    ASSERT_GT(data.points.dimension, 0U);
    // Reads every number, so that a sanitizer sees memory that is not there.
    EXPECT_EQ(flat(data.points).size(), std::size_t{data.points.count} * data.points.dimension);
    EXPECT_TRUE(data.words.empty() || data.words.size() == data.points.count);
}

/// True if all rows could be had one by one, false if refused by an InputError that names the file.
bool reads_rows(const fs::path& path, Format format) {
    try {
        const RowFile file = open_rows(path, {.format = format});
        std::vector<float> row(file.rows->dimension());
        for (Index i = 0; i < file.rows->count(); ++i) {
            file.rows->read(i, row);
        }
        return true;
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos);
        return false;
    }
}

/// True if the bytes were read as points, false if refused by an InputError that names the file; any other exception
/// fails the test.
bool reads(const TemporaryFolder& folder, const std::string& bytes, Format format, std::size_t most_numbers) {
    const fs::path path = folder.file("damaged", bytes);
    bool read = false;
    try {
        const Dataset data = read_points(path, {.format = format});
        read = true;
        expect_whole(data);
        EXPECT_LE(flat(data.points).size(), most_numbers);
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos);
    }
    try {
        static_cast<void>(describe_file(path, {.format = format}));
    } catch (const InputError&) {
        // The points may be damaged where the description does not look, or the other way round for blank ends.
    }
    EXPECT_EQ(reads_rows(path, format), read);
    return read;
}

TEST(DamagedFiles, WholeOnesAreRead) {
    const TemporaryFolder folder(memory_folder());
    for (const Sample& sample : samples()) {
        EXPECT_TRUE(reads(folder, sample.bytes, sample.format, 6)) << sample.description;
    }
}

TEST(DamagedFiles, EveryTruncationIsRefusedOrASmallerSet) {
    const TemporaryFolder folder(memory_folder());
    for (const Sample& sample : samples()) {
        for (std::size_t size = 0; size < sample.bytes.size(); ++size) {
            const bool read = reads(folder, sample.bytes.substr(0, size), sample.format, 6);
            EXPECT_FALSE(read && !sample.line_based) << sample.description << " cut at " << size;
        }
    }
}

TEST(DamagedFiles, AByteTooManyIsRefusedWhereAHeaderSaysHowManyThereAre) {
    const TemporaryFolder folder(memory_folder());
    for (const Sample& sample : samples()) {
        if (!sample.line_based) {
            EXPECT_FALSE(reads(folder, sample.bytes + "\x01", sample.format, 6)) << sample.description;
        }
    }
}

TEST(DamagedFiles, FlippedBytesNeverCrash) {
    const TemporaryFolder folder(memory_folder());
    int refused = 0;
    for (const Sample& sample : samples()) {
        for (std::size_t at = 0; at < sample.bytes.size(); ++at) {
            for (const int mask : {0x01, 0x20, 0x80, 0xff}) {
                std::string bytes = sample.bytes;
                bytes[at] = static_cast<char>(bytes[at] ^ mask);
                refused += reads(folder, bytes, sample.format, 64) ? 0 : 1;
            }
        }
    }
    EXPECT_GT(refused, 0);
}

TEST(DamagedFiles, AFileOfOneFormatReadAsAnotherNeverCrashes) {
    const TemporaryFolder folder(memory_folder());
    for (const Sample& sample : samples()) {
        for (const Format format : {Format::Npy, Format::Csv, Format::Tsv, Format::Idx, Format::Fvecs, Format::Bvecs,
                                    Format::Ivecs, Format::WordText, Format::WordBinary}) {
            static_cast<void>(reads(folder, sample.bytes, format, 64));
        }
    }
}

}  // namespace
}  // namespace isogon::damaged_files_test

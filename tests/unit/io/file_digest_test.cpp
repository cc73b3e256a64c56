#include "isogon/io/file_digest.hpp"

#include <stop_token>

#include "isogon/core/sha256.hpp"
#include "unit/io/files.hpp"

namespace isogon::file_digest_test {
namespace {

using namespace test;

TEST(FileDigest, IsTheDigestOfTheBytes) {
    const TemporaryFolder folder;
    std::string bytes;
    for (const std::size_t length : {1U, 64U, 999999U, 1000000U, 2500001U}) {
        while (bytes.size() < length) {
            bytes += static_cast<char>(bytes.size() * 31 / 7);
        }
        bytes.resize(length);
        Sha256 digest;
        digest.add(bytes);
        EXPECT_EQ(file_digest(folder.file("x", bytes)), digest.hex()) << length;
    }
}

TEST(FileDigest, WhatCannotBeReadIsSaid) {
    const TemporaryFolder folder;
    expect_input_error([&] { return file_digest(folder / "none"); }, {"none", "does not exist"});
    expect_input_error([&] { return file_digest(folder.path()); }, {"is a folder"});
}

TEST(FileDigest, CanBeStopped) {
    const TemporaryFolder folder;
    std::stop_source source;
    source.request_stop();
    RunContext context;
    context.stop = source.get_token();
    EXPECT_THROW(static_cast<void>(file_digest(folder.file("x", "y"), context)), Interruption);
}

}  // namespace
}  // namespace isogon::file_digest_test

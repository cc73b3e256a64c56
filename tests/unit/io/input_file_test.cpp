#include "io/input_file.hpp"

#include <sys/stat.h>

#include <array>

#include "unit/io/files.hpp"

namespace isogon::input_file_test {
namespace {

using namespace test;

TEST(InputFile, WhatCannotBeReadIsRefusedByNameAndReason) {
    const TemporaryFolder folder;
    expect_input_error([&] { InputFile(folder / "none"); }, {"none", "does not exist"});
    expect_input_error([&] { InputFile(folder.path()); }, {folder.path().string(), "is a folder"});
    expect_input_error([&] { InputFile(folder.file("void", "")); }, {"void", "is empty"});
    expect_input_error([&] { InputFile("/dev/zero"); }, {"/dev/zero", "not a regular file"});
}

TEST(InputFile, APipeDoesNotMakeItWait) {
    const TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    expect_input_error([&] { InputFile(folder / "pipe"); }, {"pipe", "not a regular file"});
}

TEST(InputFile, NoPermissionIsSaid) {
    const TemporaryFolder folder;
    const fs::path path = folder.file("secret", "x");
    fs::permissions(path, fs::perms::none);
    // The superuser may read everything, so play somebody else; the folder must let him in.
    const bool superuser = ::geteuid() == 0;
    fs::permissions(folder.path(), fs::perms::all);
    ASSERT_TRUE(!superuser || ::seteuid(65534) == 0);
    const std::string message = message_of([&] { InputFile{path}; });
    ASSERT_TRUE(!superuser || ::seteuid(0) == 0);
    expect_holds(message, {"secret", "no permission"});
}

TEST(InputFile, ReadsMapsAndPeeksTheSameBytes) {
    const TemporaryFolder folder;
    InputFile file(folder.file("x", "hello"));
    EXPECT_EQ(file.size(), 5U);
    EXPECT_EQ(file.first_bytes(3), "hel");
    EXPECT_EQ(file.first_bytes(30), "hello");
    std::array<char, 4> buffer{};
    EXPECT_EQ(file.read(buffer), 4U);
    EXPECT_EQ(std::string(buffer.data(), 4), "hell");
    EXPECT_EQ(file.read(buffer), 1U);
    EXPECT_EQ(file.read(buffer), 0U);
    EXPECT_EQ(std::string(file.map().get(), 5), "hello");
}

TEST(InputFile, TheMappingOutlivesTheFileObject) {
    const TemporaryFolder folder;
    std::shared_ptr<const char> memory;
    {
        const InputFile file(folder.file("x", "hello"));
        memory = file.map();
    }
    EXPECT_EQ(std::string(memory.get(), 5), "hello");
}

}  // namespace
}  // namespace isogon::input_file_test

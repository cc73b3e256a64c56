#include "rank_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "failure.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/sha256.hpp"
#include "isogon/io/file_digest.hpp"
#include "isogon/linalg/panel_product.hpp"
#include "ranks.hpp"

namespace isogon::cli {

namespace {

struct Difference {
    std::string rank;   ///< "rank 2 on node07"
    std::string there;  ///< what it has
    std::string here;   ///< what rank 0 has
    [[nodiscard]] bool any() const { return !rank.empty(); }
};

Difference difference(const Communicator& communicator, const std::string& own) {
    const auto hosts = all_gather_texts(communicator, host_name());
    const auto texts = all_gather_texts(communicator, own);
    const auto other = std::find_if(texts.begin(), texts.end(), [&](const auto& text) { return text != texts[0]; });
    if (other == texts.end()) {
        return {};
    }
    const auto rank = static_cast<std::size_t>(other - texts.begin());
    return {fmt::format("rank {} on {}", rank, hosts[rank]), *other, texts[0]};
}

/// Size and digest of the head: enough to tell files of different runs apart, at no cost for long ones.
std::string described(const std::string& path) {
    constexpr std::size_t head_bytes = std::size_t{1} << 20U;
    std::error_code failed;
    const auto bytes = std::filesystem::file_size(path, failed);
    std::ifstream file;
    if (!failed) {
        file.open(path, std::ios::binary);
    }
    if (failed || !file) {
        return "cannot be opened";
    }
    std::string head(std::min<std::uintmax_t>(head_bytes, bytes), '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    Sha256 digest;
    digest.add(head);
    return fmt::format("has {} bytes and begins with {}", bytes, digest.hex().substr(0, 16));
}

std::string described_whole(const std::string& path) {
    try {
        return fmt::format("has the digest {}", file_digest(path).substr(0, 16));
    } catch (const InputError&) {
        return "cannot be opened";
    }
}

void require_same(const Communicator& communicator, const std::vector<std::string>& files,
                  std::string (*describe)(const std::string&)) {
    for (const auto& file : files) {
        if (file.empty()) {
            continue;
        }
        const auto found = difference(communicator, describe(file));
        if (found.any()) {
            throw InputError(file, "",
                             fmt::format("{} reads other data: there it {}, for rank 0 it {}; give all ranks the same "
                                         "file, in a folder that all see or as a copy on every machine",
                                         found.rank, found.there, found.here));
        }
    }
}

}  // namespace

void require_same_start(const Communicator& communicator, const std::string& command) {
    const auto program =
        difference(communicator, fmt::format("isogon {} with {}", ISOGON_VERSION, instruction_set_name()));
    if (program.any()) {
        throw UsageError(
            fmt::format("{} runs {}, rank 0 runs {}: their results would differ; start the same version "
                        "on processors of one kind",
                        program.rank, program.there, program.here));
    }
    const auto started = difference(communicator, command);
    if (started.any()) {
        throw UsageError(fmt::format(R"({} was started as "{}", rank 0 as "{}": all ranks need the same command)",
                                     started.rank, started.there, started.here));
    }
}

void require_same_files(const Communicator& communicator, const std::vector<std::string>& files) {
    require_same(communicator, files, described);
}

void require_same_bytes(const Communicator& communicator, const std::vector<std::string>& files) {
    require_same(communicator, files, described_whole);
}

void require_same_numbers(const Communicator& communicator, const std::string& input, const std::string& digest) {
    const auto found = difference(communicator, digest.substr(0, 16));
    if (found.any()) {
        throw InputError(input, "",
                         fmt::format("{} reads other data: there the digest of all numbers is {}, for rank 0 it is {}; "
                                     "give all ranks the same file, in a folder that all see or as a copy on every "
                                     "machine",
                                     found.rank, found.there, found.here));
    }
}

}  // namespace isogon::cli

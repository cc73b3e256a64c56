#include "program/ranks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <system_error>
#include <vector>

#include "core/sha256.hpp"
#include "distributed/communicator.hpp"
#include "distributed/rank_group.hpp"
#include "io/file_set.hpp"
#include "isogon/core/error.hpp"

#ifdef ISOGON_HAS_MPI
#include "mpi_communicator.hpp"
#endif
#ifdef ISOGON_HAS_PETSC
#include "distributed_spectral.hpp"
#include "petsc_session.hpp"
#endif

namespace isogon::cli {

bool built_with_petsc() {
#ifdef ISOGON_HAS_PETSC
    return true;
#else
    return false;
#endif
}

namespace {

/// std::hash gives the same value on all ranks: they run the same program.
std::uint32_t number_of(const std::string& text) {
    return static_cast<std::uint32_t>(std::hash<std::string>{}(text));
}

}  // namespace

#ifdef ISOGON_HAS_MPI

namespace {

/// Set by Open MPI's mpirun, and by launchers that use PMIx (srun).
bool launched() {
    return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMIX_RANK") != nullptr;
}

#ifdef ISOGON_HAS_PETSC
/// Member order: the ranks are destroyed before PETSc is finalized.
struct PetscState {
    explicit PetscState(const Communicator& communicator) : ranks(RankGroup(communicator)) {}
    PetscSession session;
    PetscSpectralRanks ranks;
};

/// Initializes PETSc on all ranks, collectively; the result finalizes it, which must follow the last communication:
/// otherwise all ranks would wait for one that failed elsewhere.
std::shared_ptr<const SpectralRanks> start_petsc(const Communicator& communicator) {
    const auto state = std::make_shared<PetscState>(communicator);
    return {state, &state->ranks};
}
#else
std::shared_ptr<const SpectralRanks> start_petsc(const Communicator& /*communicator*/) {
    return nullptr;
}
#endif

}  // namespace

struct Ranks::MpiState {
    MpiState(int& argc, char**& argv) : session(argc, argv) {}
    MpiSession session;
    MpiCommunicator communicator;
    std::shared_ptr<const SpectralRanks> sparse;  // destroyed before MPI is finalized
};

Ranks::Ranks(int& argc, char**& argv) : mpi_(launched() ? std::make_unique<MpiState>(argc, argv) : nullptr) {}

bool built_with_mpi() {
    return true;
}

const Communicator* Ranks::communicator() const {
    return mpi_ != nullptr && mpi_->communicator.size() > 1 ? &mpi_->communicator : nullptr;
}

const SpectralRanks* Ranks::sparse() const {
    if (mpi_ != nullptr && mpi_->sparse == nullptr) {
        mpi_->sparse = start_petsc(mpi_->communicator);
    }
    return mpi_ != nullptr ? mpi_->sparse.get() : nullptr;
}
#else
struct Ranks::MpiState {};

Ranks::Ranks(int& /*argc*/, char**& /*argv*/) {}

bool built_with_mpi() {
    return false;
}

const Communicator* Ranks::communicator() const {
    return nullptr;
}

const SpectralRanks* Ranks::sparse() const {
    return nullptr;
}
#endif

Ranks::~Ranks() = default;

ExitCode Ranks::leave(ExitCode code) const {
    if (communicator() == nullptr) {
        return code;
    }
    const auto endings = communicator()->leave({.code = static_cast<std::uint8_t>(code)});
    // A rank without an error of its own ends with the exit code of rank 0.
    return code == ExitCode::Ok && endings[0] ? static_cast<ExitCode>(endings[0]->code) : code;
}

bool Ranks::leave_failing(const Failure& failure, std::string& message) const {
    message = failure.message;
    if (communicator() == nullptr) {
        return true;
    }
    if (failure.kind == "rank") {
        return is_root();  // another rank has left already, and prints the reason
    }
    const Ending own{
        .failed = true, .code = static_cast<std::uint8_t>(failure.code), .reason = number_of(failure.message)};
    const auto endings = communicator()->leave(own);
    if (!is_root()) {
        message = fmt::format("rank {} of {} on {}: {}", group().rank(), group().size(), host_name(), failure.message);
    }
    // If several ranks fail for the same reason, the first of them prints it.
    const auto first = std::find(endings.begin(), endings.end(), std::optional(own));
    return first - endings.begin() == static_cast<std::ptrdiff_t>(group().rank());
}

std::size_t mpirun_process_count() {
    const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
    return size == nullptr ? 1 : std::max(1, std::atoi(size));
}

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown host";
}

namespace {

struct Difference {
    std::string rank;   ///< "rank 2 on node07"
    std::string there;  ///< its value there
    std::string here;   ///< the value on rank 0
    [[nodiscard]] bool any() const { return !rank.empty(); }
};

Difference difference(const RankGroup& ranks, const std::string& own) {
    const auto hosts = ranks.all_gather_texts(host_name());
    const auto texts = ranks.all_gather_texts(own);
    const auto other = std::find_if(texts.begin(), texts.end(), [&](const auto& text) { return text != texts[0]; });
    if (other == texts.end()) {
        return {};
    }
    const auto rank = static_cast<std::size_t>(other - texts.begin());
    return {fmt::format("rank {} on {}", rank, hosts[rank]), *other, texts[0]};
}

/// Size and digest of the first bytes: distinguishes files of different runs, at constant cost.
std::string size_and_digest(const std::string& path) {
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

void require_same(const RankGroup& ranks, const std::vector<std::string>& files,
                  std::string (*describe)(const std::string&)) {
    for (const auto& file : files) {
        if (file.empty()) {
            continue;
        }
        const auto found = difference(ranks, describe(file));
        if (found.any()) {
            throw InputError(file, "",
                             fmt::format("{} reads other data: there it {}, for rank 0 it {}; give all ranks the same "
                                         "file, in a folder that all see or as a copy on every machine",
                                         found.rank, found.there, found.here));
        }
    }
}

}  // namespace

void require_same_start(const RankGroup& ranks, const std::string& command) {
    const auto program = difference(ranks, "isogon " ISOGON_VERSION);
    if (program.any()) {
        throw UsageError(fmt::format("{} runs {}, rank 0 runs {}: their results would differ; start the same version",
                                     program.rank, program.there, program.here));
    }
    const auto started = difference(ranks, command);
    if (started.any()) {
        throw UsageError(fmt::format(R"({} was started as "{}", rank 0 as "{}": all ranks need the same command)",
                                     started.rank, started.there, started.here));
    }
}

void require_same_files(const RankGroup& ranks, const std::vector<std::string>& files) {
    require_same(ranks, files, size_and_digest);
}

void require_same_bytes(const RankGroup& ranks, const std::vector<std::string>& files) {
    require_same(ranks, files, described_whole);
}

void require_same_numbers(const RankGroup& ranks, const std::string& input, const std::string& digest) {
    const auto found = difference(ranks, digest.substr(0, 16));
    if (found.any()) {
        throw InputError(input, "",
                         fmt::format("{} reads other data: there the digest of all numbers is {}, for rank 0 it is {}; "
                                     "give all ranks the same file, in a folder that all see or as a copy on every "
                                     "machine",
                                     found.rank, found.there, found.here));
    }
}

}  // namespace isogon::cli

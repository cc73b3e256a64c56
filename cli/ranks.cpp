#include "ranks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <optional>
#include <vector>

#include "sparse_ranks.hpp"
#ifdef ISOGON_HAS_MPI
#include "mpi_communicator.hpp"
#endif

namespace isogon::cli {

namespace {

/// The library's own hash is the same on all ranks: they run the same program.
std::uint32_t number_of(const std::string& text) {
    return static_cast<std::uint32_t>(std::hash<std::string>{}(text));
}

}  // namespace

#ifdef ISOGON_HAS_MPI
namespace {

/// Of Open MPI's launchers, its own mpirun and others that speak PMIx (srun).
bool launched() {
    return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMIX_RANK") != nullptr;
}

}  // namespace

struct Ranks::Joined {
    Joined(int& argc, char**& argv) : session(argc, argv) {}
    MpiSession session;
    MpiCommunicator communicator;
    std::shared_ptr<const SpectralRanks> sparse;  // ends before MPI does
};

Ranks::Ranks(int& argc, char**& argv) : joined_(launched() ? std::make_unique<Joined>(argc, argv) : nullptr) {}

bool knows_mpi() {
    return true;
}

const Communicator* Ranks::communicator() const {
    return joined_ != nullptr && joined_->communicator.size() > 1 ? &joined_->communicator : nullptr;
}

const SpectralRanks* Ranks::sparse() const {
    if (joined_ != nullptr && joined_->sparse == nullptr) {
        joined_->sparse = begin_sparse_ranks(joined_->communicator);
    }
    return joined_ != nullptr ? joined_->sparse.get() : nullptr;
}
#else
struct Ranks::Joined {};

Ranks::Ranks(int& /*argc*/, char**& /*argv*/) {}

bool knows_mpi() {
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
    // A rank that only helped ends as the one that wrote did.
    return code == ExitCode::Ok && endings[0] ? static_cast<ExitCode>(endings[0]->code) : code;
}

bool Ranks::leave_failing(const Failure& failure, std::string& tell) const {
    tell = failure.message;
    if (communicator() == nullptr) {
        return true;
    }
    if (failure.kind == "rank") {
        return is_root();  // another one has left already, and tells why
    }
    const Ending own{
        .failed = true, .code = static_cast<std::uint8_t>(failure.code), .reason = number_of(failure.message)};
    const auto endings = communicator()->leave(own);
    if (!is_root()) {
        tell = fmt::format("rank {} of {} on {}: {}", communicator()->rank(), communicator()->size(), host_name(),
                           failure.message);
    }
    // Of those that say the same the first one speaks.
    const auto first = std::find(endings.begin(), endings.end(), std::optional(own));
    return first - endings.begin() == static_cast<std::ptrdiff_t>(communicator()->rank());
}

std::size_t copies_by_mpirun() {
    const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
    return size == nullptr ? 1 : std::max(1, std::atoi(size));
}

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown host";
}

}  // namespace isogon::cli

#include "mpi_team.hpp"

#include <mpi.h>

#include <algorithm>

namespace isogon {

namespace {

// MPI counts in int, and a message of this size is long enough to be as quick as any.
constexpr std::uint64_t most_bytes_at_once = std::uint64_t{1} << 28U;

void broadcast(std::span<std::byte> bytes, std::size_t from) {
    while (!bytes.empty()) {
        const auto now = bytes.first(std::min<std::uint64_t>(bytes.size(), most_bytes_at_once));
        MPI_Bcast(now.data(), static_cast<int>(now.size()), MPI_BYTE, static_cast<int>(from), MPI_COMM_WORLD);
        bytes = bytes.subspan(now.size());
    }
}

}  // namespace

MpiSession::MpiSession(int& argc, char**& argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
}

MpiSession::~MpiSession() {
    MPI_Finalize();
}

MpiTeam::MpiTeam() {
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rank_ = static_cast<std::size_t>(rank);
    size_ = static_cast<std::size_t>(size);
}

/// One part after the other from its owner to all: bytes move unchanged, whatever path MPI takes.
void MpiTeam::gather(std::span<std::byte> bytes, std::span<const std::uint64_t> begins) const {
    for (std::size_t from = 0; from < size_; ++from) {
        broadcast(bytes.subspan(begins[from], begins[from + 1] - begins[from]), from);
    }
}

}  // namespace isogon

#include "mpi_communicator.hpp"

#include <mpi.h>

#include <algorithm>
#include <vector>

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

/// All parts at once, while int can count them.
void gather_short(std::span<std::byte> bytes, std::span<const std::uint64_t> begins) {
    std::vector<int> counts;
    std::vector<int> places;
    for (std::size_t r = 0; r + 1 < begins.size(); ++r) {
        counts.push_back(static_cast<int>(begins[r + 1] - begins[r]));
        places.push_back(static_cast<int>(begins[r]));
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, bytes.data(), counts.data(), places.data(), MPI_BYTE,
                   MPI_COMM_WORLD);
}

}  // namespace

MpiSession::MpiSession(int& argc, char**& argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
}

MpiSession::~MpiSession() {
    MPI_Finalize();
}

MpiCommunicator::MpiCommunicator() {
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rank_ = static_cast<std::size_t>(rank);
    size_ = static_cast<std::size_t>(size);
}

/// Bytes move unchanged, whatever path MPI takes.
void MpiCommunicator::move(std::span<std::byte> bytes, std::span<const std::uint64_t> begins) const {
    if (bytes.size() <= most_bytes_at_once) {
        gather_short(bytes, begins);
        return;
    }
    for (std::size_t from = 0; from < size_; ++from) {
        broadcast(bytes.subspan(begins[from], begins[from + 1] - begins[from]), from);
    }
}

void MpiCommunicator::shift(std::span<const std::byte> own, std::span<std::byte> received) const {
    const int next = static_cast<int>((rank_ + 1) % size_);
    const int before = static_cast<int>((rank_ + size_ - 1) % size_);
    while (!own.empty()) {
        const auto bytes = std::min<std::uint64_t>(own.size(), most_bytes_at_once);
        const auto count = static_cast<int>(bytes);
        MPI_Sendrecv(own.data(), count, MPI_BYTE, next, 0, received.data(), count, MPI_BYTE, before, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        own = own.subspan(bytes);
        received = received.subspan(bytes);
    }
}

}  // namespace isogon

#pragma once
#include "distributed/communicator.hpp"

namespace isogon {

/// A program that mpirun has started, between MPI_Init and MPI_Finalize. Make one in main(), before all else. An
/// error of MPI's ends all ranks (MPI_ERRORS_ARE_FATAL, its default): a rank that is cut off leaves the others
/// nothing to do.
class MpiSession {
public:
    MpiSession(int& argc, char**& argv);
    ~MpiSession();
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;
};

/// All ranks that mpirun has started. Messages go from the thread that calls, one call at a time.
class MpiCommunicator final : public Communicator {
public:
    MpiCommunicator();
    [[nodiscard]] std::size_t rank() const override { return rank_; }
    [[nodiscard]] std::size_t size() const override { return size_; }

protected:
    void move(std::span<std::byte> bytes, std::span<const std::uint64_t> begins) const override;
    void shift(std::span<const std::byte> own, std::span<std::byte> received) const override;

private:
    std::size_t rank_ = 0;
    std::size_t size_ = 1;
};

}  // namespace isogon

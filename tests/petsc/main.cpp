// Every rank runs every test, at the same time: what is asked of one is asked of all.
#include <gtest/gtest.h>

#include "mpi_communicator.hpp"
#include "petsc_session.hpp"

int main(int argc, char** argv) {
    const isogon::MpiSession mpi(argc, argv);
    const isogon::PetscSession petsc;
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}

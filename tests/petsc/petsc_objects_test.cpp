#include "petsc_objects.hpp"

#include <gtest/gtest.h>

#include "ranks.hpp"
#include "support/sparse_matrices.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::petsc_objects_test {
namespace {

using ranks::group;

TEST(PetscObjects, MatricesComeBackAsTheyWere) {
    for (const auto& [rows, columns] : {std::pair<Index, Index>{40, 40}, {3, 30}, {30, 2}}) {
        const CsrMatrix<double> matrix = support::csr_matrix(support::random_sparse(rows, columns, 0.3, rows));
        const CsrMatrix<double> back = whole(from_petsc(to_petsc(own_rows(matrix, group()), group()).get()), group());
        EXPECT_EQ(back.offsets, matrix.offsets);
        EXPECT_EQ(back.indices, matrix.indices);
        EXPECT_EQ(back.values, matrix.values);
    }
}

TEST(PetscObjects, ProductsAreThoseOfTheWhole) {
    const support::Matrix dense = support::random_sparse(35, 20, 0.3, 1);
    const MatHandle matrix = to_petsc(own_rows(support::csr_matrix(dense), group()), group());
    const support::Matrix in = support::random_matrix(20, 1, 2);
    const VecHandle x = column_vector(matrix.get());
    const VecHandle y = row_vector(matrix.get());
    fill(x.get(), own_rows(support::to_multi_vector(in), group()), 0);
    require_petsc(MatMult(matrix.get(), x.get(), y.get()), "product");
    MultiVector<double> out = own_rows(MultiVector<double>(35, 1), group());
    read(y.get(), out, 0);
    EXPECT_LT(support::difference(support::to_matrix(whole(out, group())), dense * in), 1e-13);
    EXPECT_NEAR(length(x.get()), in.norm(), 1e-13);
}

TEST(PetscObjects, DiagonalsAreAddedToWhereThereAreNone) {
    support::Matrix dense = support::random_sparse(30, 30, 0.2, 1);
    dense(5, 5) = dense(29, 29) = 0.0;
    const MatHandle matrix = to_petsc(own_rows(support::csr_matrix(dense), group()), group());
    add_to_diagonal(matrix.get(), 2.0);
    dense.diagonal().array() += 2.0;
    const CsrMatrix<double> truth = support::csr_matrix(dense);
    const CsrMatrix<double> found = whole(from_petsc(matrix.get()), group());
    EXPECT_EQ(found.indices, truth.indices);
    EXPECT_EQ(found.values, truth.values);
}

TEST(PetscObjects, ErrorsAreThrownAndNameTheStep) {
    EXPECT_NO_THROW(require_petsc(0, "nothing"));
    const MatHandle matrix = to_petsc(own_rows(support::csr_matrix(support::Matrix::Identity(5, 5)), group()), group());
    try {
        require_petsc(MatSetType(matrix.get(), "no such type"), "choice of a type");
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("choice of a type"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace isogon::petsc_objects_test

#pragma once
#include <slepceps.h>

#include <span>
#include <utility>

#include "distributed_matrix.hpp"

/// Private to isogon_petsc: owners of PETSc objects, and conversion of our matrices and vectors.
namespace isogon {

/// Throws Error with the step and PETSc's message, unless the code is 0.
void require_petsc(PetscErrorCode code, const char* step);

/// Owns a PETSc object. All ranks must destroy theirs in the same order, as scopes do.
template <class Object, PetscErrorCode (*destroy)(Object*)>
class PetscHandle {
public:
    PetscHandle() = default;
    ~PetscHandle() { destroy(&object_); }
    PetscHandle(PetscHandle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    PetscHandle& operator=(PetscHandle&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    PetscHandle(const PetscHandle&) = delete;
    PetscHandle& operator=(const PetscHandle&) = delete;

    [[nodiscard]] Object get() const { return object_; }
    /// The place where PETSc functions store a new object.
    [[nodiscard]] Object* out() { return &object_; }

private:
    Object object_ = nullptr;
};

using MatHandle = PetscHandle<Mat, MatDestroy>;
using VecHandle = PetscHandle<Vec, VecDestroy>;
using KspHandle = PetscHandle<KSP, KSPDestroy>;
using EpsHandle = PetscHandle<EPS, EPSDestroy>;

/// A copy as a PETSc matrix. A rank owns `own_columns` of its columns, as of the vectors that it is multiplied by.
/// Throws InvalidArgument if PetscInt of this build cannot count its rows or entries.
[[nodiscard]] MatHandle to_petsc(const DistributedMatrix& matrix, Index own_columns);
/// The same for a square matrix, or one whose columns are divided as rows are.
[[nodiscard]] MatHandle to_petsc(const DistributedMatrix& matrix, const RankGroup& ranks);

/// The reverse; a copy.
[[nodiscard]] DistributedMatrix from_petsc(Mat matrix);

/// matrix += shift I, whether or not it has all entries on its diagonal.
void add_to_diagonal(Mat matrix, double shift);

/// A vector that the matrix can be multiplied by (its columns), or the result (its rows).
[[nodiscard]] VecHandle column_vector(Mat matrix);
[[nodiscard]] VecHandle row_vector(Mat matrix);

/// Copies a column of a block to a vector, and back: own rows.
void fill(Vec vector, const MultiVector<double>& block, std::size_t column);
void read(Vec vector, MultiVector<double>& block, std::size_t column);
void fill(Vec vector, std::span<const double> values);

[[nodiscard]] double length(Vec vector);

}  // namespace isogon

#pragma once
#include <slepceps.h>

#include <span>
#include <utility>

#include "distributed_matrix.hpp"

/// Private to isogon_petsc: the library's objects with owners, and our matrices as theirs.
namespace isogon {

/// Throws Error naming the step and what PETSc says of it, unless the code is 0.
void require_petsc(PetscErrorCode code, const char* step);

/// Owns an object of PETSc's. All ranks must let go of theirs in the same order, as scopes do.
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
    /// Where a function of PETSc's puts a new object.
    [[nodiscard]] Object* out() { return &object_; }

private:
    Object object_ = nullptr;
};

using MatHandle = PetscHandle<Mat, MatDestroy>;
using VecHandle = PetscHandle<Vec, VecDestroy>;
using KspHandle = PetscHandle<KSP, KSPDestroy>;
using EpsHandle = PetscHandle<EPS, EPSDestroy>;

/// The matrix as PETSc's, of whose columns a rank owns so many: as of vectors that it is multiplied by. A copy.
/// Throws InvalidArgument where there are more rows or entries than the build's PetscInt can count.
[[nodiscard]] MatHandle to_petsc(const DistributedMatrix& matrix, Index own_columns);
/// The same for a square matrix, or one whose columns are divided as rows are.
[[nodiscard]] MatHandle to_petsc(const DistributedMatrix& matrix, const RankGroup& ranks);

/// And back; a copy.
[[nodiscard]] DistributedMatrix from_petsc(Mat matrix);

/// matrix += shift I, whether or not it has all entries on its diagonal.
void add_to_diagonal(Mat matrix, double shift);

/// A vector that the matrix can be multiplied by (its columns), or the result (its rows).
[[nodiscard]] VecHandle column_vector(Mat matrix);
[[nodiscard]] VecHandle row_vector(Mat matrix);

/// A column of a block into a vector, and back: own rows.
void fill(Vec vector, const MultiVector<double>& block, std::size_t column);
void read(Vec vector, MultiVector<double>& block, std::size_t column);
void fill(Vec vector, std::span<const double> values);

[[nodiscard]] double length(Vec vector);

}  // namespace isogon

#include "petsc_objects.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "isogon/core/error.hpp"
#include "petsc_session.hpp"

namespace isogon {

namespace {

void require_counted(std::uint64_t count, const char* what) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<PetscInt>::max());
    if (count > most) {
        throw InvalidArgument(what, std::to_string(count),
                              "must be at most " + std::to_string(most) +
                                  ", which this build of PETSc can count; take more ranks, or one with 64-bit indices");
    }
}

/// The values of a vector, lent for a while.
class Borrowed {
public:
    explicit Borrowed(Vec vector) : vector_(vector) {
        require_petsc(VecGetLocalSize(vector, &size_), "vector");
        require_petsc(VecGetArray(vector, &values_), "vector");
    }
    ~Borrowed() { VecRestoreArray(vector_, &values_); }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;

    [[nodiscard]] std::span<double> values() const { return {values_, static_cast<std::size_t>(size_)}; }

private:
    Vec vector_;
    double* values_ = nullptr;
    PetscInt size_ = 0;
};

}  // namespace

void require_petsc(PetscErrorCode code, const char* step) {
    if (code == 0) {
        return;
    }
    const char* text = nullptr;
    char* detail = nullptr;
    PetscErrorMessage(code, &text, &detail);
    throw Error(std::string("PETSc, ") + step + ": " + (text != nullptr ? text : "error " + std::to_string(code)) +
                (detail != nullptr ? std::string(": ") + detail : std::string()));
}

MatHandle to_petsc(const DistributedMatrix& matrix, Index own_columns) {
    const CsrMatrix<double>& rows = matrix.rows;
    require_counted(matrix.all_rows, "rows");
    require_counted(rows.columns, "columns");
    require_counted(rows.entries(), "entries of a rank");
    std::vector<PetscInt> offsets(rows.offsets.begin(), rows.offsets.end());
    std::vector<PetscInt> indices(rows.indices.begin(), rows.indices.end());
    MatHandle result;
    require_petsc(MatCreate(PETSC_COMM_WORLD, result.out()), "matrix");
    require_petsc(MatSetSizes(result.get(), static_cast<PetscInt>(rows.rows), static_cast<PetscInt>(own_columns),
                              static_cast<PetscInt>(matrix.all_rows), static_cast<PetscInt>(rows.columns)),
                  "matrix");
    require_petsc(MatSetType(result.get(), MATAIJ), "matrix");
    // The call that is not for the matrix's type does nothing.
    require_petsc(MatSeqAIJSetPreallocationCSR(result.get(), offsets.data(), indices.data(), rows.values.data()),
                  "matrix");
    require_petsc(MatMPIAIJSetPreallocationCSR(result.get(), offsets.data(), indices.data(), rows.values.data()),
                  "matrix");
    return result;
}

MatHandle to_petsc(const DistributedMatrix& matrix, const RankGroup& ranks) {
    return to_petsc(matrix, static_cast<Index>(ranks.own_part(matrix.rows.columns).size()));
}

DistributedMatrix from_petsc(Mat matrix) {
    PetscInt rows = 0;
    PetscInt columns = 0;
    PetscInt begin = 0;
    PetscInt end = 0;
    require_petsc(MatGetSize(matrix, &rows, &columns), "matrix");
    require_petsc(MatGetOwnershipRange(matrix, &begin, &end), "matrix");
    DistributedMatrix result{.all_rows = static_cast<Index>(rows), .first = static_cast<Index>(begin)};
    result.rows = {.rows = static_cast<Index>(end - begin), .columns = static_cast<Index>(columns)};
    for (PetscInt i = begin; i < end; ++i) {
        PetscInt count = 0;
        const PetscInt* indices = nullptr;
        const PetscScalar* values = nullptr;
        require_petsc(MatGetRow(matrix, i, &count, &indices, &values), "matrix");
        result.rows.indices.insert(result.rows.indices.end(), indices, indices + count);
        result.rows.values.insert(result.rows.values.end(), values, values + count);
        result.rows.offsets.push_back(result.rows.indices.size());
        require_petsc(MatRestoreRow(matrix, i, &count, &indices, &values), "matrix");
    }
    return result;
}

void add_to_diagonal(Mat matrix, double shift) {
    // Else a row without one is an error, on the rank that has it alone.
    require_petsc(MatSetOption(matrix, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_FALSE), "diagonal");
    require_petsc(MatSetOption(matrix, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE), "diagonal");
    require_petsc(MatShift(matrix, shift), "diagonal");
}

VecHandle column_vector(Mat matrix) {
    VecHandle result;
    require_petsc(MatCreateVecs(matrix, result.out(), nullptr), "vector");
    return result;
}

VecHandle row_vector(Mat matrix) {
    VecHandle result;
    require_petsc(MatCreateVecs(matrix, nullptr, result.out()), "vector");
    return result;
}

void fill(Vec vector, const MultiVector<double>& block, std::size_t column) {
    const Borrowed borrowed(vector);
    for (std::size_t i = 0; i < borrowed.values().size(); ++i) {
        borrowed.values()[i] = block.at(i, column);
    }
}

void fill(Vec vector, std::span<const double> values) {
    const Borrowed borrowed(vector);
    std::copy(values.begin(), values.end(), borrowed.values().begin());
}

void read(Vec vector, MultiVector<double>& block, std::size_t column) {
    const Borrowed borrowed(vector);
    for (std::size_t i = 0; i < borrowed.values().size(); ++i) {
        block.at(i, column) = borrowed.values()[i];
    }
}

double length(Vec vector) {
    double result = 0.0;
    require_petsc(VecNorm(vector, NORM_2, &result), "length");
    return result;
}

PetscSession::PetscSession() : words_{"isogon", "-skip_petscrc", "-no_signal_handler"} {
    for (std::string& word : words_) {
        pointers_.push_back(word.data());
    }
    pointers_.push_back(nullptr);
    arguments_ = pointers_.data();
    count_ = static_cast<int>(words_.size());
    require_petsc(SlepcInitialize(&count_, &arguments_, nullptr, nullptr), "beginning");
    require_petsc(PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr), "beginning");
}

PetscSession::~PetscSession() {
    PetscPopErrorHandler();
    SlepcFinalize();
}

}  // namespace isogon

#include "forces/fourier_plane.hpp"

#include <algorithm>
#include <utility>

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

constexpr std::size_t lanes = FourierLines::lanes;
constexpr std::size_t lines_of_task = 4 * lanes;

/// Columns [first, first + count) of the plane, and back.
void transform_columns(const FourierLines& lines, FourierPlane& plane, std::size_t first, std::size_t count,
                       FourierLines::Workspace& work) {
    for (std::size_t t = 0; t < plane.rows; ++t) {
        std::copy_n(plane.real.data() + plane.place(t, first), count, work.real(t));
        std::copy_n(plane.imaginary.data() + plane.place(t, first), count, work.imaginary(t));
    }
    lines.transform(work);
    for (std::size_t t = 0; t < plane.rows; ++t) {
        std::copy_n(work.real(t), count, plane.real.data() + plane.place(t, first));
        std::copy_n(work.imaginary(t), count, plane.imaginary.data() + plane.place(t, first));
    }
}

/// Rows [first, first + count), likewise.
void transform_rows(const FourierLines& lines, FourierPlane& plane, std::size_t first, std::size_t count,
                    FourierLines::Workspace& work) {
    for (std::size_t lane = 0; lane < count; ++lane) {
        const double* real = plane.real.data() + plane.place(first + lane, 0);
        const double* imaginary = plane.imaginary.data() + plane.place(first + lane, 0);
        for (std::size_t t = 0; t < plane.columns; ++t) {
            work.real(t)[lane] = real[t];
            work.imaginary(t)[lane] = imaginary[t];
        }
    }
    lines.transform(work);
    for (std::size_t lane = 0; lane < count; ++lane) {
        double* real = plane.real.data() + plane.place(first + lane, 0);
        double* imaginary = plane.imaginary.data() + plane.place(first + lane, 0);
        for (std::size_t t = 0; t < plane.columns; ++t) {
            real[t] = work.real(t)[lane];
            imaginary[t] = work.imaginary(t)[lane];
        }
    }
}

template <class Transform>
void transform_lines(const FourierLines& lines, FourierPlane& plane, std::size_t count, const RunContext& context,
                     const Transform& transform) {
    parallel_blocks(context, count, lines_of_task, [&](Range range) {
        FourierLines::Workspace work(lines.length());
        for (std::size_t first = range.begin; first < range.end; first += lanes) {
            transform(lines, plane, first, std::min(lanes, range.end - first), work);
        }
    });
}

}  // namespace

void PlaneTransform::forward(FourierPlane& plane, std::size_t used_rows, const RunContext& context) const {
    transform_lines(along_rows_, plane, used_rows, context, transform_rows);
    transform_lines(along_columns_, plane, plane.columns, context, transform_columns);
}

void PlaneTransform::inverse(FourierPlane& plane, std::size_t used_rows, const RunContext& context) const {
    std::swap(plane.real, plane.imaginary);
    transform_lines(along_columns_, plane, plane.columns, context, transform_columns);
    transform_lines(along_rows_, plane, used_rows, context, transform_rows);
    std::swap(plane.real, plane.imaginary);
}

}  // namespace isogon

#pragma once
#include "io/output_stream.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// Writers of one format each: they check what the format needs, and leave the commit to the caller. Values that a
/// format cannot hold are an InvalidArgument naming row and column.

/// .npy: float32, little-endian, C order.
void write_npy(OutputStream& out, const PointsView& points);
/// IDX: rank 2, float32, big-endian.
void write_idx(OutputStream& out, const PointsView& points);
/// .fvecs, .bvecs, .ivecs; the last two hold whole numbers only, of uint8 and int32.
void write_vecs(OutputStream& out, const PointsView& points, Format format);
/// A header line "word,x0,...,label" (word and label only if given), then a record a point, numbers as short as they
/// can be without losing a bit.
void write_table(OutputStream& out, const PointsView& points, const Companions& companions, Format format);
/// Word vectors as text or binary, both with the line "n dimension".
void write_words(OutputStream& out, const PointsView& points, std::span<const std::string> words, Format format);

}  // namespace isogon

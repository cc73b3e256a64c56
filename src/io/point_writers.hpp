#pragma once
#include <span>
#include <string>

#include "io/output_stream.hpp"
#include "isogon/core/points.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// What each format writes: the bytes before the first row, and rows, block by block. `first` is the number of the
/// block's first row, for messages. Values that a format cannot hold are an InvalidArgument naming row and column.

/// .npy: float32, little-endian, C order. IDX: rank 2, float32, big-endian, or images: rank 3, ubyte. Nothing for
/// .fvecs, .bvecs and .ivecs.
[[nodiscard]] std::string array_head(Format format, const PointsShape& shape);
/// A header line "word,x0,...,label" (word and label only if there are any); for word vectors "n dimension".
[[nodiscard]] std::string text_head(Format format, const PointsShape& shape);

/// Rows as float32 of the given byte order.
void write_float_rows(OutputStream& out, const PointsView& rows, std::endian order);
/// .fvecs, .bvecs, .ivecs; the last two hold whole numbers only, of uint8 and int32.
void write_vecs_rows(OutputStream& out, const PointsView& rows, Format format, Index first);
/// Images of bytes: values rounded and clipped to 0 ... 255.
void write_image_rows(OutputStream& out, const PointsView& rows, Index first);
/// A record a point, numbers as short as they can be without losing a bit.
void write_table_rows(OutputStream& out, const PointsView& rows, const Companions& companions, Format format);
/// Word vectors as text or binary.
void write_word_rows(OutputStream& out, const PointsView& rows, std::span<const std::string> words, Format format,
                     Index first);

}  // namespace isogon

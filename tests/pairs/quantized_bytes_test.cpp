#include <gtest/gtest.h>

#include "pairs/quantized_kernel.hpp"
#include "pairs/quantized_marks.hpp"

namespace isogon::quantized_bytes_test {
namespace {

using quantized_marks::expect_marks_of_float32;

TEST(QuantizedBytes, VnniMarksWhatFloat32Marks) {
    if (byte_products() < ByteProducts::Vnni) {
        GTEST_SKIP() << "this machine has no AVX-512 VNNI";
    }
    expect_marks_of_float32(mark_with_vnni, 127);
}

}  // namespace
}  // namespace isogon::quantized_bytes_test

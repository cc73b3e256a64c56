#include <gtest/gtest.h>

#include "pairs/quantized_kernel.hpp"
#include "pairs/quantized_marks.hpp"

namespace isogon::quantized_amx_test {
namespace {

using quantized_marks::expect_marks_of_float32;

TEST(QuantizedAmx, MarksWhatFloat32Marks) {
    if (byte_products() < ByteProducts::Amx) {
        GTEST_SKIP() << "this machine has no AMX";
    }
    expect_marks_of_float32(mark_with_amx, 127);
}

}  // namespace
}  // namespace isogon::quantized_amx_test

#include "isogon/linalg/panel_product.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/panel_product.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

#include "linalg/panel_strip.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {

void multiply_panels(PanelView left, PanelView right, std::size_t depth, float* values, std::size_t stride) {
    multiply_strips<float>({left.data, left.stride}, {right.data, right.stride}, depth, values, stride, false);
}

const char* instruction_set() {
    return hwy::TargetName(HWY_TARGET);
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(multiply_panels);
HWY_EXPORT(instruction_set);

void multiply_panels(PanelView left, PanelView right, std::size_t depth, float* values, std::size_t stride) {
    HWY_DYNAMIC_DISPATCH(multiply_panels)(left, right, depth, values, stride);
}

const char* instruction_set_name() {
    return HWY_DYNAMIC_DISPATCH(instruction_set)();
}

}  // namespace isogon
#endif

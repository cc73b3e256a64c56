#include "linalg/packed_points.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"

namespace isogon::panel_product_test {
namespace {

constexpr std::size_t tile = panel_width * panel_width;

struct Values {
    alignas(64) std::array<float, 2 * tile> data{};
};

class DepthOf : public testing::TestWithParam<std::size_t> {};

std::vector<std::size_t> depths() {
    std::vector<std::size_t> list;
    for (std::size_t depth = 1; depth <= 300; ++depth) {
        list.push_back(depth);
    }
    for (const std::size_t depth : {383, 384, 385, 511, 512, 513, 784, 1023, 4096}) {
        list.push_back(depth);
    }
    return list;
}

INSTANTIATE_TEST_SUITE_P(Depths, DepthOf, testing::ValuesIn(depths()));

TEST_P(DepthOf, TheProductIsThatOfFloat64) {
    const auto depth = static_cast<Index>(GetParam());
    const Points a = reference::random_points(48, depth, depth);
    const Points b = reference::random_points(48, depth, depth + 1000);
    const PackedPoints left = pack(a.view(), {}, {}, {});
    const PackedPoints right = pack(b.view(), {}, {}, {});
    Values values;
    multiply_panels(left.panel(0), right.panel(0), depth, values.data.data(), panel_width);
    for (Index i = 0; i < 48; ++i) {
        for (Index j = 0; j < 48; ++j) {
            double product = 0.0;
            double size = 0.0;
            for (Index k = 0; k < depth; ++k) {
                const double term = double{a[i][k]} * double{b[j][k]};
                product += term;
                size += std::abs(term);
            }
            ASSERT_NEAR(double{values.data.at(i * panel_width + j)}, product, 2e-6 * size) << i << ", " << j;
        }
    }
}

TEST(PanelProduct, OfNoComponentsIsZero) {
    const PackedPoints points(48, 1);
    Values values;
    values.data.fill(7.0F);
    multiply_panels(points.panel(0), points.panel(0), 0, values.data.data(), panel_width);
    for (std::size_t place = 0; place < tile; ++place) {
        ASSERT_EQ(values.data.at(place), 0.0F);
    }
}

TEST(PanelProduct, WholeNumbersAreExact) {
    const Points a = reference::whole_points(48, 200, 15, 1);
    const PackedPoints points = pack(a.view(), {}, {}, {});
    Values values;
    multiply_panels(points.panel(0), points.panel(0), 200, values.data.data(), panel_width);
    for (Index i = 0; i < 48; ++i) {
        for (Index j = 0; j < 48; ++j) {
            double product = 0.0;
            for (Index k = 0; k < 200; ++k) {
                product += double{a[i][k]} * double{a[j][k]};
            }
            ASSERT_EQ(double{values.data.at(i * panel_width + j)}, product);
        }
    }
}

TEST(PanelProduct, KeepsToItsStrides) {
    const Points a = reference::whole_points(96, 5, 9, 2);
    // 96 points in rows of 96: the second panel begins 48 floats into the first row.
    alignas(64) std::array<float, 5 * 96> wide{};
    for (Index k = 0; k < 5; ++k) {
        for (Index i = 0; i < 96; ++i) {
            wide.at(k * 96 + i) = a[i][k];
        }
    }
    Values values;
    values.data.fill(-1.0F);
    multiply_panels({wide.data(), 96}, {wide.data() + 48, 96}, 5, values.data.data(), 96);
    for (Index i = 0; i < 48; ++i) {
        for (Index j = 0; j < 96; ++j) {
            double product = 0.0;
            for (Index k = 0; j < 48 && k < 5; ++k) {
                product += double{a[i][k]} * double{a[48 + j][k]};
            }
            ASSERT_EQ(double{values.data.at(i * 96 + j)}, j < 48 ? product : -1.0) << i << ", " << j;
        }
    }
}

TEST(PanelProduct, LeftAndRightHaveStridesOfTheirOwn) {
    constexpr Index depth = 300;  // more than one chunk
    const Points a = reference::whole_points(48, depth, 9, 3);
    const Points b = reference::whole_points(96, depth, 9, 4);
    const PackedPoints narrow = pack(a.view(), {}, {}, {});
    alignas(64) static std::array<float, std::size_t{depth} * 96> wide{};
    for (Index k = 0; k < depth; ++k) {
        for (Index j = 0; j < 96; ++j) {
            wide.at(k * 96 + j) = b[j][k];
        }
    }
    Values one;
    Values other;
    multiply_panels(narrow.panel(0), {wide.data() + 48, 96}, depth, one.data.data(), panel_width);
    multiply_panels({wide.data() + 48, 96}, narrow.panel(0), depth, other.data.data(), panel_width);
    for (Index i = 0; i < 48; ++i) {
        for (Index j = 0; j < 48; ++j) {
            double product = 0.0;
            for (Index k = 0; k < depth; ++k) {
                product += double{a[i][k]} * double{b[48 + j][k]};
            }
            ASSERT_EQ(double{one.data.at(i * panel_width + j)}, product);
            ASSERT_EQ(double{other.data.at(j * panel_width + i)}, product);
        }
    }
}

class InstructionSets : public testing::Test {
protected:
    void TearDown() override { use_instruction_set(names_.front()); }
    const std::vector<std::string> names_ = instruction_set_names();
};

TEST_F(InstructionSets, HaveTheBitsOfOneMultiplyAddAfterTheOtherOnEveryInstructionSet) {
    constexpr Index depth = 100;  // one chunk
    const Points a = reference::random_points(48, depth, 1);
    const Points b = reference::random_points(48, depth, 2);
    const PackedPoints left = pack(a.view(), {}, {}, {});
    const PackedPoints right = pack(b.view(), {}, {}, {});
    for (const std::string& name : names_) {
        use_instruction_set(name);
        EXPECT_EQ(instruction_set_name(), name);
        Values values;
        multiply_panels(left.panel(0), right.panel(0), depth, values.data.data(), panel_width);
        for (Index i = 0; i < 48; ++i) {
            for (Index j = 0; j < 48; ++j) {
                float sum = 0.0F;
                for (Index k = 0; k < depth; ++k) {
                    sum = std::fma(a[i][k], b[j][k], sum);
                }
                ASSERT_EQ(values.data.at(i * panel_width + j), sum) << name << ", " << i << ", " << j;
            }
        }
    }
}

TEST_F(InstructionSets, OneThatIsNotThereIsRefusedByName) {
    try {
        use_instruction_set("MMX");
        FAIL() << "taken";
    } catch (const InvalidArgument& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("MMX"), std::string::npos) << message;
        EXPECT_NE(message.find(names_.front()), std::string::npos) << message;
    }
}

}  // namespace
}  // namespace isogon::panel_product_test

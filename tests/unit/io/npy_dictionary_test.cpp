#include "io/npy_dictionary.hpp"

#include <gtest/gtest.h>

namespace isogon::npy_dictionary_test {
namespace {

TEST(NpyDictionary, ReadsEveryWayNumpyWrote) {
    for (const char* text : {"{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }",
                             "{\"shape\":(3,4),\"fortran_order\":True,\"descr\":\"<f4\"}",
                             "{ 'shape' : (3L, 4L) , 'descr' : '<f4' , 'fortran_order' : True }  \n"}) {
        const NpyDictionary result = parse_npy_dictionary(text);
        EXPECT_EQ(result.descr, "<f4") << text;
        EXPECT_TRUE(result.fortran_order) << text;
        EXPECT_FALSE(result.structured) << text;
        EXPECT_EQ(result.shape, (std::vector<std::uint64_t>{3, 4})) << text;
    }
}

TEST(NpyDictionary, ShapesOfAnyLength) {
    const auto shape = [](const std::string& tuple) {
        return parse_npy_dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': " + tuple + "}").shape;
    };
    EXPECT_TRUE(shape("()").empty());
    EXPECT_EQ(shape("(7,)"), (std::vector<std::uint64_t>{7}));
    EXPECT_EQ(shape("(1, 2, 3)"), (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST(NpyDictionary, StructuredTypesAreSteppedOver) {
    const NpyDictionary result =
        parse_npy_dictionary("{'descr': [('a]', '<f4'), ('b', [('c', '|O')])], 'fortran_order': False, 'shape': (2,)}");
    EXPECT_TRUE(result.structured);
    EXPECT_EQ(result.shape, (std::vector<std::uint64_t>{2}));
}

TEST(NpyDictionary, EveryTruncationIsAnErrorWithinTheText) {
    const std::string text = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3)}";
    ASSERT_NO_THROW(static_cast<void>(parse_npy_dictionary(text)));
    for (std::size_t size = 0; size < text.size(); ++size) {
        try {
            static_cast<void>(parse_npy_dictionary(text.substr(0, size)));
            ADD_FAILURE() << size;
        } catch (const NpySyntaxError& error) {
            EXPECT_LE(error.position(), size);
        }
    }
}

TEST(NpyDictionary, OddHeadersAreRefused) {
    for (const char* text :
         {"", "[]", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'descr': '<f4', 'fortran_order': True, 'shape': (1,)}",
          "{'descr': '<f4', 'fortran_order': True, 'shape': (1,), 'extra': 1}",
          "{'descr': '<f4', 'fortran_order': 1, 'shape': (1,)}",
          "{'descr': '<f4', 'fortran_order': True, 'shape': [1]}",
          "{'descr': '<f4', 'fortran_order': True, 'shape': (1 2)}",
          "{'descr': '<f4', 'fortran_order': True, 'shape': (1,)} x"}) {
        EXPECT_THROW(static_cast<void>(parse_npy_dictionary(text)), NpySyntaxError) << text;
    }
    const std::string good = "{'descr': '<f4', 'fortran_order': True, 'shape': (1,)}";
    EXPECT_THROW(static_cast<void>(parse_npy_dictionary(good + '\0')), NpySyntaxError);
}

}  // namespace
}  // namespace isogon::npy_dictionary_test

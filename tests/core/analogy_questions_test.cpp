#include "core/analogy_questions.hpp"

#include <gtest/gtest.h>

namespace isogon::analogy_questions_test {
namespace {

TEST(AnalogyQuestions, ACategoryIsSyntacticByItsName) {
    for (const char* name : {"gram1-adjective-to-adverb", "gram9-plural-verbs", "gram", "grammar"}) {
        EXPECT_TRUE(is_syntactic(name)) << name;
    }
    for (const char* name : {"capital-common-countries", "family", "", "gra", "Gram1", "telegram", " gram2"}) {
        EXPECT_FALSE(is_syntactic(name)) << name;
    }
}

}  // namespace
}  // namespace isogon::analogy_questions_test

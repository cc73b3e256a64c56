#include "distributed/agreement.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "isogon/core/error.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::agreement_test {
namespace {

/// Runs body(group of the rank) on 1, 2 and 4 ranks.
template <class Body>
void on_ranks(const Body& body) {
    for (const std::size_t ranks : {1U, 2U, 4U}) {
        support::ThreadCommunicator::run(ranks,
                                         [&](const Communicator& communicator) { body(RankGroup(communicator)); });
    }
}

TEST(Agreement, GathersPartsOfAnySize) {
    on_ranks([](const RankGroup& group) {
        std::vector<int> own(group.rank());  // none on the first
        std::iota(own.begin(), own.end(), static_cast<int>(10 * group.rank()));
        std::vector<int> all;
        for (std::size_t rank = 0; rank < group.size(); ++rank) {
            for (std::size_t k = 0; k < rank; ++k) {
                all.push_back(static_cast<int>(10 * rank + k));
            }
        }
        EXPECT_EQ(gathered(std::span<const int>(own), group), all);
        EXPECT_EQ(of_first_rank(std::vector<std::size_t>{group.rank(), 7}, group), (std::vector<std::size_t>{0, 7}));
    });
}

TEST(Agreement, AnErrorOnOneRankIsOneOnAll) {
    on_ranks([](const RankGroup& group) {
        const std::size_t last = group.size() - 1;
        const auto body = [&] {
            if (group.rank() == last) {
                throw InputError("graph", "row 7", "is bad");
            }
        };
        try {
            on_all_ranks(group, body);
            FAIL() << "nothing was thrown";
        } catch (const InputError& error) {
            EXPECT_EQ(group.rank(), last);
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()), "rank " + std::to_string(last) + ": graph, row 7: is bad");
        }
        EXPECT_NO_THROW(on_all_ranks(group, [] {}));
    });
}

TEST(Agreement, OneRankThatIsToldToStopStopsAll) {
    on_ranks([](const RankGroup& group) {
        std::stop_source source;
        RunContext context;
        context.stop = source.get_token();
        EXPECT_FALSE(agreed_interruption(context, group));
        EXPECT_NO_THROW(stop_if_any_asked(context, group));
        if (group.rank() == group.size() - 1) {
            source.request_stop();
        }
        EXPECT_EQ(agreed_interruption(context, group), Termination::Cancelled);
        EXPECT_THROW(stop_if_any_asked(context, group), Interruption);
        EXPECT_THROW(on_all_ranks(group, [&] { throw_if_cancelled(context); }), Interruption);
    });
}

}  // namespace
}  // namespace isogon::agreement_test

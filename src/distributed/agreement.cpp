#include "distributed/agreement.hpp"

#include <algorithm>
#include <exception>
#include <string>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

// Below every reason to end: on with it.
constexpr int no_reason = -1;

/// The reason that takes precedence among those of all ranks, the greatest: Cancelled before TimeLimit.
int agreed(int own, const RankGroup& ranks) {
    std::vector<int> all(ranks.size(), no_reason);
    all[ranks.rank()] = own;
    ranks.all_gather_parts(all.size(), sizeof(int), std::as_writable_bytes(std::span(all)));
    return *std::max_element(all.begin(), all.end());
}

int reason_of(const std::optional<Termination>& interruption) {
    return interruption ? static_cast<int>(*interruption) : no_reason;
}

/// Throws what the first rank that said something has said.
void throw_for_others(const std::string& own, const RankGroup& ranks) {
    const std::vector<std::string> all = ranks.all_gather_texts(own);
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        if (!all[rank].empty() && own.empty()) {
            throw Error("rank " + std::to_string(rank) + ": " + all[rank]);
        }
    }
}

}  // namespace

void on_all_ranks(const RankGroup& ranks, const std::function<void()>& body) {
    std::exception_ptr thrown;
    std::string said;
    int reason = no_reason;
    try {
        body();
    } catch (const Interruption& interruption) {
        reason = static_cast<int>(interruption.reason);
    } catch (const std::exception& exception) {
        thrown = std::current_exception();
        said = exception.what();
        said = said.empty() ? "an error without a message" : said;
    }
    throw_for_others(said, ranks);
    if (thrown) {
        std::rethrow_exception(thrown);
    }
    reason = agreed(reason, ranks);
    if (reason != no_reason) {
        throw Interruption{static_cast<Termination>(reason)};
    }
}

std::optional<Termination> agreed_interruption(const RunContext& context, const RankGroup& ranks) {
    const int reason = agreed(reason_of(context.interruption()), ranks);
    return reason == no_reason ? std::nullopt : std::optional(static_cast<Termination>(reason));
}

void stop_if_any_asked(const RunContext& context, const RankGroup& ranks) {
    if (const auto reason = agreed_interruption(context, ranks)) {
        throw Interruption{*reason};
    }
}

}  // namespace isogon

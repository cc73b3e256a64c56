#include "agreement.hpp"

#include <algorithm>
#include <exception>
#include <string>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

// Below every reason to end: on with it.
constexpr int no_reason = -1;

/// The first reason among the ranks.
int agreed(int own, const Communicator& communicator) {
    std::vector<int> all(communicator.size(), no_reason);
    all[communicator.rank()] = own;
    all_gather_parts(communicator, all.size(), sizeof(int), std::as_writable_bytes(std::span(all)));
    return *std::max_element(all.begin(), all.end());
}

int reason_of(const std::optional<Termination>& interruption) {
    return interruption ? static_cast<int>(*interruption) : no_reason;
}

/// Throws what the first rank that said something has said.
void throw_for_others(const std::string& own, const Communicator& communicator) {
    const std::vector<std::uint64_t> lengths = [&] {
        const std::uint64_t length = own.size();
        return gathered(std::span<const std::uint64_t>(&length, 1), communicator);
    }();
    const std::vector<char> all = gathered(std::span<const char>(own.data(), own.size()), communicator);
    std::size_t begin = 0;
    for (std::size_t rank = 0; rank < lengths.size(); ++rank) {
        if (lengths[rank] > 0 && own.empty()) {
            throw Error("rank " + std::to_string(rank) + ": " + std::string(all.data() + begin, lengths[rank]));
        }
        begin += lengths[rank];
    }
}

}  // namespace

void on_all_ranks(const Communicator& communicator, const std::function<void()>& body) {
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
    throw_for_others(said, communicator);
    if (thrown) {
        std::rethrow_exception(thrown);
    }
    reason = agreed(reason, communicator);
    if (reason != no_reason) {
        throw Interruption{static_cast<Termination>(reason)};
    }
}

std::optional<Termination> agreed_interruption(const RunContext& context, const Communicator& communicator) {
    const int reason = agreed(reason_of(context.interruption()), communicator);
    return reason == no_reason ? std::nullopt : std::optional(static_cast<Termination>(reason));
}

void stop_if_any_asked(const RunContext& context, const Communicator& communicator) {
    if (const auto reason = agreed_interruption(context, communicator)) {
        throw Interruption{*reason};
    }
}

}  // namespace isogon

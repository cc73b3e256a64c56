#include "failure.hpp"

#include <new>

#include "isogon/core/run_context.hpp"
#include "isogon/core/team.hpp"

namespace isogon::cli {

namespace {

Failure interrupted(const Interruption& interruption) {
    if (interruption.reason == Termination::TimeLimit) {
        return {ExitCode::OverLimit, "limit",
                "stopped by the time limit before there was a result; raise --time-limit or take fewer points"};
    }
    return {ExitCode::Interrupted, "interrupted", "interrupted before there was a result; nothing was written"};
}

}  // namespace

Failure describe_current_exception() {
    try {
        throw;
    } catch (const InvalidArgument& error) {
        return {ExitCode::Usage, "usage", error.what()};
    } catch (const UsageError& error) {
        return {ExitCode::Usage, "usage", error.what()};
    } catch (const InputError& error) {
        return {ExitCode::BadInput, "input", error.what()};
    } catch (const OutputError& error) {
        return {ExitCode::Unusable, "output", error.what()};
    } catch (const RankEnded& error) {
        const bool told = error.ending().failed && error.ending().code != 0;
        return {told ? static_cast<ExitCode>(error.ending().code) : ExitCode::Unusable, "rank", error.what()};
    } catch (const LimitExceeded& error) {
        return {ExitCode::OverLimit, "limit", error.what()};
    } catch (const Interruption& interruption) {
        return interrupted(interruption);
    } catch (const std::bad_alloc&) {
        return {ExitCode::OverLimit, "limit",
                "this machine has no more memory to give; take fewer points (--every), or set --memory-limit to see "
                "the need in advance"};
    } catch (const std::exception& error) {
        return {ExitCode::Unusable, "internal", std::string("internal error: ") + error.what()};
    } catch (...) {
        return {ExitCode::Unusable, "internal", "internal error: unknown exception"};
    }
}

Json to_json(const Failure& failure) {
    return {{"error",
             {{"kind", failure.kind}, {"message", failure.message}, {"exit_code", static_cast<int>(failure.code)}}}};
}

}  // namespace isogon::cli

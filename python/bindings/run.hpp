#pragma once
#include <nanobind/nanobind.h>

#include <functional>
#include <optional>

#include "isogon/core/run_context.hpp"

namespace isogon::python {

namespace nb = nanobind;

/// How to run, as Python says it.
struct RunSettings {
    int threads = 0;                              ///< 0: as many as the process may use
    std::optional<std::uint64_t> memory_limit{};  ///< bytes
    std::optional<double> time_limit{};           ///< seconds
    /// callback(phase, done, total, objective, coordinates); true: end the run. coordinates() are a copy of those of
    /// all points, or None, while the callback runs, and ValueError later.
    nb::object callback = nb::none();
};

/// The exception that Python raised during the run: Ctrl-C, or from the callback. It has ended the run, and the caller
/// raises it again once the results of the run are in place.
using RaisedMeanwhile = std::optional<nb::python_error>;

/// Runs `work` on a thread of its own, without the interpreter's lock, while the thread that Python called in waits:
/// there signals are looked at some twenty times a second, whatever the work is doing, and the callback is called
/// between two of its steps. A signal handler that raises, a callback that raises or returns true: the run is asked to
/// stop, and is waited for. What `work` throws is thrown here, unless Python raised something.
[[nodiscard]] RaisedMeanwhile run_apart(const RunSettings& settings,
                                        const std::function<void(const RunContext&)>& work);

/// The same for work that leaves nothing when it is ended: what Python raised is thrown.
void run_or_raise(const RunSettings& settings, const std::function<void(const RunContext&)>& work);

}  // namespace isogon::python

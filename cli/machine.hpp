#pragma once
#include <string>

namespace isogon::cli {

/// "2 cores, AMD EPYC 9B14": where a run took place; the number of cores alone where the system tells no more.
[[nodiscard]] std::string machine_text();

/// The time now, in UTC: "2026-11-22T05:00:00Z".
[[nodiscard]] std::string date_text();

}  // namespace isogon::cli

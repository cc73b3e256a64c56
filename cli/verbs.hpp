#pragma once
#include <functional>

#include "cli11_types.hpp"
#include "outcome.hpp"
#include "session.hpp"

namespace isogon::cli {

/// Does the work of a verb whose flags have been parsed. Throws what describe_current_exception() sorts.
using Command = std::function<Outcome(Session&)>;

/// Each adds the flags and the help of one verb to `app`, and returns what runs it.
Command add_embed(CLI::App& app);
Command add_transform(CLI::App& app);
Command add_extend(CLI::App& app);
Command add_decompose(CLI::App& app);
Command add_reconstruct(CLI::App& app);
Command add_score(CLI::App& app);
Command add_report(CLI::App& app);
Command add_sweep(CLI::App& app);
Command add_compare(CLI::App& app);
Command add_reproduce(CLI::App& app);
Command add_neighbors(CLI::App& app);
Command add_threshold(CLI::App& app);
Command add_generate(CLI::App& app);
Command add_convert(CLI::App& app);
Command add_info(CLI::App& app);
Command add_methods(CLI::App& app);

}  // namespace isogon::cli

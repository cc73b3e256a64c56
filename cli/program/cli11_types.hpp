#pragma once

/// Forward declarations for headers. CLI11 takes longer to compile than most files of the project: only a source that
/// declares flags includes it.
namespace CLI {  // NOLINT(readability-identifier-naming): not our name
class App;
class Option;
}  // namespace CLI

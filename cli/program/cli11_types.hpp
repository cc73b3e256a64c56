#pragma once

/// What headers say of CLI11's types. CLI11 itself takes longer to compile than most files of the project: only a file
/// that declares flags includes it.
namespace CLI {  // NOLINT(readability-identifier-naming): not our name
class App;
class Option;
}  // namespace CLI

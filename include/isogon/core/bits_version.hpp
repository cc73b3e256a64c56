#pragma once

namespace isogon {

/// The version of the promise that results have the same bits on every machine (docs/reproducible.md): increases with
/// every released change of any result. Models, checkpoints and reports name it.
inline constexpr int bits_version = 1;

}  // namespace isogon

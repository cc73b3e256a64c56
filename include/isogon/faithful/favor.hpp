#pragma once

namespace isogon {

/// The property to favour where d dimensions cannot preserve all.
enum class Favor { Neighbors, Balanced, Angles };

}  // namespace isogon

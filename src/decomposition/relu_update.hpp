#pragma once
#include "isogon/decomposition/relu_factors.hpp"

namespace isogon {

/// One of the algorithms for S ~ max(0, W H), update by update.
class ReluUpdate {
public:
    ReluUpdate() = default;
    ReluUpdate(const ReluUpdate&) = delete;
    ReluUpdate& operator=(const ReluUpdate&) = delete;
    ReluUpdate(ReluUpdate&&) = delete;
    ReluUpdate& operator=(ReluUpdate&&) = delete;
    virtual ~ReluUpdate() = default;

    /// One update. Throws Interruption when the context ends the run; the factors then stay as they were.
    virtual void update() = 0;
    [[nodiscard]] virtual const ReluFactors& factors() const = 0;
    /// True once no update will change anything any more.
    [[nodiscard]] virtual bool at_rest() const { return false; }
};

}  // namespace isogon

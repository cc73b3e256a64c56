#pragma once
#include <functional>
#include <memory>
#include <shared_mutex>

#include "isogon/core/archive.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/method.hpp"
#include "isogon/methods/model.hpp"
#include "run.hpp"

namespace isogon::python {

/// A fit as a model, which becomes a transformer when it is first asked to be one: that takes memory, and time.
/// Several threads of Python may ask at once.
class Model {
public:
    explicit Model(Archive archive) : archive_(std::move(archive)) {}

    /// Looks at the archive, which stays in its place meanwhile.
    void look(const std::function<void(const Archive&)>& at) const;
    [[nodiscard]] const Transformer& transformer(RunContext context);

private:
    mutable std::shared_mutex guard_;
    Archive archive_;  ///< until there is a transformer, which then has it
    std::unique_ptr<Transformer> transformer_;
};

/// The results of a fit for Python.
struct Fit {
    nb::object coordinates;  ///< None: ended before there were any
    nb::object summary;
    nb::object options;
    nb::object map;                  ///< for linear methods and nmf: arrays by name
    nb::object landmark_rows;        ///< None, or which rows were fitted
    std::shared_ptr<Model> model{};  ///< empty: not asked for, or nothing to make one of
    nb::object raised;               ///< None, or what Python raised meanwhile; to be taken, for what was raised knows
                                     ///< the frame that knows the fit, a ring that nobody would collect
};

}  // namespace isogon::python

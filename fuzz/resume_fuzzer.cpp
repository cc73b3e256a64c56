// Checkpoints, as `isogon embed --resume` goes on from them.
#include <array>

#include "consumer.hpp"
#include "example.hpp"
#include "isogon/registry/registry.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    isogon::fuzz::consume(data, size, [](const isogon::Archive& archive) {
        const isogon::Method& method = isogon::find_method(archive.method);
        if (!method.resumes) {
            return;
        }
        // A run of the options that the checkpoint says it is of: otherwise it would be refused before it is looked at.
        static const isogon::Points points = isogon::fuzz::example_points();
        isogon::FitExtras extras;
        extras.resume = &archive;
        const auto fitted = method.embed(points.view(), archive.options, isogon::fuzz::limited(), extras);
        isogon::fuzz::expect_finite(fitted.coordinates.values(), "what a resumed fit gives");
        for (const auto& record : fitted.summary.trace) {
            isogon::fuzz::expect_finite(std::array{record.objective, record.change, record.seconds}, "a trace");
        }
    });
    return 0;
}

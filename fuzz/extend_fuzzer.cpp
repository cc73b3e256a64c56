// Models with fitted points, as `isogon extend` uses them.
#include "consumer.hpp"
#include "isogon/methods/model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    isogon::fuzz::consume(data, size, [](const isogon::Archive& archive) {
        const isogon::Transformer transformer(archive, isogon::fuzz::limited());
        for (int kind = 0; kind < isogon::fuzz::row_kinds; ++kind) {
            isogon::fuzz::attempt([&] {
                const isogon::Points rows = isogon::fuzz::rows_of_kind(kind, transformer.input_dimension());
                const auto result = transformer.extend(rows.view(), {}, isogon::fuzz::limited());
                isogon::fuzz::expect_finite(result.coordinates.values(), "what extend gives");
            });
        }
    });
    return 0;
}

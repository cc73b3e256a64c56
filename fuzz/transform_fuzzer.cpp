// Models of every method, as `isogon transform` uses them: rows of several kinds by the model's own way, by weights and
// by a map for queries.
#include "consumer.hpp"
#include "isogon/methods/model.hpp"

using isogon::Transformer;

namespace {

void transform(const Transformer& transformer) {
    for (int kind = 0; kind < isogon::fuzz::row_kinds; ++kind) {
        isogon::fuzz::attempt([&] {
            const isogon::Points rows = isogon::fuzz::rows_of_kind(kind, transformer.input_dimension());
            const auto result = transformer.transform(rows.view(), isogon::fuzz::limited());
            isogon::fuzz::expect_finite(result.coordinates.values(), "what transform gives");
        });
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    isogon::fuzz::consume(data, size, [](const isogon::Archive& archive) {
        isogon::fuzz::attempt(
            [&] { transform(Transformer(archive, isogon::fuzz::limited(), isogon::Placing::Inverse)); });
        Transformer transformer(archive, isogon::fuzz::limited());
        transform(transformer);
        transformer.use_weights({});
        transform(transformer);
        transform(Transformer(archive, isogon::fuzz::limited(), isogon::Placing::QueryMap));
    });
    return 0;
}

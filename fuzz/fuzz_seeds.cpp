// Writes the archives that the corpus begins with, some kilobytes each: fuzz_seeds FOLDER. One of every kind and
// method, made of the points of example.hpp; the same bytes whenever it runs.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "codes/vector_codes.hpp"
#include "decomposition/decompose.hpp"
#include "example.hpp"
#include "io/matrix_file.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/io/output.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/registry/registry.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/ivf_index.hpp"

namespace {

using isogon::Archive;
using isogon::OptionValues;

class Corpus {
public:
    explicit Corpus(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void add(const std::string& target, const std::string& name, Archive archive) const {
        for (auto& [array, held] : archive.arrays) {
            if (array == "trace") {  // it took as long as it took
                auto& numbers = std::get<std::vector<double>>(held.values);
                for (std::size_t i = 2; i < numbers.size(); i += 3) {
                    numbers[i] = 0.0;
                }
            }
        }
        std::filesystem::create_directories(folder_ / target);
        write_archive(folder_ / target / (name + ".safetensors"), archive, {.format = {}, .overwrite = true});
    }

    void add_file(const std::string& name, const std::function<void(const std::filesystem::path&)>& write) const {
        constexpr char no_format = 15;
        std::filesystem::create_directories(folder_ / "read_points");
        const std::filesystem::path written = folder_ / name;
        write(written);
        std::ofstream(folder_ / "read_points" / name, std::ios::binary)
            << no_format << std::ifstream(written, std::ios::binary).rdbuf();
        std::filesystem::remove(written);
    }

private:
    std::filesystem::path folder_;
};

const isogon::RunContext& context() {
    static const isogon::RunContext one_thread{.threads = 1};
    return one_thread;
}

void add_models(const Corpus& corpus) {
    const isogon::Points points = isogon::fuzz::example_points();
    const std::map<std::string, OptionValues> options{
        {"svd", {}},
        {"pca", {}},
        {"nmf", {}},
        {"tsm", {{"threshold", 0.8}, {"iterations", std::int64_t{5}}}},
        {"faithful", {{"neighbors", std::int64_t{3}}, {"iterations", std::int64_t{5}}}},
        {"faithful-cosine",
         {{"dimension", std::int64_t{5}}, {"neighbors", std::int64_t{3}}, {"metric", std::string("cosine")}}},
        {"tsne", {{"iterations", std::int64_t{20}}}},
        {"umap", {{"neighbors", std::int64_t{5}}, {"iterations", std::int64_t{6}}}},
        {"laplacian", {{"neighbors", std::int64_t{5}}}},
        {"lle", {{"neighbors", std::int64_t{8}}}},
        {"isomap", {{"neighbors", std::int64_t{5}}}},
        {"mds", {}},
        {"kpca", {}}};
    for (const auto& [name, given] : options) {
        const std::string method = name.substr(0, name.find('-'));
        OptionValues values = given;
        values.emplace("dimension", std::int64_t{2});
        const auto fitted = isogon::find_method(method).embed(points.view(), values, context());
        const Archive model = make_model(method, points.view(), fitted);
        corpus.add("transform", name, model);
        if (name == "tsm") {
            const Archive map = make_query_map(model, {.prototypes = 3, .directions = 4}, context());
            corpus.add("transform", "query-map", map);
            Archive with_map = model;
            add_query_map(with_map, map);
            corpus.add("transform", "tsm-map", with_map);
        }
        if (name == "tsm" || name == "faithful") {
            corpus.add("extend", name, model);
        }
    }
}

void add_neighbors(const Corpus& corpus) {
    const isogon::Points points = isogon::fuzz::example_points();
    isogon::Points wide(48, 40);  // along a line: few directions are kept
    for (isogon::Index i = 0; i < wide.count(); ++i) {
        for (isogon::Index k = 0; k < wide.dimension(); ++k) {
            wide[i][k] = points[i % 24][k % 6] * 0.01F + static_cast<float>(i * k % 7);
        }
    }
    for (const auto metric : {isogon::Metric::Cosine, isogon::Metric::InnerProduct, isogon::Metric::Euclidean}) {
        const std::string name(isogon::name(metric));
        const isogon::NeighborIndexOptions how{.metric = metric, .neighbors = 3};
        corpus.add("neighbors", "index-" + name, isogon::IvfIndex(points.view(), how, context()).archive());
        corpus.add("neighbors", "reduced-" + name, isogon::IvfIndex(wide.view(), how, context()).archive());
        const auto lists = isogon::exact_neighbors(points.view(), 4, metric, context());
        corpus.add("neighbors", "graph-" + name, make_neighbor_graph(lists, metric));
        const isogon::CodesOptions few{.bytes = 2, .metric = metric, .rounds = 1};
        corpus.add("neighbors", "codes-" + name, isogon::VectorCodes(points.view(), few, context()).archive());
    }
}

void add_checkpoints(const Corpus& corpus) {
    const isogon::Points points = isogon::fuzz::example_points();
    const auto iterations = [](std::int64_t count) { return OptionValues{{"iterations", count}}; };
    std::map<std::string, OptionValues> runs{{"tsne", iterations(60)}, {"faithful", iterations(60)}};
    for (const char* repulsion : {"fft", "barnes-hut", "sampled"}) {
        runs[std::string("tsne-") + repulsion] = iterations(60);
        runs[std::string("tsne-") + repulsion]["solver"] = std::string(repulsion);
    }
    runs["tsm-sphere"] = {
        {"iterations", std::int64_t{60}}, {"solver", std::string("sphere")}, {"threshold", 0.8}, {"tolerance", 1e-12}};
    for (auto& [name, values] : runs) {
        const std::string method = name.substr(0, name.find('-'));
        values.emplace("dimension", std::int64_t{2});
        int taken = 0;
        isogon::FitExtras extras;
        extras.checkpoint_seconds = 0.0;
        extras.checkpoint = [&, file = name](const Archive& archive) {
            if (++taken == 4 || taken == 40) {  // one of the first stage and one after it
                corpus.add("resume", file + "-" + std::to_string(taken), archive);
            }
        };
        (void)isogon::find_method(method).embed(points.view(), values, context(), extras);
    }
}

void add_decompositions(const Corpus& corpus) {
    isogon::CsrMatrix<double> s;
    s.rows = 8;
    s.columns = 6;
    s.offsets = {0};
    for (isogon::Index i = 0; i < s.rows; ++i) {
        for (isogon::Index j = i % 3; j < s.columns; j += 3) {
            s.indices.push_back(j);
            s.values.push_back(1.0 + 0.1 * i);
        }
        s.offsets.push_back(s.indices.size());
    }
    const isogon::DecomposeOptions options{.rank = 2};
    const auto decomposition = isogon::decompose(s, nullptr, options, nullptr, context());
    for (const auto precision : {isogon::FactorPrecision::Float32, isogon::FactorPrecision::Float64}) {
        corpus.add("reconstruct", precision == isogon::FactorPrecision::Float32 ? "float32" : "float64",
                   factor_archive(decomposition, options, precision));
    }
}

/// Files of points and matrices: a byte that says nothing of the format, then the file (read_points_fuzzer.cpp).
void add_files(const Corpus& corpus) {
    const isogon::Points points = isogon::fuzz::example_points();
    const isogon::PointsView few(points[0].data(), 3, points.dimension());
    for (const char* name : {"points.npy", "points.csv", "points.tsv", "points.fvecs"}) {
        corpus.add_file(name, [&](const std::filesystem::path& file) { write_points(file, few, {}, {}); });
    }
    isogon::CsrMatrix<double> s;
    s.rows = s.columns = 3;
    s.offsets = {0, 1, 1, 3};
    s.indices = {2, 0, 1};
    s.values = {1.0, 0.5, 1e-300};
    for (const char* name : {"matrix.mtx", "matrix.npz"}) {
        corpus.add_file(name, [&](const std::filesystem::path& file) { write_matrix(file, s, {}); });
    }
}

}  // namespace

int main(int count, char** words) {
    if (count != 2) {
        std::fprintf(stderr, "fuzz_seeds FOLDER: writes the corpus that fuzzing begins with\n");
        return 2;
    }
    try {
        const Corpus corpus(words[1]);
        add_models(corpus);
        add_neighbors(corpus);
        add_checkpoints(corpus);
        add_decompositions(corpus);
        add_files(corpus);
    } catch (const isogon::Error& error) {
        std::fprintf(stderr, "fuzz_seeds: %s\n", error.what());
        return 1;
    }
    return 0;
}

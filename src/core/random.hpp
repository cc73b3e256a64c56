#pragma once
#include <array>
#include <cstdint>

namespace isogon {

/// The purpose of a stream of random numbers. Every use has its own stream, so that no two uses share numbers.
enum class RandomStream : std::uint32_t {
    ThresholdSample = 1,
    SubspaceStart = 2,
    SwissRoll = 3,
    Arcs = 4,
    Blobs = 5,
    Sphere = 6,
    DrawnDigits = 7,
    QualitySample = 8,
    FaithfulStart = 9,
    NeighborDirections = 10,
    NeighborClusters = 11,
    NeighborSample = 12,
    DeformedImages = 13,
    Landmarks = 14,
    SpectralStart = 15,
    SpectralBound = 16,
    NonnegativeStart = 17,
    UnfoldingStart = 20,
    UnfoldingBound = 21,
    LayoutStart = 30,
    NegativeSamples = 34,
    RepulsionSamples = 35,
    FactorStart = 40,
    AngleDensity = 42,
    ReportedPoints = 43,
    CodesSample = 45,
    StartSample = 46,
    Test = 1000,
};

/// Counter-based random numbers: Philox 4x32 with 10 rounds (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as
/// easy as 1, 2, 3", SC 2011). A number is a pure function of (seed, stream, index, draw), so any thread can
/// compute any of them in any order. One object is the stream of one index: make one for each point.
class Random {
public:
    Random(std::uint64_t seed, RandomStream purpose, std::uint64_t index);

    std::uint32_t bits();                      ///< 32 uniform bits
    double uniform();                          ///< in [0, 1), 53 bits
    double uniform(double low, double high);   ///< in [low, high)
    std::uint32_t below(std::uint32_t bound);  ///< in [0, bound), unbiased; bound > 0
    double normal();                           ///< mean 0, variance 1 (Box-Muller, both values used)

    /// The block cipher itself, for tests against the published vectors.
    static std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

private:
    std::array<std::uint32_t, 4> counter_;
    std::array<std::uint32_t, 2> key_;
    std::array<std::uint32_t, 4> block_{};
    unsigned used_ = 4;
    double spare_normal_ = 0.0;
    bool has_spare_ = false;
};

}  // namespace isogon

#pragma once

namespace isogon {

/// Linear      x.y
///   Cosine      x.y / (|x||y|), 0 for a zero vector
///   Gaussian    exp(-(|x - y| / sigma)^2)
///   Polynomial  (scale x.y + 1)^degree
///   Precomputed no function of points: its values are given, as a square table in place of these
enum class KernelKind { Linear, Cosine, Gaussian, Polynomial, Precomputed };

struct KernelShape {
    KernelKind kind = KernelKind::Gaussian;
    double sigma = 1.0;
    double scale = 1.0;
    int degree = 3;
};

}  // namespace isogon

#include "synthetic/handwriting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/elementary.hpp"
#include "core/trigonometry.hpp"

namespace isogon {

namespace {

/// First and last pixel, both within, along one axis that a piece of line may touch; last < first for none.
struct Reach {
    int first = 0;
    int last = -1;
};

Reach reach(float a, float b, float margin, int size) {
    const auto limit = static_cast<float>(size);
    return {static_cast<int>(std::ceil(std::clamp(std::min(a, b) - margin, 0.0F, limit))),
            static_cast<int>(std::floor(std::clamp(std::max(a, b) + margin, -1.0F, limit - 1.0F)))};
}

/// 0 below 0, 1 above 1, smooth between.
float smooth_ramp(float t) {
    t = std::clamp(t, 0.0F, 1.0F);
    return t * t * (3.0F - 2.0F * t);
}

/// The darkness that the piece of line from a to b gives to one place.
float darkness(const PenPoint& a, const PenPoint& b, float x, float y, float softness) {
    const float dx = b.place.x - a.place.x;
    const float dy = b.place.y - a.place.y;
    const float px = x - a.place.x;
    const float py = y - a.place.y;
    const float squared = dx * dx + dy * dy;
    const float t = squared > 0.0F ? std::clamp((px * dx + py * dy) / squared, 0.0F, 1.0F) : 0.0F;
    const float ex = px - t * dx;
    const float ey = py - t * dy;
    const float distance = std::sqrt(ex * ex + ey * ey);
    const float radius = a.radius + t * (b.radius - a.radius);
    return (a.ink + t * (b.ink - a.ink)) * smooth_ramp(0.5F + (radius - distance) / softness);
}

void draw_piece(const Paper& paper, const PenPoint& a, const PenPoint& b, float softness) {
    const float margin = std::max(a.radius, b.radius) + 0.5F * softness;
    const Reach rows = reach(a.place.y, b.place.y, margin, paper.height);
    const Reach columns = reach(a.place.x, b.place.x, margin, paper.width);
    for (int row = rows.first; row <= rows.last; ++row) {
        float* pixels = paper.pixels.data() + static_cast<std::ptrdiff_t>(row) * paper.width;
        for (int column = columns.first; column <= columns.last; ++column) {
            const float value = darkness(a, b, static_cast<float>(column), static_cast<float>(row), softness);
            pixels[column] = std::max(pixels[column], value);
        }
    }
}

}  // namespace

void draw_line(const Paper& paper, std::span<const PenPoint> line, float softness) {
    if (line.size() == 1) {
        draw_piece(paper, line.front(), line.front(), softness);
    }
    for (std::size_t k = 0; k + 1 < line.size(); ++k) {
        draw_piece(paper, line[k], line[k + 1], softness);
    }
}

namespace {

using Lines = std::vector<std::vector<Place>>;

constexpr int pieces_between_knots = 6;  // at 20 pixels a digit a piece is then about one pixel long
constexpr float two_pi = 2.0F * std::numbers::pi_v<float>;

float normal(Random& random, double deviation) {
    return static_cast<float>(deviation * random.normal());
}

float uniform(Random& random, double low, double high) {
    return static_cast<float>(random.uniform(low, high));
}

float sin_in_float(float x) {
    return static_cast<float>(elementary::sin(double{x}));
}

float exp_in_float(float x) {
    return static_cast<float>(elementary::exp(double{x}));
}

Wave random_wave(Random& random, double amplitude) {
    // About half a wave across the digit: it bends whole loops and does not add jitter.
    constexpr double frequency = 3.5;
    Wave wave;
    wave.shift = {normal(random, amplitude), normal(random, amplitude)};
    wave.along = {normal(random, frequency), normal(random, frequency)};
    wave.phase = uniform(random, 0.0, two_pi);
    return wave;
}

/// People begin a stroke late or end it early, or the other way round.
void stretch_ends(Stroke& stroke, float spread, Random& random) {
    const auto stretch = [&](Place& end, const Place& next) {
        const float share = normal(random, spread);
        end.x += share * (end.x - next.x);
        end.y += share * (end.y - next.y);
    };
    stretch(stroke.front().place, stroke[1].place);
    stretch(stroke.back().place, stroke[stroke.size() - 2].place);
}

/// Moves every knot by a Gaussian of standard deviation `spread`. The displacements of neighbouring knots are
/// correlated, since the errors of a hand are smooth.
void jitter_knots(Stroke& stroke, float spread, Random& random) {
    constexpr float memory = 0.6F;
    const float fresh = std::sqrt(1.0F - memory * memory) * spread;
    Place error{normal(random, spread), normal(random, spread)};
    for (Knot& knot : stroke) {
        knot.place.x += error.x;
        knot.place.y += error.y;
        error = {memory * error.x + normal(random, fresh), memory * error.y + normal(random, fresh)};
    }
}

Lines trace_knots(const Glyph& glyph, const Hand& hand, Random& random) {
    Lines lines;
    lines.reserve(glyph.strokes.size());
    for (Stroke stroke : glyph.strokes) {
        stretch_ends(stroke, hand.end_spread, random);
        jitter_knots(stroke, hand.knot_spread, random);
        lines.push_back(trace(stroke, pieces_between_knots));
    }
    return lines;
}

Place deform(const Hand& hand, const Place& place) {
    Place moved = place;
    for (const Wave& wave : hand.waves) {
        const float height = sin_in_float(wave.along.x * place.x + wave.along.y * place.y + wave.phase);
        moved.x += wave.shift.x * height;
        moved.y += wave.shift.y * height;
    }
    const float above = 0.5F - moved.y;  // height above the middle of the glyph
    const float x = (moved.x - 0.4F) * hand.aspect * (1.0F + hand.taper * above) + hand.slant * above;
    const float c = static_cast<float>(elementary::cos(double{hand.rotation}));
    const float s = sin_in_float(hand.rotation);
    return {c * x + s * above, s * x - c * above};
}

struct Box {
    static constexpr float infinite = std::numeric_limits<float>::infinity();
    Place low{infinite, infinite};
    Place high{-infinite, -infinite};
};

Box box_of(const Lines& lines) {
    Box box;
    for (const auto& line : lines) {
        for (const Place& place : line) {
            box.low = {std::min(box.low.x, place.x), std::min(box.low.y, place.y)};
            box.high = {std::max(box.high.x, place.x), std::max(box.high.y, place.y)};
        }
    }
    return box;
}

/// Scales and moves the lines so that with the pen's width they fill a box of the hand's size, its corner at 0.
/// Returns how far they reach from there.
Place fit(Lines& lines, const Hand& hand) {
    const Box box = box_of(lines);
    const Place extent{box.high.x - box.low.x, box.high.y - box.low.y};
    const float scale = std::max(1.0F, hand.size - 2.0F * hand.radius) / std::max({extent.x, extent.y, 1e-3F});
    for (auto& line : lines) {
        for (Place& place : line) {
            place = {(place.x - box.low.x) * scale, (place.y - box.low.y) * scale};
        }
    }
    return {extent.x * scale, extent.y * scale};
}

std::vector<PenLine> press(const Lines& lines, const Hand& hand) {
    std::vector<PenLine> result;
    result.reserve(lines.size());
    for (const auto& line : lines) {
        PenLine& pen_line = result.emplace_back();
        pen_line.reserve(line.size());
        for (std::size_t k = 0; k < line.size(); ++k) {
            const float along = static_cast<float>(k) / static_cast<float>(line.size());
            const float pressure =
                1.0F + hand.pressure * sin_in_float(two_pi * hand.pressure_turns * along + hand.pressure_phase);
            pen_line.push_back({line[k], hand.radius * pressure, hand.ink * pressure});
        }
    }
    return result;
}

/// Mean place of the ink, counting every piece of line by its length and width.
Place centre_of_ink(const std::vector<PenLine>& lines) {
    double mass = 1e-9;
    double x = 0.0;
    double y = 0.0;
    for (const auto& line : lines) {
        for (std::size_t k = 0; k + 1 < line.size(); ++k) {
            const Place& a = line[k].place;
            const Place& b = line[k + 1].place;
            // Rounded to float32 on the way: a seed is to draw the same digits as before.
            const double across = b.x - a.x;
            const double down = b.y - a.y;
            const double piece = static_cast<float>(std::sqrt(across * across + down * down)) * line[k].radius;
            mass += piece;
            x += piece * 0.5 * (a.x + b.x);
            y += piece * 0.5 * (a.y + b.y);
        }
    }
    return {static_cast<float>(x / mass), static_cast<float>(y / mass)};
}

/// Where lines that reach `extent` from 0 have to begin along one axis, so that `ink` comes to `middle` unless that
/// would cut off a part at the border.
float begin_along(float ink, float middle, float extent, float margin, int side) {
    const float last = static_cast<float>(side - 1) - margin - extent;
    return std::clamp(middle - ink, std::min(margin, last), std::max(margin, last));
}

void centre(std::vector<PenLine>& lines, const Place& extent, const Hand& hand, int side) {
    const Place ink = centre_of_ink(lines);
    const float middle = 0.5F * static_cast<float>(side - 1);
    const float margin = hand.radius * (1.0F + hand.pressure) + 0.5F * hand.softness;
    const Place begin{begin_along(ink.x, middle + hand.shift.x, extent.x, margin, side),
                      begin_along(ink.y, middle + hand.shift.y, extent.y, margin, side)};
    for (auto& line : lines) {
        for (PenPoint& point : line) {
            point.place.x += begin.x;
            point.place.y += begin.y;
        }
    }
}

}  // namespace

Hand random_hand(Random& random, double variation, double brightness) {
    Hand hand;
    hand.knot_spread = static_cast<float>(0.034 * variation);
    hand.end_spread = static_cast<float>(0.22 * variation);
    for (Wave& wave : hand.waves) {
        wave = random_wave(random, 0.046 * variation);
    }
    hand.slant = static_cast<float>(variation * (0.15 + 0.28 * random.normal()));
    hand.rotation = normal(random, 0.08 * variation);
    hand.aspect = exp_in_float(normal(random, 0.22 * variation));
    hand.taper = normal(random, 0.15 * variation);
    hand.shift = {uniform(random, -0.5, 0.5), uniform(random, -0.5, 0.5)};
    hand.radius = 1.2F * exp_in_float(normal(random, 0.25 * variation));
    hand.ink = 1.05F * exp_in_float(normal(random, brightness));
    hand.softness = uniform(random, 0.9, 1.6);
    hand.pressure = std::abs(normal(random, 0.12 * variation));
    hand.pressure_phase = uniform(random, 0.0, two_pi);
    hand.pressure_turns = uniform(random, 0.5, 2.5);
    // Keeps the rare extremes of the normal draws legible and inside the image.
    hand.aspect = std::clamp(hand.aspect, 0.5F, 1.8F);
    hand.radius = std::clamp(hand.radius, 0.6F, 2.6F);
    hand.pressure = std::min(hand.pressure, 0.35F);
    hand.ink = std::max(hand.ink, 0.35F);
    return hand;
}

std::vector<PenLine> write_glyph(const Glyph& glyph, const Hand& hand, int side, Random& random) {
    Lines lines = trace_knots(glyph, hand, random);
    for (auto& line : lines) {
        for (Place& place : line) {
            place = deform(hand, place);
        }
    }
    const Place extent = fit(lines, hand);
    auto pen_lines = press(lines, hand);
    centre(pen_lines, extent, hand, side);
    return pen_lines;
}

}  // namespace isogon

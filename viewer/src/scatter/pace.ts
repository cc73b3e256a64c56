// Keeps a moving picture smooth where drawing all points takes too long: while it moves, every second, fourth, ... point is
// drawn, as many as the machine keeps up with, and all of them as soon as it rests.

// Milliseconds between frames, smoothed: 30 frames a second are 33.
const TOO_SLOW = 31;
// Two frames further apart than this belong to two movements.
const PAUSE = 700;
const FEWEST = 3000;

export class Pace {
    /** Every how-manyth point to draw while moving. */
    every = 1;
    private last = Number.NEGATIVE_INFINITY;
    private between = 0;
    private frames = 0;

    constructor(private readonly count: number) {}

    /** Told that a frame of a movement is drawn at `now`, in milliseconds. */
    frame(now: number): void {
        const since = now - this.last;
        this.last = now;
        if (since > PAUSE) {
            // The machine may have been busy with something else: each movement begins with twice as many points.
            this.every = Math.max(1, this.every / 2);
            this.restart();
            return;
        }
        this.frames += 1;
        this.between = this.frames === 1 ? since : 0.6 * this.between + 0.4 * since;
        // A single late frame says nothing.
        if (this.frames >= 3 && this.between > TOO_SLOW && this.count / (2 * this.every) >= FEWEST) {
            this.every *= 2;
            this.restart();
        }
    }

    private restart(): void {
        this.frames = 0;
        this.between = 0;
    }
}

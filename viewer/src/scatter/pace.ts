// Keeps a moving picture smooth where drawing all points takes too long: while it moves, every second, fourth, ... point is
// drawn, as many as the machine keeps up with, and all of them as soon as it rests.

// Milliseconds between frames, smoothed: 30 frames a second are 33.
const TOO_SLOW = 31;
const FAR_TOO_SLOW = 120;
// The first movement draws no more than these: without a graphics card all of a million take many times as long as a frame may.
const SURE = 125_000;
const FEWEST = 3000;
// WebGL steps by at most 255 bytes from one point to the next, and a point has 4 of each kind.
const SPARSEST = 32;

export class Pace {
    /** Every how-manyth point to draw while moving. */
    every = 1;
    private last = Number.NEGATIVE_INFINITY;
    private between = 0;
    private frames = 0;

    constructor(private readonly count: number) {
        while (count > SURE * this.every && this.maySkip()) this.every *= 2;
    }

    /** Told that a frame of a movement is drawn at `now`, in milliseconds; `begins`: the first one of that movement. */
    frame(now: number, begins: boolean): void {
        const since = now - this.last;
        const first = this.last === Number.NEGATIVE_INFINITY;
        this.last = now;
        if (begins) {
            // The machine may have been busy with something else: each movement begins with twice as many points.
            if (!first) this.every = Math.max(1, this.every / 2);
            this.restart();
            return;
        }
        this.frames += 1;
        this.between = this.frames === 1 ? since : 0.6 * this.between + 0.4 * since;
        // A single late frame says nothing, but a very late one need not be waited for again.
        const enough = this.between > FAR_TOO_SLOW ? 2 : 3;
        if (this.frames >= enough && this.between > TOO_SLOW) this.skip();
    }

    // Twice as far apart, or as far at once as the time of a frame asks for.
    private skip(): void {
        const wanted = 2 ** Math.max(1, Math.round(Math.log2(this.between / TOO_SLOW)));
        const before = this.every;
        for (let factor = 1; factor < wanted && this.maySkip(); factor *= 2) this.every *= 2;
        if (this.every > before) this.restart();
    }

    private maySkip(): boolean {
        const next = 2 * this.every;
        return next <= SPARSEST && this.count / next >= FEWEST;
    }

    private restart(): void {
        this.frames = 0;
        this.between = 0;
    }
}

// From when to when the picture moves, and how many of its points are drawn meanwhile.
import { Pace } from "./pace.ts";

// Milliseconds without a movement after which all points are drawn.
const REST = 250;

export class Movement {
    readonly pace: Pace;
    private moving = false;
    /** No frame of this movement was drawn yet. */
    private begins = false;
    private timer = 0;

    constructor(
        count: number,
        private readonly rested: () => void,
        /** The window, whose clock a test has in its hand. */
        private readonly clock: Pick<Window, "setTimeout" | "clearTimeout"> = window,
    ) {
        this.pace = new Pace(count);
    }

    /** The view was moved or enlarged. */
    changed(): void {
        this.begins ||= !this.moving;
        this.moving = true;
        this.restLater();
    }

    /** A frame is drawn at `now`: of every how many points it draws one. */
    frame(now: number): number {
        if (!this.moving) return 1;
        this.pace.frame(now, this.begins);
        this.begins = false;
        // Counted from the frame: where one takes long, a movement goes on behind it.
        this.restLater();
        return this.pace.every;
    }

    private restLater(): void {
        this.clock.clearTimeout(this.timer);
        this.timer = this.clock.setTimeout(() => {
            this.moving = false;
            this.rested();
        }, REST);
    }
}

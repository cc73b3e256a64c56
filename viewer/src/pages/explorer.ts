// What the reader is looking at: the state that picture, search, legend and lists share.
import { Signal } from "../parts/signal.ts";
import type { Group } from "../points/group.ts";
import type { BothLists, Neighbors } from "../points/neighbors.ts";
import type { Points } from "../points/points.ts";
import type { Thumbnails } from "../points/thumbnails.ts";

export class Explorer {
    /** The point whose neighbours are listed; -1: none. */
    readonly picked = new Signal(-1);
    /** Points that stand out; null: none do. */
    readonly group = new Signal<Group | null>(null);

    /** What is said to those who hear the page. */
    readonly said = new Signal("");
    /** Keys of the axes that the picture shows. */
    readonly axes = new Signal<string[]>([]);
    /** Where the keyboard is to go on; asked for anew each time. */
    readonly attention = new Signal<{ on: "picture" | "point" | "group" } | null>(null);

    constructor(
        readonly points: Points,
        readonly neighbors: Neighbors | null,
        readonly thumbnails: Thumbnails | null,
    ) {}

    pick(point: number): void {
        if (point < this.points.count) this.picked.set(point);
    }

    /** Null where none are known, and of no point and, by angle, of a zero vector, which have none. */
    listsOf(point: number): BothLists | null {
        const none = point < 0 || (this.neighbors?.byInput === "angle" && this.points.isZero(point));
        return none ? null : (this.neighbors?.of(point) ?? null);
    }

    /** Takes back the last thing first: the point, then the group. */
    escape(): void {
        if (this.picked.value >= 0) this.picked.set(-1);
        else this.group.set(null);
    }
}

// What the reader is looking at: the state that picture, search, legend and lists share.
import { Signal } from "../parts/signal.ts";
import type { Group } from "../points/group.ts";
import type { Neighbors } from "../points/neighbors.ts";
import type { Points } from "../points/points.ts";
import type { Thumbnails } from "../points/thumbnails.ts";

export class Explorer {
    /** The point whose neighbours are listed; -1: none. */
    readonly picked = new Signal(-1);
    /** Points that stand out; null: none do. */
    readonly group = new Signal<Group | null>(null);

    constructor(
        readonly points: Points,
        readonly neighbors: Neighbors | null,
        readonly thumbnails: Thumbnails | null,
    ) {}

    pick(point: number): void {
        if (point < this.points.count) this.picked.set(point);
    }

    /** Takes back the last thing first: the point, then the group. */
    escape(): void {
        if (this.picked.value >= 0) this.picked.set(-1);
        else this.group.set(null);
    }
}

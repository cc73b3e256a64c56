// What the reader is looking at: the state that picture, search, legend and lists share.
import { Signal } from "../parts/signal.ts";
import { type ClassColumn, type Column, columnsOf } from "../points/columns.ts";
import { type Filter, passing, withFilter } from "../points/filters.ts";
import type { Group } from "../points/group.ts";
import type { BothLists, Neighbors } from "../points/neighbors.ts";
import type { Points } from "../points/points.ts";
import type { Thumbnails } from "../points/thumbnails.ts";

// So many columns of the table at first: more would hide the picture.
const TOLD = 5;

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

    /** What is known of points, to colour and filter them by. */
    readonly columns: Column[];
    /** Those that are told of the point under the pointer. */
    readonly told: Signal<ReadonlySet<Column>>;
    readonly filters = new Signal<ReadonlyMap<Column, Filter>>(new Map());
    /** 1 for each point that passes the filters; null: there are none. */
    readonly passing = new Signal<Uint8Array | null>(null);

    constructor(
        readonly points: Points,
        readonly neighbors: Neighbors | null,
        readonly thumbnails: Thumbnails | null,
    ) {
        this.columns = columnsOf(points, neighbors);
        const table = this.columns.filter(({ key }) => /^column\d/.test(key));
        this.told = new Signal<ReadonlySet<Column>>(new Set(table.slice(0, TOLD)));
        this.filters.follow((filters) => this.passing.set(passing(points.count, filters.values())));
    }

    column(key: string): Column | null {
        return this.columns.find((column) => column.key === key) ?? null;
    }

    get labels(): ClassColumn | null {
        const column = this.column("label");
        return column?.kind === "classes" ? column : null;
    }

    filter(filter: Filter): void {
        this.filters.set(withFilter(this.filters.value, filter));
    }

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

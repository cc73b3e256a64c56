// Pointer, wheel and keys over the picture, as movements of the view and as what they ask for.
import type { Outline } from "./picking.ts";
import type { View } from "./view.ts";

export type Mode = "move" | "turn" | "lasso";

/** What gestures lead to; places are in pixels of the picture. */
export interface GestureEvents {
    changed(): void;
    hover(x: number, y: number): void;
    leave(): void;
    pick(x: number, y: number): void;
    lasso(outline: Outline, done: boolean): void;
    /** A key whose meaning is not the view's: Enter, Escape. */
    key(name: "Enter" | "Escape"): void;
}

const STEP = 40;
const TURN = 0.008;
// A press that moves less than this is a click.
const CLICK = 4;

interface Press {
    x: number;
    y: number;
    moved: boolean;
    mode: Mode;
}

export class Gestures {
    mode: Mode = "move";
    private readonly fingers = new Map<number, [number, number]>();
    private press: Press | null = null;
    private outline: Outline = [];

    constructor(
        private readonly surface: HTMLElement,
        private readonly view: View,
        private readonly events: GestureEvents,
    ) {
        surface.addEventListener("pointerdown", (event) => this.down(event));
        surface.addEventListener("pointermove", (event) => this.moved(event));
        surface.addEventListener("pointerup", (event) => this.up(event));
        surface.addEventListener("pointercancel", (event) => this.up(event));
        surface.addEventListener("pointerleave", (event) => {
            // A finger leaves with every touch; what it touched stays named.
            if (event.pointerType === "mouse") events.leave();
        });
        // Where one finger scrolls the page, two still are the picture's.
        for (const kind of ["touchstart", "touchmove"] as const) {
            surface.addEventListener(
                kind,
                (event) => {
                    if (event.touches.length > 1 && event.cancelable) event.preventDefault();
                },
                { passive: false },
            );
        }
        surface.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        surface.addEventListener("dblclick", (event) => this.enlargeAt(event, 2));
        surface.addEventListener("keydown", (event) => this.key(event));
    }

    private place(event: MouseEvent): [number, number] {
        const box = this.surface.getBoundingClientRect();
        // The picture begins inside the border.
        return [event.clientX - box.left - this.surface.clientLeft, event.clientY - box.top - this.surface.clientTop];
    }

    private down(event: PointerEvent): void {
        if (event.button > 1) return;
        const [x, y] = this.place(event);
        this.fingers.set(event.pointerId, [x, y]);
        this.surface.setPointerCapture(event.pointerId);
        const mode = event.shiftKey ? "lasso" : event.ctrlKey || event.button === 1 ? "move" : this.mode;
        this.press = { x, y, moved: this.fingers.size > 1, mode };
        this.outline = [[x, y]];
    }

    private moved(event: PointerEvent): void {
        const [x, y] = this.place(event);
        const before = this.fingers.get(event.pointerId);
        if (!before || !this.press) {
            this.events.hover(x, y);
            return;
        }
        if (this.fingers.size > 1) this.pinch(event.pointerId, before, [x, y]);
        else this.drag(this.press, before, [x, y]);
        this.fingers.set(event.pointerId, [x, y]);
    }

    private drag(press: Press, [fromX, fromY]: [number, number], [x, y]: [number, number]): void {
        press.moved ||= Math.hypot(x - press.x, y - press.y) > CLICK;
        if (!press.moved) return;
        if (press.mode === "lasso") {
            this.outline.push([x, y]);
            this.events.lasso(this.outline, false);
            return;
        }
        if (press.mode === "turn" && this.view.spatial) this.view.turn((x - fromX) * TURN, (y - fromY) * TURN);
        else this.view.move(x - fromX, y - fromY);
        this.events.changed();
    }

    private pinch(moving: number, from: [number, number], to: [number, number]): void {
        const other = [...this.fingers].find(([id]) => id !== moving)?.[1];
        if (!other) return;
        const spread = (at: [number, number]) => Math.max(1, Math.hypot(at[0] - other[0], at[1] - other[1]));
        this.view.move((to[0] - from[0]) / 2, (to[1] - from[1]) / 2);
        this.view.enlarge(spread(to) / spread(from), (to[0] + other[0]) / 2, (to[1] + other[1]) / 2);
        this.events.changed();
    }

    private up(event: PointerEvent): void {
        const known = this.fingers.delete(event.pointerId);
        const press = this.press;
        if (!known || !press || this.fingers.size > 0) return;
        this.press = null;
        if (event.type === "pointercancel") this.events.lasso([], true);
        else if (!press.moved) this.events.pick(press.x, press.y);
        else if (press.mode === "lasso") this.events.lasso(this.outline, true);
    }

    private wheel(event: WheelEvent): void {
        event.preventDefault();
        const lines = event.deltaMode === 1 ? 16 : 1;
        this.enlargeAt(event, Math.exp(-0.0015 * lines * event.deltaY));
    }

    private enlargeAt(event: MouseEvent, factor: number): void {
        this.view.enlarge(factor, ...this.place(event));
        this.events.changed();
    }

    private arrow(across: number, down: number): void {
        if (this.mode === "turn" && this.view.spatial) this.view.turn(-across * 0.12, -down * 0.12);
        else this.view.move(across * STEP, down * STEP);
    }

    private key(event: KeyboardEvent): void {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === "Enter" || event.key === "Escape") {
            this.events.key(event.key);
            return;
        }
        const actions: Record<string, () => void> = {
            ArrowLeft: () => this.arrow(1, 0),
            ArrowRight: () => this.arrow(-1, 0),
            ArrowUp: () => this.arrow(0, 1),
            ArrowDown: () => this.arrow(0, -1),
            "+": () => this.view.enlarge(1.25),
            "=": () => this.view.enlarge(1.25),
            "-": () => this.view.enlarge(0.8),
            "0": () => this.view.showAll(),
            Home: () => this.view.reset(),
        };
        const action = actions[event.key];
        if (!action) return;
        event.preventDefault();
        action();
        this.events.changed();
    }
}

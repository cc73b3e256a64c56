// The address of the page follows what one looks at, and a page opened by such an address shows it.
import { readState, type ViewState, writeState } from "../parts/view_link.ts";
import { classGroup } from "../points/group.ts";
import type { Explorer } from "./explorer.ts";
import type { Picture } from "./picture.ts";

function stateOf({ points, picked, group, axes }: Explorer, picture: Picture): ViewState {
    const { view } = picture.scatter;
    const state: ViewState = { axes: axes.value };
    if (picture.color.value !== picture.firstColor) state.color = picture.color.value?.key ?? "none";
    if (picked.value >= 0) state.picked = points.rowOf(picked.value);
    const label = /^label:(\d+)$/.exec(group.value?.key ?? "")?.[1];
    if (label !== undefined) state.label = Number(label);
    if (!view.spatial && view.enlarged !== 1) {
        state.center = view.center;
        state.enlarged = view.enlarged;
    }
    return state;
}

function showState(state: ViewState, explorer: Explorer, picture: Picture): void {
    const { points, labels } = explorer;
    if (state.axes) picture.chooseAxes(state.axes);
    if (state.color) picture.chooseColor(state.color);
    if (labels && state.label !== undefined && state.label < labels.names.length)
        explorer.group.set(classGroup(labels, state.label));
    if (state.picked !== undefined && points.atRow(state.picked) >= 0) explorer.pick(points.atRow(state.picked));
    if (state.center && state.enlarged) picture.scatter.lookAt(state.center, state.enlarged);
}

export function followAddress(explorer: Explorer, picture: Picture): void {
    const first = writeState(stateOf(explorer, picture));
    if (location.hash.length > 1) showState(readState(location.hash), explorer, picture);
    window.addEventListener("hashchange", () => showState(readState(location.hash), explorer, picture));
    const write = () => {
        const text = writeState(stateOf(explorer, picture));
        try {
            // The page as it opens has the address that it was opened by.
            if (text !== first || location.hash.length > 1) history.replaceState(null, "", `#${text}`);
        } catch {
            // A page inside another one may have no address of its own.
        }
    };
    for (const signal of [explorer.picked, explorer.group, explorer.axes]) signal.follow(() => write());
    picture.color.follow(() => write());
    picture.rested = write;
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { readState, writeState } from "../../../src/parts/view_link.ts";

test("a link says again what it was made of", () => {
    const state = {
        axes: ["p0", "p3", ""],
        color: "column12",
        picked: 17,
        label: 3,
        center: [0.25, -3] as [number, number],
        enlarged: 4,
    };
    assert.equal(writeState(state), "axes=p0,p3,&color=column12&point=17&label=3&at=0.25,-3,4");
    assert.deepEqual(readState(`#${writeState(state)}`), state);
    assert.deepEqual(readState(""), {});
    assert.equal(writeState({ picked: -1 }), "");
});

test("what is no link to a view is passed over", () => {
    for (const hash of [
        "#axes=<b>&color=A B&point=-1&at=1,2",
        "#point=1.5&label=x&at=1,2,0",
        "#at=1,,3&axes=p0,p1,p2,p3",
    ])
        assert.deepEqual(readState(hash), {}, hash);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, count, counted, degrees, percent, seconds, short } from "../../../src/parts/numbers.ts";

test("numbers are written as people read them", () => {
    assert.equal(count(70000), "70,000");
    assert.deepEqual([counted(1, "point"), counted(2, "point")], ["1 point", "2 points"]);
    assert.deepEqual([degrees(1.04), degrees(9.96), degrees(14.27)], ["1.0°", "10°", "14°"]);
    assert.deepEqual([percent(0.772), percent(0.772, 1)], ["77%", "77.2%"]);
    assert.deepEqual(
        [percent(0.9996), percent(0.9996, 1), percent(0.999999), percent(1)],
        ["99.96%", "99.96%", "99.99%", "100%"],
    );
    assert.deepEqual(
        [short(0.98123), short(12), short(1234567), short(5e-4), short(1.5e9)],
        ["0.9812", "12", "1,234,567", "5.00e-4", "1.50e9"],
    );
    assert.deepEqual(
        [seconds(0.024), seconds(3.47), seconds(47), seconds(190), seconds(0)],
        ["24 ms", "3.5 s", "47 s", "3 min 10 s", "0 s"],
    );
    assert.deepEqual([bytes(310e6), bytes(3.1e9), bytes(12)], ["310 MB", "3.1 GB", "12 bytes"]);
});

test("what is not known is a dash", () => {
    for (const write of [degrees, percent, short, seconds, bytes]) {
        for (const nothing of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY])
            assert.equal(write(nothing), "–");
    }
});

test("a duration that rounds up to the next unit is written in it", () => {
    assert.deepEqual(
        [seconds(0.9994), seconds(0.9997), seconds(9.94), seconds(9.97), seconds(119.4), seconds(119.7)],
        ["999 ms", "1.0 s", "9.9 s", "10 s", "119 s", "2 min 0 s"],
    );
    assert.deepEqual([seconds(179.4), seconds(179.7), seconds(3599.8)], ["2 min 59 s", "3 min 0 s", "60 min 0 s"]);
});

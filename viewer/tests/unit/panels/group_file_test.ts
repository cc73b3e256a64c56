import assert from "node:assert/strict";
import { test } from "node:test";
import { groupCsv } from "../../../src/panels/group_file.ts";
import { columnsOf } from "../../../src/points/columns.ts";
import { readPoints } from "../../../src/points/points.ts";
import { pack, packCoordinates, packText } from "../../fixtures/packing.ts";
import { numberColumn, textColumn } from "../../fixtures/table_fixture.ts";

test("each point selected is a line with what is known of it", async () => {
    const points = await readPoints({
        count: 3,
        dimension: 2,
        coordinates: packCoordinates(
            [
                [0, 5],
                [1, 6],
                [2, 7],
            ],
            2,
        ),
        rows: pack(Uint32Array.of(10, 20, 30), [3]),
        labels: { names: ["x"], index: pack(Uint8Array.of(0, 0, 9), [3]) },
        words: packText(["a,b", "=c", "d"]),
        columns: [
            numberColumn("n", [0.1, Number.NaN, Number.NaN]),
            numberColumn("day", [0, 0, 86400], "date"),
            textColumn('a "b"', ["", "", "x,y"]),
        ],
    });
    const lines = groupCsv(points, columnsOf(points), Uint32Array.of(0, 2)).split("\n");
    assert.equal(lines[0], 'row,word,label,n,day,"a ""b""",coordinate_1,coordinate_2');
    assert.match(lines[1]!, /^10,"a,b",x,0.1,1970-01-01,,0,5/);
    assert.match(lines[2]!, /^30,d,,,1970-01-02,"x,y",2,7/);
    assert.deepEqual(lines.slice(3), [""]);
});

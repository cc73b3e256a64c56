// Every source has a test of its name, unit or browser, and every such test its source.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

// Names and shapes only; nothing that could be tested.
const WITHOUT = ["document/types", "scatter/painter"];

function stems(folder, ending) {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return stems(path, ending).map((stem) => join(entry.name, stem));
        return entry.name.endsWith(ending) ? [entry.name.slice(0, -ending.length)] : [];
    });
}

function longFiles(folder) {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.path ?? entry.parentPath, entry.name))
        .filter((path) => path.endsWith(".ts") && readFileSync(path, "utf8").split("\n").length > 251)
        .map((path) => `${relative(".", path)} has more than 250 lines: it holds more than one thing`);
}

const sources = new Set(stems("src", ".ts"));
const tests = new Set([...stems("tests/unit", "_test.ts"), ...stems("tests/browser", "_test.ts")]);
const faults = [
    ...[...sources]
        .filter((name) => !tests.has(name) && !WITHOUT.includes(name))
        .map((name) => `src/${name}.ts has no test of its name`),
    ...[...tests]
        .filter((name) => !sources.has(name) && !name.startsWith("tools"))
        .map((name) => `the test ${name} has no source of its name`),
    ...longFiles("src"),
    ...longFiles("tests"),
];
for (const fault of faults) console.log(fault);
process.exit(faults.length > 0 ? 1 : 0);

// Runs the tests of one kind, all in one process: node tools/run_tests.mjs unit|browser [NAME...]
// With names only files whose path holds one of them. Ends with a line "N passed, N failed".
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

function testFiles(folder) {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return testFiles(path);
        return entry.name.endsWith("_test.ts") ? [path] : [];
    });
}

const [kind, ...names] = process.argv.slice(2);
const files = testFiles(`tests/${kind}`)
    .filter((path) => names.length === 0 || names.some((name) => path.includes(name)))
    .sort();
if (files.length === 0) {
    console.error("no test file of that name");
    process.exit(1);
}
mkdirSync("build", { recursive: true });
const program = `build/${kind}_tests.mjs`;
await build({
    stdin: { contents: files.map((path) => `import "./${path}";`).join("\n"), resolveDir: ".", sourcefile: "all.ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    sourcemap: "inline",
    outfile: program,
    logLevel: "warning",
});

const report = `build/${kind}_tests.tap`;
const { status } = spawnSync(
    process.execPath,
    [
        "--enable-source-maps",
        "--test",
        "--test-reporter=spec",
        "--test-reporter-destination=stdout",
        "--test-reporter=tap",
        `--test-reporter-destination=${report}`,
        program,
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
);
const told = (what) => Number(readFileSync(report, "utf8").match(new RegExp(`^# ${what} (\\d+)`, "m"))?.[1] ?? 0);
const [passed, failed] = [told("pass"), told("fail") + told("cancelled")];
console.log(`${passed} passed, ${failed} failed`);
process.exit(status === 0 && passed > 0 ? 0 : 1);

// Fails when the page kept in the repository is not what its source builds.
import { readFileSync } from "node:fs";
import { build } from "vite";

const output = await build({ build: { write: false }, logLevel: "warn" });
const built = [output].flat()[0].output.find((file) => file.fileName === "report.html");
if (String(built.source) !== readFileSync("dist/report.html", "utf8")) {
    console.error("viewer/dist/report.html is not what viewer/src builds. Run make viewer, and commit what it writes.");
    process.exit(1);
}
console.log("dist/report.html is what its source builds");

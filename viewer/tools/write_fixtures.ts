// Writes pages of test data to look at: node scripts for people, not for tests.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { chartsFixture } from "../tests/fixtures/charts_fixture.ts";
import { embeddingFixture } from "../tests/fixtures/embedding_fixture.ts";
import { filledPage } from "../tests/fixtures/packing.ts";

const page = readFileSync("dist/report.html", "utf8");
mkdirSync("build/pages", { recursive: true });
const write = (name: string, document: unknown) =>
    writeFileSync(`build/pages/${name}.html`, filledPage(page, document));
write("empty", null);
write("digits", embeddingFixture({ count: 900 }));
write("large", embeddingFixture({ count: 20000 }));
write("charts", chartsFixture());

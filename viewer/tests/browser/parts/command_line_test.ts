import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "../../support/pages.ts";
import { CHARTS, DIGITS } from "../../support/reports.ts";

test("the command can be reached by keyboard and has a name", async () => {
    for (const document of [DIGITS, CHARTS]) {
        await onPage(document, async (page) => {
            const region = page.getByRole("region", { name: "Command" });
            assert.equal(await region.textContent(), document.made!.command);
            assert.equal(await region.getAttribute("tabindex"), "0");
        });
    }
});

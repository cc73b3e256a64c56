// Where the page begins: reads its data element and shows what is in it.
import "./style/base.css";
import "./style/layout.css";
import "./style/picture.css";
import "./style/lists.css";
import "./style/charts.css";
import "./style/print.css";
import { DocumentError, readDocument } from "./document/read_document.ts";
import { h } from "./dom.ts";
import { chartsPage } from "./pages/charts_page.ts";
import { embeddingPage } from "./pages/embedding_page.ts";
import { startTheme } from "./parts/theme.ts";

const EMPTY =
    "There is no report in this page yet. The program isogon writes one into it: isogon embed INPUT -o OUTPUT --report REPORT.html";

function sentence(text: string): HTMLElement {
    return h("p", { class: "lone-sentence", role: "status" }, text);
}

async function content(): Promise<HTMLElement> {
    // The element stays as it is: a page saved by the browser then still is the report.
    const data = readDocument(document.getElementById("isogon-data")?.textContent ?? "null");
    if (!data) return sentence(EMPTY);
    if (data.kind === "charts") return chartsPage(data);
    const page = await embeddingPage(data);
    // For tests and measurements: where points are on the screen, and how many times the picture was drawn.
    Object.assign(window, {
        isogon: {
            place: (point: number) => page.picture.scatter.view.projectPoint(point).slice(0, 2),
            frames: () => page.picture.scatter.frames,
            pointsDrawn: () => page.picture.scatter.pointsDrawn,
            every: () => page.picture.scatter.movement.pace.every,
        },
    });
    return page.element;
}

async function start(): Promise<void> {
    startTheme();
    const place = document.getElementById("page") ?? document.body;
    try {
        place.replaceChildren(await content());
    } catch (error) {
        if (!(error instanceof DocumentError)) console.error(error);
        place.replaceChildren(
            sentence(
                error instanceof DocumentError
                    ? error.message
                    : "This report cannot be shown: something in it was not expected. The file may be damaged.",
            ),
        );
    }
    // Two frames later the first picture has been drawn.
    requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("isogon-interactive")));
}

void start();

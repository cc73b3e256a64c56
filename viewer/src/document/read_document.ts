// What stands in the page's data element: a report, nothing yet, or something this page cannot read.
import type { ReportDocument } from "./types.ts";

/** A fault of the document, in a sentence for whoever opened the page. */
export class DocumentError extends Error {}

const VERSION = 1;

/** The report in this JSON text, or null where there is none. Throws DocumentError for anything else. */
export function readDocument(text: string): ReportDocument | null {
    let value: unknown;
    try {
        value = JSON.parse(text);
    } catch {
        throw new DocumentError("The data in this file is damaged: it is not JSON.");
    }
    if (value === null) return null;
    const found = value as Partial<ReportDocument>;
    if (typeof value !== "object" || found.format !== "isogon-report") {
        throw new DocumentError("The data in this file is no report of isogon.");
    }
    if (found.version !== VERSION) {
        throw new DocumentError(
            `The data in this file has version ${String(found.version)}; this page reads version ${VERSION}. ` +
                "Make the report again, with one version of isogon.",
        );
    }
    if (found.kind !== "embedding" && found.kind !== "charts") {
        throw new DocumentError(`This page shows no report of kind "${String(found.kind).slice(0, 40)}".`);
    }
    return found as ReportDocument;
}

// A file that the page itself makes, offered to be saved.
import { h } from "../dom.ts";

/** A name that any file system takes. */
export function fileName(title: string, extension: string): string {
    const stem = title
        .normalize("NFKD")
        .replace(/[^A-Za-z0-9]+/g, "-")
        .replace(/^-+|-+$/g, "")
        .slice(0, 60)
        .toLowerCase();
    return `${stem || "chart"}.${extension}`;
}

export function save(content: Blob, name: string): void {
    const address = URL.createObjectURL(content);
    h("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** One cell of a comma-separated table. One that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvCell(text: string): string {
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

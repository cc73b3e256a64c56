// Makes of what Vite built one file that needs no other: script and style stand inside it, and a policy forbids the page
// to fetch anything, to run any script but its own, and to make elements out of text.
import { createHash } from "node:crypto";
import type { OutputAsset, OutputBundle, OutputChunk } from "rollup";
import type { Plugin } from "vite";

function hash(text: string): string {
    return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}

/** The policy of a page whose only script and only style are these. */
export function policy(script: string, style: string): string {
    return [
        "default-src 'none'",
        `script-src ${hash(script)}`,
        `style-src ${hash(style)}`,
        "img-src data: blob:",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
    ].join("; ");
}

/** The page with script and style inside. Neither may hold what would end its element. */
export function inlined(page: string, script: string, style: string): string {
    if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) {
        throw new Error("the built script or style holds text that would end its own element");
    }
    const kept = page
        .replace(/\s*<script type="module"[^>]*><\/script>/g, "")
        .replace(/\s*<link rel="(?:stylesheet|modulepreload)"[^>]*>/g, "");
    const head = [
        `<meta http-equiv="Content-Security-Policy" content="${policy(script, style)}">`,
        `<style>${style}</style>`,
        `<script type="module">${script}</script>`,
        "</head>",
    ].join("\n");
    // A function, since in a string `$&` and the like would be read as patterns.
    return kept.replace("</head>", () => head);
}

function only<T>(what: string, found: T[]): T {
    if (found.length !== 1) throw new Error(`one ${what} is expected, the build made ${found.length}`);
    return found[0] as T;
}

export function onePage(): Plugin {
    return {
        name: "one-page",
        enforce: "post",
        generateBundle(_options, bundle: OutputBundle) {
            const files = Object.values(bundle);
            const chunk = only(
                "script",
                files.filter((file): file is OutputChunk => file.type === "chunk"),
            );
            const assets = files.filter((file): file is OutputAsset => file.type === "asset");
            const style = only(
                "style",
                assets.filter((asset) => asset.fileName.endsWith(".css")),
            );
            const page = only(
                "page",
                assets.filter((asset) => asset.fileName.endsWith(".html")),
            );
            page.source = inlined(String(page.source), chunk.code.trim(), String(style.source).trim());
            delete bundle[chunk.fileName];
            delete bundle[style.fileName];
        },
    };
}

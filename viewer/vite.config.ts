import { defineConfig } from "vite";
import { onePage } from "./tools/one_page.ts";

export default defineConfig({
    base: "./",
    logLevel: "warn",
    plugins: [onePage()],
    build: {
        target: "es2022",
        outDir: "dist",
        emptyOutDir: true,
        modulePreload: false,
        cssCodeSplit: false,
        assetsInlineLimit: 0,
        rollupOptions: { input: "report.html" },
    },
});

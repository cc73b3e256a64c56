// Light or dark: as the system says, until the reader says otherwise. Paper is light.
import { h } from "../dom.ts";
import type { Theme } from "../points/palette.ts";
import { Signal } from "./signal.ts";

const KEPT = "isogon-theme";

// Pages opened from disk may be refused any storage.
function kept(): Theme | null {
    try {
        const value = localStorage.getItem(KEPT);
        return value === "light" || value === "dark" ? value : null;
    } catch {
        return null;
    }
}

function keep(theme: Theme): void {
    try {
        localStorage.setItem(KEPT, theme);
    } catch {
        // The choice then lasts as long as the page.
    }
}

export const theme = new Signal<Theme>("light");

/** Begins to follow the system, or what was chosen before. */
export function startTheme(): void {
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    let chosen = kept();
    const current = (): Theme => chosen ?? (system.matches ? "dark" : "light");
    theme.set(current());
    theme.follow((now) => {
        document.documentElement.dataset.theme = now;
    });
    system.addEventListener("change", () => theme.set(current()));
    document.addEventListener("isogon-theme", () => {
        chosen = theme.value === "dark" ? "light" : "dark";
        keep(chosen);
        theme.set(chosen);
    });
    window.addEventListener("beforeprint", () => theme.set("light"));
    window.addEventListener("afterprint", () => theme.set(current()));
}

export function themeSwitch(): HTMLButtonElement {
    const button = h("button", {
        type: "button",
        class: "quiet theme-switch",
        click: () => document.dispatchEvent(new Event("isogon-theme")),
    });
    theme.follow((now) => {
        button.textContent = now === "dark" ? "☀ Light" : "☾ Dark";
        button.setAttribute("aria-label", now === "dark" ? "Change to light colours" : "Change to dark colours");
    });
    return button;
}

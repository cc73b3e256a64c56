// Completes package-lock.json: node tools/complete_lock.mjs, after any npm install that changed it.
// Packages of programs come in one for each system, all of them optional. npm leaves those out that its registry does not
// serve, and then refuses to install from what it wrote. Here they are named again; no other system's is ever fetched.
import { readFileSync, writeFileSync } from "node:fs";

const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64"];

function entryOf(name, version) {
    const words = name.split(/[/-]/);
    const entry = { version, dev: true, optional: true };
    const cpu = PROCESSORS.filter((word) => words.includes(word));
    const os = SYSTEMS.filter((word) => words.includes(word));
    if (cpu.length > 0) entry.cpu = cpu;
    if (os.length > 0) entry.os = os;
    if (os.includes("linux") && words.some((word) => word.startsWith("musl"))) entry.libc = ["musl"];
    return entry;
}

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
let added = 0;
for (const { optionalDependencies } of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
        const path = `node_modules/${name}`;
        if (lock.packages[path] || !/^\d/.test(version)) continue;
        lock.packages[path] = entryOf(name, version);
        added += 1;
    }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} entries added`);

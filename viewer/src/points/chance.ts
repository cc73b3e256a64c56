// What chance would give: the null hypothesis that a point's nearest in the embedding are drawn from all others.

/** Probability that `kept` or more of `k` nearest are found again where `k` of `others` are drawn: hypergeometric. */
export function tailProbability(kept: number, k: number, others: number): number {
    if (kept <= 0 || k >= others) return 1;
    const logs = new Float64Array(others + 1);
    for (let i = 2; i <= others; i++) logs[i] = logs[i - 1]! + Math.log(i);
    const choose = (n: number, m: number) =>
        m < 0 || m > n ? Number.NEGATIVE_INFINITY : logs[n]! - logs[m]! - logs[n - m]!;
    let sum = 0;
    for (let m = kept; m <= k; m++) {
        sum += Math.exp(choose(k, m) + choose(others - k, k - m) - choose(others, k));
    }
    return Math.min(1, sum);
}

/** "of 0.03", "below 10⁻⁷". */
function probability(p: number): string {
    if (p >= 0.001) return `of ${Number(p.toPrecision(1))}`;
    const power = Math.max(-300, Math.ceil(Math.log10(Math.max(p, 1e-300))));
    return `below 10${[...String(power)].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)] ?? "⁻").join("")}`;
}

/** How surely a point that keeps `kept` of `k` nearest is placed better than at random among `count` points. */
export function chanceWords(kept: number, k: number, count: number): string {
    const expected = (k * k) / Math.max(1, count - 1);
    const p = tailProbability(kept, k, count - 1);
    const mean = `A place at random would keep ${Number(expected.toPrecision(1))}`;
    if (kept === 0 || p > 0.05) return `${mean}: this is no better than chance.`;
    return `${mean}, and this many with a probability ${probability(p)}.`;
}

// Principal axes of the coordinates: eigenvectors of their covariance, found by Jacobi's rotations.

/** Eigenvalues in descending order, and for each its unit eigenvector, of a symmetric matrix given by rows. */
export function symmetricEigenpairs(matrix: Float64Array[]): { values: number[]; vectors: Float64Array[] } {
    const size = matrix.length;
    const a = matrix.map((row) => Float64Array.from(row));
    const v = a.map((_, i) => Float64Array.from({ length: size }, (_unused, j) => (i === j ? 1 : 0)));
    const total = Math.sqrt(a.reduce((sum, row) => sum + row.reduce((part, x) => part + x * x, 0), 0));
    for (let sweep = 0; sweep < 30 && offDiagonal(a) > 1e-12 * total; sweep++) {
        for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(a, v, p, q);
    }
    const order = a.map((_, i) => i).sort((i, j) => a[j]![j]! - a[i]![i]!);
    return {
        values: order.map((i) => a[i]![i]!),
        vectors: order.map((i) => Float64Array.from({ length: size }, (_, row) => v[row]![i]!)),
    };
}

function offDiagonal(a: Float64Array[]): number {
    let sum = 0;
    for (let i = 0; i < a.length; i++) for (let j = 0; j < i; j++) sum += 2 * a[i]![j]! ** 2;
    return Math.sqrt(sum);
}

// One Jacobi rotation, which makes a[p][q] zero (Golub and Van Loan, section 8.5).
function rotate(a: Float64Array[], v: Float64Array[], p: number, q: number): void {
    const apq = a[p]![q]!;
    if (apq === 0) return;
    const theta = (a[q]![q]! - a[p]![p]!) / (2 * apq);
    const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
    const c = 1 / Math.sqrt(t * t + 1);
    const s = t * c;
    for (let k = 0; k < a.length; k++) mix(a[k]!, p, q, c, s);
    const rowP = a[p]!;
    const rowQ = a[q]!;
    for (let k = 0; k < a.length; k++) {
        const x = rowP[k]!;
        rowP[k] = c * x - s * rowQ[k]!;
        rowQ[k] = s * x + c * rowQ[k]!;
    }
    for (let k = 0; k < a.length; k++) mix(v[k]!, p, q, c, s);
}

function mix(row: Float64Array, p: number, q: number, c: number, s: number): void {
    const x = row[p]!;
    row[p] = c * x - s * row[q]!;
    row[q] = s * x + c * row[q]!;
}

// The covariance takes points * dimension^2 steps; beyond this many every so-manyth point speaks for all, so that a page
// of 70,000 points in hundreds of dimensions opens as quickly as any.
const STEPS = 2e8;

export interface PrincipalAxes {
    /** Shares of the variance. */
    shares: number[];
    /** Places of all points along axis j, from the mean. */
    project: (j: number) => Float32Array;
}

/** Axes of `count` points whose coordinate j is column(j). Each points to where its largest component is positive. */
export function principalAxes(count: number, dimension: number, column: (j: number) => Float32Array): PrincipalAxes {
    const columns = Array.from({ length: dimension }, (_, j) => column(j));
    const means = columns.map((values) => values.reduce((sum, x) => sum + x, 0) / Math.max(1, count));
    const every = Math.max(1, Math.ceil((count * dimension * dimension) / (2 * STEPS)));
    const { values, vectors } = symmetricEigenpairs(covariance(columns, means, every));
    const total = values.reduce((sum, x) => sum + Math.max(0, x), 0);
    const project = (j: number): Float32Array => {
        const axis = upright(vectors[j]!);
        const places = new Float32Array(count);
        for (let d = 0; d < dimension; d++) {
            const values = columns[d]!;
            for (let i = 0; i < count; i++) places[i]! += axis[d]! * (values[i]! - means[d]!);
        }
        return places;
    };
    return { shares: values.map((x) => (total > 0 ? Math.max(0, x) / total : 0)), project };
}

function covariance(columns: Float32Array[], means: number[], every: number): Float64Array[] {
    const matrix = columns.map(() => new Float64Array(columns.length));
    const count = columns[0]?.length ?? 0;
    for (let p = 0; p < columns.length; p++) {
        for (let q = 0; q <= p; q++) {
            let sum = 0;
            for (let i = 0; i < count; i += every) sum += (columns[p]![i]! - means[p]!) * (columns[q]![i]! - means[q]!);
            matrix[p]![q] = sum;
            matrix[q]![p] = sum;
        }
    }
    return matrix;
}

function upright(axis: Float64Array): Float64Array {
    const largest = axis.reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best), 0);
    return largest < 0 ? axis.map((x) => -x) : axis;
}

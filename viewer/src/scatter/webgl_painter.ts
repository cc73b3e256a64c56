// Points by WebGL: one draw call for all of them. Turning and moving cost no more than a few numbers sent.
import { OPACITY } from "../points/palette.ts";
import type { Painter, Scene } from "./painter.ts";

const VERTEX = `#version 300 es
layout(location = 0) in float x;
layout(location = 1) in float y;
layout(location = 2) in float z;
layout(location = 3) in vec4 look;
layout(location = 4) in float emphasis;
uniform mat3 rotation;
uniform vec3 middle;
uniform vec2 center;
uniform vec2 scale;
uniform float radius;
uniform float size;
uniform float pass;
uniform bool spatial;
uniform vec3 background;
out vec4 color;
flat out int shape;
void main() {
    vec3 turned = rotation * (vec3(x, y, z) - middle);
    float depth = spatial ? clamp(turned.z / radius, -1.0, 1.0) : 0.0;
    gl_Position = vec4((turned.xy - center) * scale, -0.99 * depth, 1.0);
    // Passes: 0 draws all points alike, 1 those that step back, 2 those that stand out.
    bool out_of_pass = pass == 1.0 ? emphasis > 0.0 : pass == 2.0 && emphasis == 0.0;
    if (out_of_pass) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = size * (1.0 + 0.3 * depth);
    vec3 ink = mix(look.rgb, background, spatial ? 0.2 * (1.0 - depth) : 0.0);
    color = vec4(ink, pass == 1.0 ? 0.13 : ${OPACITY});
    shape = int(look.a * 255.0 + 0.5);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec4 color;
flat in int shape;
uniform float size;
uniform bool spatial;
out vec4 painted;
void main() {
    vec2 p = 2.0 * gl_PointCoord - 1.0;
    float edge = shape == 1 ? max(abs(p.x), abs(p.y)) + 0.15
        : shape == 2 ? max(p.y + 0.23, 0.581 - p.y * 0.481 + abs(p.x) * 0.876)
        : shape == 3 ? abs(p.x) + abs(p.y) : length(p);
    float alpha = color.a * clamp((1.0 - edge) * 0.5 * size + 0.25, 0.0, 1.0);
    if (alpha < (spatial ? 0.08 : 0.01)) discard;
    painted = vec4(color.rgb * alpha, alpha);
}`;

function compile(gl: WebGL2RenderingContext, type: number, source: string): WebGLShader {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    return shader;
}

function link(gl: WebGL2RenderingContext): WebGLProgram {
    const program = gl.createProgram();
    gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, VERTEX));
    gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, FRAGMENT));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
        throw new Error(`WebGL refuses the points' program: ${gl.getProgramInfoLog(program) ?? ""}`);
    }
    return program;
}

const PLACES = 3;
const LOOK = 3;
const EMPHASIS = 4;

/** How an attribute lies in its buffer. */
interface Layout {
    parts: number;
    real: boolean;
    normalized: boolean;
}

export class WebglPainter implements Painter {
    private program!: WebGLProgram;
    private buffers: WebGLBuffer[] = [];
    private readonly uniforms = new Map<string, WebGLUniformLocation | null>();
    private columns: Float32Array[] = [];
    private looks: Uint8Array | null = null;
    private mask: Uint8Array | null = null;
    private readonly layouts: (Layout | null)[] = [];
    private every = 1;
    private density = 1;

    private constructor(
        private readonly canvas: HTMLCanvasElement,
        private readonly gl: WebGL2RenderingContext,
    ) {
        this.begin();
    }

    private begin(): void {
        const { gl } = this;
        this.program = link(gl);
        this.uniforms.clear();
        this.buffers = Array.from({ length: EMPHASIS + 1 }, () => gl.createBuffer());
        gl.useProgram(this.program);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    }

    /**
     * Null where the browser has no WebGL. A browser may take WebGL's memory away and give it back later; `restored` is
     * called when all is in it again and wants to be drawn.
     */
    static on(canvas: HTMLCanvasElement, restored: () => void): WebglPainter | null {
        const gl = canvas.getContext("webgl2", { antialias: false, alpha: false });
        if (!gl) return null;
        const painter = new WebglPainter(canvas, gl);
        canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
        canvas.addEventListener("webglcontextrestored", () => {
            painter.refill();
            restored();
        });
        return painter;
    }

    private refill(): void {
        this.begin();
        this.gl.viewport(0, 0, this.canvas.width, this.canvas.height);
        this.setPlaces(this.columns);
        if (this.looks) this.setLooks(this.looks);
        this.setEmphasis(this.mask);
    }

    private upload(place: number, data: Float32Array | Uint8Array | null, parts: number, normalized: boolean): void {
        const { gl } = this;
        if (!data) {
            this.layouts[place] = null;
            gl.disableVertexAttribArray(place);
            gl.vertexAttrib1f(place, 0);
            return;
        }
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[place]!);
        gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
        gl.enableVertexAttribArray(place);
        this.layouts[place] = { parts, real: data instanceof Float32Array, normalized };
        this.point(place, this.every);
    }

    // Reads every so-manyth value of an attribute's buffer.
    private point(place: number, every: number): void {
        const layout = this.layouts[place];
        if (!layout) return;
        const { gl } = this;
        const bytes = layout.parts * (layout.real ? 4 : 1);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[place]!);
        gl.vertexAttribPointer(
            place,
            layout.parts,
            layout.real ? gl.FLOAT : gl.UNSIGNED_BYTE,
            layout.normalized,
            every * bytes,
            0,
        );
    }

    private thin(every: number): void {
        if (every === this.every) return;
        this.every = every;
        for (let place = 0; place <= EMPHASIS; place++) this.point(place, every);
    }

    setPlaces(columns: Float32Array[]): void {
        this.columns = columns;
        for (let d = 0; d < PLACES; d++) this.upload(d, columns[d] ?? null, 1, false);
    }

    setLooks(looks: Uint8Array): void {
        this.looks = looks;
        this.upload(LOOK, looks, 4, true);
    }

    setEmphasis(mask: Uint8Array | null): void {
        this.mask = mask;
        this.upload(EMPHASIS, mask, 1, true);
    }

    resize(width: number, height: number, density: number): void {
        this.density = density;
        this.canvas.width = Math.round(width * density);
        this.canvas.height = Math.round(height * density);
        this.gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    }

    private at(name: string): WebGLUniformLocation | null {
        if (!this.uniforms.has(name)) this.uniforms.set(name, this.gl.getUniformLocation(this.program, name));
        return this.uniforms.get(name)!;
    }

    draw({ view, size, background, every }: Scene): void {
        const { gl } = this;
        if (gl.isContextLost()) return;
        this.thin(every);
        const spatial = this.columns.length > 2;
        const ground = background.map((x) => x / 255) as [number, number, number];
        gl.clearColor(...ground, 1);
        gl.depthMask(true);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        if (spatial) gl.enable(gl.DEPTH_TEST);
        else gl.disable(gl.DEPTH_TEST);
        gl.uniformMatrix3fv(this.at("rotation"), true, view.rotation);
        gl.uniform3f(this.at("middle"), ...view.middle);
        gl.uniform2f(this.at("center"), ...view.centerOfScreen());
        gl.uniform2f(this.at("scale"), (2 * view.zoom) / view.width, (2 * view.zoom) / view.height);
        gl.uniform1f(this.at("radius"), view.radius);
        gl.uniform1f(this.at("size"), size * this.density);
        gl.uniform1i(this.at("spatial"), spatial ? 1 : 0);
        gl.uniform3f(this.at("background"), ...ground);
        for (const pass of this.mask ? [1, 2] : [0]) {
            gl.uniform1f(this.at("pass"), pass);
            // What steps back is seen through, so it must not hide what stands out behind it.
            gl.depthMask(pass !== 1);
            gl.drawArrays(gl.POINTS, 0, Math.floor((this.columns[0]?.length ?? 0) / every));
        }
    }
}

// A value that tells those who asked when it changes.

export class Signal<T> {
    private readonly listeners: ((value: T) => void)[] = [];

    constructor(private current: T) {}

    get value(): T {
        return this.current;
    }

    set(value: T): void {
        if (Object.is(value, this.current)) return;
        this.current = value;
        for (const listener of this.listeners) listener(value);
    }

    /** Called at every change from now on, and once at once. */
    follow(listener: (value: T) => void): void {
        this.listeners.push(listener);
        listener(this.current);
    }
}

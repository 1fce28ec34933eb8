/** Measures what test files pay for a kind of preparation, such as signing in. Concurrent calls of a kind count once. */
export function measured<T>(kind: string, run: () => Promise<T>): Promise<T>;

/** Returns the beginning of the names of the databases of a test file. */
export function databasePrefix(testPath: string): string;

/** Returns the path of the current test file. Empty outside of Jest. */
export function currentFile(): string;

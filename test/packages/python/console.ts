import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

/** A Python process that keeps its variables between calls of `run`. */
export class PythonConsole {
  readonly #child: ChildProcess;
  readonly #lines: Interface;

  constructor(python: string, environment: Readonly<Record<string, string>>) {
    this.#child = spawn(python, ['-B', join(import.meta.dirname, 'console.py')], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    this.#lines = createInterface({ input: this.#child.stdout! });
  }

  /** Runs code and returns its variable `result`. @throws Error with the Python traceback */
  async run<Result = unknown>(code: string): Promise<Result> {
    const nextLine = once(this.#lines, 'line');
    this.#child.stdin!.write(`${JSON.stringify(withoutIndentation(code))}\n`);
    const [line] = (await nextLine) as [string];
    const { result, error } = JSON.parse(line) as { result: Result; error?: string };
    if (error !== undefined) throw new Error(error);
    return result;
  }

  /** Calls a function and returns its result. The parameters must be JSON. */
  call(name: string, ...parameters: unknown[]): Promise<unknown> {
    return this.run(`result = ${name}(*json.loads(${JSON.stringify(JSON.stringify(parameters))}))`);
  }

  async stop(): Promise<void> {
    this.#child.stdin!.end();
    await once(this.#child, 'exit');
  }
}

/** Removes the common indentation of code in a template literal. */
function withoutIndentation(code: string): string {
  const indentation = /^\n?( *)/.exec(code)![1]!;
  return code.replaceAll(new RegExp(`^${indentation}`, 'gm'), '');
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './blocks.js';

/** The result of a block. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The response statuses of the curl commands, in order. */
  readonly statuses: readonly number[];
}

/** Runs before each block. */
const PRELUDE = readFileSync(join(import.meta.dirname, 'prelude.sh'), 'utf8');

/** A shell in a folder with the examples. The shell keeps its variables between blocks. */
export class Shell {
  readonly folder = mkdtempSync(join(tmpdir(), 'samples-'));
  private readonly groups: number[] = [];

  constructor(private readonly environment: Readonly<Record<string, string>>) {
    cpSync(join(ROOT, 'examples'), join(this.folder, 'examples'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
    mkdirSync(join(this.folder, '.config/fish/completions'), { recursive: true });
    mkdirSync(join(this.folder, 'bin'));
    const program = join(ROOT, 'packages/cli/dist/identity-service.js');
    this.write('bin/identity-service', `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, 0o755);
    this.write('stdout', '');
  }

  write(name: string, content: string, mode = 0o644): void {
    writeFileSync(join(this.folder, name), content, { mode });
  }

  /** Returns the output of all blocks, including background programs. */
  printed(): string {
    return readFileSync(join(this.folder, 'stdout'), 'utf8');
  }

  async run(code: string): Promise<Ran> {
    const before = this.printed().length;
    const errorPath = join(this.folder, 'stderr');
    const out = openSync(join(this.folder, 'stdout'), 'a');
    const err = openSync(errorPath, 'w');
    // The block has a separate process group. The group is stopped with its background programs.
    const child = spawn('bash', ['-c', `${PRELUDE}\n${code}\ncode=$?\nexport -p > .environment\nexit $code\n`], {
      cwd: this.folder,
      detached: true,
      stdio: ['ignore', out, err],
      env: {
        ...process.env,
        HOME: this.folder,
        ...this.environment,
        PATH: `${join(this.folder, 'bin')}:${process.env['PATH']}`,
      },
    });
    this.groups.push(child.pid!);
    const [exitCode] = (await once(child, 'exit')) as [number];
    closeSync(out);
    closeSync(err);
    const stderr = readFileSync(errorPath, 'utf8');
    const statuses = [...stderr.matchAll(/^@status (\d+)$/gm)].map((match) => Number(match[1]));
    return { exitCode, stdout: this.printed().slice(before), stderr, statuses };
  }

  end(): void {
    for (const group of this.groups) {
      try {
        process.kill(-group);
      } catch {
        // The process group has already exited.
      }
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

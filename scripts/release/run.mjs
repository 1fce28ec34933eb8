import { spawnSync } from 'node:child_process';

/** Runs a program and returns its output. @throws Error with the output for an exit code that is not allowed */
export function run(program, parameters, { allowed = [0], ...options } = {}) {
  const settings = { encoding: 'utf8', maxBuffer: 1 << 28, ...options };
  const { status, stdout, stderr, error } = spawnSync(program, parameters, settings);
  if (error) throw error;
  if (!allowed.includes(status)) throw new Error(`"${[program, ...parameters].join(' ')}" failed:\n${stdout}${stderr}`);
  return stdout;
}

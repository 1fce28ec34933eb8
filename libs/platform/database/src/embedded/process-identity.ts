import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Tells a live process from a later one that got the same id: ids repeat after a reboot and, in containers, at every start.
 * Zombies count as dead, because a container whose first process reaps nobody keeps them for ever.
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform !== 'linux') return psColumn(pid, 'lstart=');

  const stat = readTextOrUndefined(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program's name, which may itself hold spaces and parentheses.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  const startTicks = fields[18];
  return `${readTextOrUndefined('/proc/sys/kernel/random/boot_id')?.trim()}:${startTicks}`;
}

/** Whether the process serves the cluster in this (real) directory: a postmaster's working directory is its cluster. */
export function worksInDirectory(pid: number, directory: string): boolean {
  if (processIdentity(pid) === undefined) return false;
  if (process.platform !== 'linux') return psColumn(pid, 'command=')?.includes(directory) ?? false;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === directory;
  } catch {
    // Root in a container mostly lacks CAP_SYS_PTRACE, which another user's directory asks for; the command line is open to all.
    return readTextOrUndefined(`/proc/${pid}/cmdline`)?.split('\0').includes(directory) ?? false;
  }
}

function psColumn(pid: number, column: string): string | undefined {
  try {
    const [state = 'Z', ...rest] = execFileSync('ps', ['-ww', '-o', 'stat=', '-o', column, '-p', String(pid)], {
      encoding: 'utf8',
    })
      .trim()
      .split(/\s+/);
    return state.startsWith('Z') ? undefined : rest.join(' ');
  } catch {
    return undefined;
  }
}

function readTextOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

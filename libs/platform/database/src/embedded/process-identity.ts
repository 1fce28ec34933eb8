import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Returns a text that distinguishes a running process from later processes with the same ID. IDs repeat after a reboot and, in containers,
 * after every start. Returns undefined for zombies, which can stay forever in a container.
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform !== 'linux') return psColumn(pid, 'lstart=');

  const stat = readTextOrUndefined(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the name of the program, which can contain spaces and parentheses.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  const startTicks = fields[18];
  return `${readTextOrUndefined('/proc/sys/kernel/random/boot_id')?.trim()}:${startTicks}`;
}

/** Returns whether the process is the server of the cluster in this directory. The working directory of a server is its cluster. */
export function worksInDirectory(pid: number, directory: string): boolean {
  if (processIdentity(pid) === undefined) return false;
  if (process.platform !== 'linux') return psColumn(pid, 'command=')?.includes(directory) ?? false;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === directory;
  } catch {
    // Reading another user's working directory requires CAP_SYS_PTRACE, which root lacks in most containers. All users can read the command
    // line.
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

import { readdirSync, readFileSync } from 'node:fs';
import { withClient } from './stores.mjs';

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Returns the parent and the processor time of a process in milliseconds, or undefined if the process or /proc does not exist. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program can contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [own, ended] = [11, 13].map((first) => (Number(fields[first]) + Number(fields[first + 1])) * TICK_MS);
    return { parent: Number(fields[1]), own, ended };
  } catch {
    return undefined;
  }
}

export const processorTimeMs = (pid) => statOf(pid)?.own;

/** Returns a function for the processor time of all processes of a PostgreSQL server. It returns undefined for a server on another machine. */
export async function postgresTime(url) {
  return withClient(url, async (client) => {
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid, inet_server_addr() AS address');
    const [{ pid, address }] = rows;
    const isLocal = address === null || ['127.0.0.1', '::1'].includes(address);
    const postmaster = isLocal ? statOf(pid)?.parent : undefined;
    return () => postmaster && timeOfFamily(postmaster);
  });
}

/** Returns the processor time of a process and its children in milliseconds. */
export function timeOfFamily(parent) {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat?.parent === parent);
  const { own, ended } = statOf(parent);
  return stats.reduce((sum, stat) => sum + stat.own, own + ended);
}

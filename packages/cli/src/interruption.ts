/** Returns a signal that is aborted by the first Ctrl-C. A second Ctrl-C ends the process. */
export function interruption(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  return ending.signal;
}

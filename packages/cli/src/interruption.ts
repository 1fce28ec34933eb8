/** Ends what goes on for ever, in an orderly way, at the first Ctrl-C; a second one ends the program. */
export function interruption(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  return ending.signal;
}

/** The same answer for some time, to all who ask; a failure is not kept. */
export function lately<Result>(read: () => Promise<Result>, keptMs: number): () => Promise<Result> {
  let kept: Promise<Result> | undefined;
  return () => {
    if (kept) return kept;
    kept = read();
    const forget = () => (kept = undefined);
    kept.then(() => setTimeout(forget, keptMs).unref(), forget);
    return kept;
  };
}

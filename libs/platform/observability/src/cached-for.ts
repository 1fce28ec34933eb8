/** Returns a function that caches the result of `read` for `cachedMs`. Does not cache errors. */
export function cachedFor<Result>(read: () => Promise<Result>, cachedMs: number): () => Promise<Result> {
  let cached: Promise<Result> | undefined;
  return () => {
    if (cached) return cached;
    cached = read();
    const forget = () => (cached = undefined);
    cached.then(() => setTimeout(forget, cachedMs).unref(), forget);
    return cached;
  };
}

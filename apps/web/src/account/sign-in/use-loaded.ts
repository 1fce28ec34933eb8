import { useEffect, useState } from 'react';

interface State<T> {
  readonly key: string | undefined;
  readonly data?: T | undefined;
  readonly error?: unknown;
}

/**
 * Loads the value of a key, unless `findCached` returns the value. Loads nothing without a key. `reload` retries after an error.
 */
export function useLoaded<T>(
  key: string | undefined,
  load: (key: string) => Promise<T>,
  findCached: (key: string) => T | undefined = () => undefined,
): State<T> & { readonly reload: () => void } {
  const [storedState, setState] = useState<State<T>>(() => initialState(key, findCached));
  const [attempt, setAttempt] = useState(0);
  const state = storedState.key === key ? storedState : initialState(key, findCached);
  if (state !== storedState) setState(state);
  useEffect(() => {
    if (key === undefined || state.data !== undefined) return;
    let isCurrent = true;
    load(key).then(
      (data) => isCurrent && setState({ key, data }),
      (error: unknown) => isCurrent && setState({ key, error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, attempt]);
  return { ...state, reload: () => setAttempt(attempt + 1) };
}

const initialState = <T>(key: string | undefined, findCached: (key: string) => T | undefined): State<T> => ({
  key,
  data: key === undefined ? undefined : findCached(key),
});

import { useEffect, useState } from 'react';

/** The state of a value that loads. */
interface State<T> {
  readonly key: string | undefined;
  readonly data?: T | undefined;
  readonly error?: unknown;
}

/** Loads the value of a key unless `known` returns it. Without a key, loads nothing. `reload` retries after an error. */
export function useLoaded<T>(
  key: string | undefined,
  load: (key: string) => Promise<T>,
  known: (key: string) => T | undefined = () => undefined,
): State<T> & { readonly reload: () => void } {
  const [storedState, setState] = useState<State<T>>(() => initialState(key, known));
  const [attempt, setAttempt] = useState(0);
  const state = storedState.key === key ? storedState : initialState(key, known);
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

const initialState = <T>(key: string | undefined, known: (key: string) => T | undefined): State<T> => ({
  key,
  data: key === undefined ? undefined : known(key),
});

import { useRef, useState } from 'react';
import { ApiProblem } from '../../api/problem';
import { useSecondsUntil } from './use-countdown';

interface State {
  readonly isRunning: boolean;
  readonly error: Error | null;
}

const IDLE: State = { isRunning: false, error: null };

/**
 * Runs the request of a sign-in step and returns its state. Stores neither the input nor the result, because either can be a
 * secret.
 */
export function useSignInStep<Input, Result>(run: (input: Input) => Promise<Result>, onDone: (result: Result) => void) {
  const [waitUntil, setWaitUntil] = useState<number>();
  const secondsLeft = useSecondsUntil(waitUntil);
  const [state, setState] = useState<State>(IDLE);
  // After a newer run or a reset, the outcome of a previous run is ignored.
  const latestRun = useRef(0);
  const begin = (next: State): ((outcome: State) => void) => {
    const runId = ++latestRun.current;
    setState(next);
    return (outcome) => runId === latestRun.current && setState(outcome);
  };
  const start = async (input: Input): Promise<void> => {
    const end = begin({ isRunning: true, error: null });
    try {
      onDone(await run(input));
      end(IDLE);
    } catch (error) {
      const seconds = error instanceof ApiProblem ? error.retryAfterSeconds : undefined;
      setWaitUntil(seconds === undefined ? undefined : Date.now() + seconds * 1_000);
      end({ isRunning: false, error: error instanceof Error ? error : new Error(String(error)) });
    }
  };
  return {
    start: (input: Input): void => void start(input),
    reset: (): void => void begin(IDLE),
    isRunning: state.isRunning,
    error: state.error,
    secondsLeft,
  };
}

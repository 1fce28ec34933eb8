import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../../api/problem';
import { useSecondsUntil } from './use-countdown';

/** A step that talks to the service: it is running, or failed, or has to wait until it may be tried again. */
export function useSignInStep<Input, Result>(run: (input: Input) => Promise<Result>, onDone: (result: Result) => void) {
  const [waitUntil, setWaitUntil] = useState<number>();
  const secondsLeft = useSecondsUntil(waitUntil);
  const mutation = useMutation({
    mutationFn: run,
    // Neither passwords nor codes outlive the step.
    gcTime: 0,
    onSuccess: onDone,
    onError: (error) => {
      const seconds = error instanceof ApiProblem ? error.retryAfterSeconds : undefined;
      setWaitUntil(seconds === undefined ? undefined : Date.now() + seconds * 1_000);
    },
  });
  return {
    start: mutation.mutate,
    reset: mutation.reset,
    isRunning: mutation.isPending,
    error: mutation.error,
    secondsLeft,
  };
}

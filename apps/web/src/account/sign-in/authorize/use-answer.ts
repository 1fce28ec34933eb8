import type { Schema } from '../../../api/client';
import { useSignInStep } from '../use-sign-in-step';

type Answer = () => Promise<{ readonly data: Schema<'ContinuedInteractionResponse'> }>;

/** Sends an answer to the request of an application, and continues where the service says. */
export const useAnswer = () =>
  useSignInStep(
    (answer: Answer) => answer(),
    ({ data }) => window.location.assign(data.redirectTo),
  );

import type { Middleware } from 'openapi-fetch';

/** Asks the user for what a request lacked. Resolves to false when the user closes the dialog. */
export type Recovery = () => Promise<boolean>;

/** Handles responses with status 401 and a code of `recoveries`: runs the recovery of the code, then repeats the request. */
export function recoveryMiddleware(recoveries: Readonly<Record<string, Recovery>>): Middleware {
  // A request body can be read only once, so the retry needs a clone.
  const requestClones = new Map<string, Request>();
  return {
    onRequest({ id, request }) {
      requestClones.set(id, request.clone());
    },
    async onResponse({ id, response }) {
      const copy = requestClones.get(id);
      requestClones.delete(id);
      if (!copy || response.status !== 401) return undefined;
      const recover = recoveries[await codeOf(response.clone())];
      return recover && (await recover()) ? window.fetch(copy) : undefined;
    },
    onError({ id }) {
      requestClones.delete(id);
    },
  };
}

async function codeOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  return (body as { code?: string } | null)?.code ?? '';
}

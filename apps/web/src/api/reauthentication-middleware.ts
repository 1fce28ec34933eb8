import type { Middleware } from 'openapi-fetch';

/** Asks the user to authenticate again. Resolves to false when the user closes the dialog. */
export type Reauthenticate = () => Promise<boolean>;

/** Handles 401 `reauthentication_required`: asks the user to authenticate again, then retries the request. */
export function reauthenticationMiddleware(reauthenticate: Reauthenticate): Middleware {
  // A request body can be read only once, so the retry needs a clone.
  const requestClones = new Map<string, Request>();
  return {
    onRequest({ id, request }) {
      requestClones.set(id, request.clone());
    },
    async onResponse({ id, response }) {
      const copy = requestClones.get(id);
      requestClones.delete(id);
      if (!copy || response.status !== 401 || !(await needsReauthentication(response.clone()))) return undefined;
      return (await reauthenticate()) ? window.fetch(copy) : undefined;
    },
    onError({ id }) {
      requestClones.delete(id);
    },
  };
}

async function needsReauthentication(response: Response): Promise<boolean> {
  const body: unknown = await response.json().catch(() => null);
  return (body as { code?: string } | null)?.code === 'reauthentication_required';
}

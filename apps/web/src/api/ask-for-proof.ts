import type { Middleware } from 'openapi-fetch';

/** Asks the user to prove again who they are; false when they close the dialog. */
export type AskForProof = () => Promise<boolean>;

/** Answers 401 `reauthentication_required` by asking for a proof in place, and sends the request again once there is one. */
export function askingForProof(ask: AskForProof): Middleware {
  // A body can be sent once, so each request is kept until it is answered.
  const copies = new Map<string, Request>();
  return {
    onRequest({ id, request }) {
      copies.set(id, request.clone());
    },
    async onResponse({ id, response }) {
      const copy = copies.get(id);
      copies.delete(id);
      if (!copy || response.status !== 401 || !(await isAskedForProof(response.clone()))) return undefined;
      return (await ask()) ? window.fetch(copy) : undefined;
    },
    onError({ id }) {
      copies.delete(id);
    },
  };
}

async function isAskedForProof(response: Response): Promise<boolean> {
  const body: unknown = await response.json().catch(() => null);
  return (body as { code?: string } | null)?.code === 'reauthentication_required';
}

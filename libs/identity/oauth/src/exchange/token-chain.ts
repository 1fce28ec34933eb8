import type { ClientReference } from '#platform/common';
import type { KnownClient } from '../clients/oauth-client.query.js';

/** How a token was passed on by exchanges (RFC 8693). */
export interface TokenChain {
  /** The client to which the first token was issued. */
  readonly clientId: string;
  /** The clients that exchanged a token, the first exchange first. */
  readonly actors: readonly string[];
}

/** Returns the chain after an exchange by a client. */
export const passedOn = ({ clientId, actors }: TokenChain, actor: Pick<KnownClient, 'clientId'>): TokenChain => ({
  clientId,
  actors: [...actors, actor.clientId],
});

/** The maximum number of exchanges from the first token to the last. */
export const MAX_ACTORS = 4;

/** The claim `act`: the client that acts, and in it the client that acted before. */
export interface ActClaim {
  readonly sub: string;
  readonly act?: ActClaim;
}

export const actClaim = (actors: readonly string[]): ActClaim | undefined =>
  actors.reduce<ActClaim | undefined>((act, sub) => ({ sub, ...(act ? { act } : {}) }), undefined);

/** Returns the ids in the claim `act`, the first exchange first. */
export function actorsOf(act: unknown): string[] {
  const actors: string[] = [];
  for (let next = act as ActClaim | undefined; next !== undefined; next = next.act) actors.unshift(next.sub);
  return actors;
}

/** The client that acts, as events name it, and with exchanged tokens all clients from the first to this one. */
export function actingClient(
  first: Pick<KnownClient, 'id' | 'name'>,
  actors: readonly Pick<KnownClient, 'id' | 'name'>[],
): { readonly client: ClientReference; readonly clientChain?: readonly ClientReference[] } {
  const chain = [first, ...actors].map(({ id, name }) => ({ id, name }));
  const client = chain.at(-1)!;
  return chain.length > 1 ? { client, clientChain: chain } : { client };
}

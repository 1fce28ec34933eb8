import { ProviderUnreachable } from './provider-http.js';

/** The issuer's own document names it otherwise: as texts, they have to be the same (OpenID Connect Discovery 1.0, section 4.3). */
export class IssuerNamedOtherwise extends Error {
  constructor(readonly issuer: string) {
    super('The provider reports another issuer.');
  }
}

export const DISCOVERY_PROBLEMS = ['unreachable', 'unexpected_answer', 'other_issuer'] as const;

/** Why what a provider says of itself can't be used, for those who set it up. */
export interface DiscoveryProblem {
  readonly code: (typeof DISCOVERY_PROBLEMS)[number];
  readonly message: string;
}

const SHOWN_LENGTH_MAX = 500;

/** Tells what failed in words, with no more of the answer than its status and the issuer that it names. */
export function discoveryProblemOf(error: unknown): DiscoveryProblem {
  const chain = [...causesOf(error)];
  const named = chain.map(namedIssuer).find((issuer) => issuer !== undefined);
  if (named !== undefined) {
    const message = `The provider reports the issuer "${named.slice(0, SHOWN_LENGTH_MAX)}". Enter the issuer exactly like this.`;
    return { code: 'other_issuer', message };
  }
  const answer = chain.find((each) => each instanceof Response);
  if (answer && answer.status !== 200) {
    return {
      code: 'unexpected_answer',
      message: `The request for the discovery document returned status ${answer.status} instead of 200.`,
    };
  }
  if (chain.some((each) => each instanceof ProviderUnreachable || isTimeout(each))) {
    const message =
      'The provider could not be reached: its name does not resolve, it did not respond in time, or its address is not allowed.';
    return { code: 'unreachable', message };
  }
  return { code: 'unexpected_answer', message: 'The response is not an OpenID Connect discovery document.' };
}

function* causesOf(error: unknown): Generator {
  for (let each = error, depth = 0; each !== undefined && depth < 6; depth += 1) {
    yield each;
    each = each instanceof Error ? each.cause : undefined;
  }
}

const isTimeout = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'OAUTH_TIMEOUT';

function namedIssuer(cause: unknown): string | undefined {
  if (cause instanceof IssuerNamedOtherwise) return cause.issuer;
  if (typeof cause !== 'object' || cause === null || !('attribute' in cause) || cause.attribute !== 'issuer') return undefined;
  const { issuer } = ('body' in cause ? cause.body : {}) as { issuer?: unknown };
  return typeof issuer === 'string' ? issuer : undefined;
}

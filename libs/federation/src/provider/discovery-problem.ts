import { ProviderUnreachable } from './provider-http.js';

/** The issuer's own document names it otherwise: as texts, they have to be the same (OpenID Connect Discovery 1.0, section 4.3). */
export class IssuerNamedOtherwise extends Error {
  constructor(readonly issuer: string) {
    super('The issuer calls itself otherwise.');
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
    const message = `The provider calls itself "${named.slice(0, SHOWN_LENGTH_MAX)}". Write the issuer exactly so.`;
    return { code: 'other_issuer', message };
  }
  const answer = chain.find((each) => each instanceof Response);
  if (answer && answer.status !== 200) {
    return {
      code: 'unexpected_answer',
      message: `The discovery document was answered with the status ${answer.status}, not 200.`,
    };
  }
  if (chain.some((each) => each instanceof ProviderUnreachable || isTimeout(each))) {
    const message = 'No answer came: the name is unknown, nothing answers there in time, or the address is not allowed.';
    return { code: 'unreachable', message };
  }
  return { code: 'unexpected_answer', message: 'What was answered is no discovery document of OpenID Connect.' };
}

function* causesOf(error: unknown): Generator<unknown> {
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

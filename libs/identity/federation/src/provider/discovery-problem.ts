import { ResponseBodyError } from 'openid-client';
import { ProviderUnreachable } from './provider-http.service.js';
import { MetadataInvalid } from './provider-metadata.js';

/** The issuer in the discovery document is not the configured issuer (OpenID Connect Discovery 1.0, section 4.3). */
export class IssuerMismatch extends Error {
  constructor(readonly issuer: string) {
    super('The provider reports another issuer.');
  }
}

export const DISCOVERY_PROBLEMS = ['unreachable', 'unexpected_answer', 'other_issuer', 'client_refused'] as const;

export interface DiscoveryProblem {
  readonly code: (typeof DISCOVERY_PROBLEMS)[number];
  readonly message: string;
}

const MAX_ISSUER_LENGTH = 500;

/** Describes a failure for administrators. Reveals only the status of the response and the issuer in the response. */
export function discoveryProblemOf(error: unknown): DiscoveryProblem {
  const causes = [...causesOf(error)];
  const issuer = causes.map(issuerIn).find((value) => value !== undefined);
  if (issuer !== undefined) {
    const message = `The provider reports the issuer "${issuer.slice(0, MAX_ISSUER_LENGTH)}". Enter the issuer exactly like this.`;
    return { code: 'other_issuer', message };
  }
  const invalid = causes.find((cause) => cause instanceof MetadataInvalid);
  if (invalid) {
    const message = `The field ${invalid.field} of the discovery document must be ${invalid.expected}.`;
    return { code: 'unexpected_answer', message };
  }
  return (
    connectionProblemOf(causes, 'The request for the discovery document') ?? {
      code: 'unexpected_answer',
      message: 'The response is not an OpenID Connect discovery document.',
    }
  );
}

/** Describes why GitHub does not accept the client. */
export function githubProblemOf(error: unknown): DiscoveryProblem {
  const causes = [...causesOf(error)];
  const refusal = causes.find((cause) => cause instanceof ResponseBodyError);
  if (refusal) {
    const reason = /^[a-z_]{1,40}$/.test(refusal.error) ? ` (${refusal.error})` : '';
    const message = `GitHub does not accept the client id, the client secret or the redirect URI${reason}. Compare them with the OAuth app.`;
    return { code: 'client_refused', message };
  }
  const message = 'The response is not a response of GitHub. Check the address of the server.';
  return connectionProblemOf(causes, 'The request for an access token') ?? { code: 'unexpected_answer', message };
}

function connectionProblemOf(causes: readonly unknown[], request: string): DiscoveryProblem | undefined {
  const response = causes.find((cause) => cause instanceof Response);
  if (response && response.status !== 200)
    return { code: 'unexpected_answer', message: `${request} returned status ${response.status} instead of 200.` };
  if (!causes.some((cause) => cause instanceof ProviderUnreachable || isTimeout(cause))) return undefined;
  const message =
    'The provider could not be reached: its name does not resolve, it did not respond in time, or its address is not allowed.';
  return { code: 'unreachable', message };
}

function* causesOf(error: unknown): Generator {
  for (let cause = error, depth = 0; cause !== undefined && depth < 6; depth += 1) {
    yield cause;
    cause = cause instanceof Error ? cause.cause : undefined;
  }
}

const isTimeout = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'OAUTH_TIMEOUT';

function issuerIn(cause: unknown): string | undefined {
  if (cause instanceof IssuerMismatch) return cause.issuer;
  if (typeof cause !== 'object' || cause === null || !('attribute' in cause) || cause.attribute !== 'issuer') return undefined;
  const { issuer } = ('body' in cause ? cause.body : {}) as { issuer?: unknown };
  return typeof issuer === 'string' ? issuer : undefined;
}

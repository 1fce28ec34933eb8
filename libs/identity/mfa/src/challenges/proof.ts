import type { RequestContext } from '#platform/common';
import type { UserWithOrganization } from '#directory/users';
import type { MfaFailureReason } from '../mfa-errors.js';
import type { MfaMethod } from '../mfa-method.js';

export interface OfferedProof {
  readonly method: MfaMethod;
  /** The code from an authenticator app, a message or a list of recovery codes. */
  readonly code?: string | undefined;
  /** The response of a passkey, serialized by the browser. */
  readonly credential?: object | undefined;
}

/**
 * Uses up a correct proof in the transaction that consumes the challenge. Resolves to the failure reason if the proof was already used up,
 * else to null.
 */
export type UseProof = (ctx: RequestContext, owner: UserWithOrganization) => Promise<MfaFailureReason | null>;

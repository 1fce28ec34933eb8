/**
 * What a change can do to people: they gain permissions, they lose permissions or the use of their account, their way to sign in or their
 * identification changes, or a policy that protects them changes.
 */
export type Effect = 'gain' | 'loss' | 'sign_in' | 'policy';

declare const effect: unique symbol;

/**
 * Proof that a change with an effect is authorized. Methods that write rows with this effect take it, so that no change can miss the
 * question. `PrivilegesService` creates it after asking, `unneeded` without asking.
 */
export interface Authorization<E extends Effect> {
  readonly [effect]: E;
}

export type GainAuthorization = Authorization<'gain'>;
export type LossAuthorization = Authorization<'loss'>;
export type SignInAuthorization = Authorization<'sign_in'>;
export type PolicyAuthorization = Authorization<'policy'>;

/** For a change through which people lose permissions and get others. */
export interface ReplacementAuthorization {
  readonly gain: GainAuthorization;
  readonly loss: LossAuthorization;
}

const PROOF = Object.freeze({});

/** Not part of the public API of this library: only the services of this library ask the questions. */
export const authorized = <E extends Effect>(): Authorization<E> => PROOF as Authorization<E>;

import { Injectable } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Passkey } from './passkey.entity.js';

export type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON };

/** For how long an answer to a challenge is taken. */
export const PASSKEY_CHALLENGE_LIFETIME_MS = 5 * 60_000;

/** What a new passkey tells of itself. */
export type RegisteredPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'backedUp'>;

/** What a passkey that signed tells of itself. */
export interface PasskeyAssertion {
  readonly counter: number;
  readonly backedUp: boolean;
}

type KnownPasskey = Pick<Passkey, 'credentialId' | 'transports'>;

/** Loaded with the first passkey: it would slow the start. */
const library = () => import('@simplewebauthn/server');

/** Web Authentication (W3C, level 3) for the address that the service is reached at. Whatever comes from a browser is judged by the library. */
@Injectable()
export class WebAuthn {
  private readonly origin: string;
  private readonly rpId: string;

  constructor({ baseUrl }: AppConfig) {
    const { origin, hostname } = new URL(baseUrl);
    this.origin = origin;
    this.rpId = hostname;
  }

  /** What a browser needs to make a passkey. */
  async creationOptions(
    challenge: string,
    { rpName, userId, userName, displayName }: { rpName: string; userId: string; userName: string; displayName: string },
    existing: readonly KnownPasskey[],
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    return (await library()).generateRegistrationOptions({
      rpName,
      rpID: this.rpId,
      userName,
      userDisplayName: displayName,
      userID: new TextEncoder().encode(userId),
      challenge: Buffer.from(challenge, 'base64url'),
      timeout: PASSKEY_CHALLENGE_LIFETIME_MS,
      attestationType: 'none',
      excludeCredentials: existing.map(descriptorOf),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
  }

  /** The passkey that a browser made; null when the answer is not right. */
  async registered(credential: object, challenge: string): Promise<RegisteredPasskey | null> {
    const { verifyRegistrationResponse } = await library();
    try {
      const { registrationInfo } = await verifyRegistrationResponse({
        response: credential as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: this.origin,
        expectedRPID: this.rpId,
        requireUserVerification: false,
      });
      if (!registrationInfo) return null;
      const { id, publicKey, counter, transports } = registrationInfo.credential;
      return {
        credentialId: id,
        publicKey: Buffer.from(publicKey),
        counter,
        transports: (transports ?? []).filter((each) => /^[a-z-]{1,20}$/.test(each)).slice(0, 10),
        backedUp: registrationInfo.credentialBackedUp,
      };
    } catch {
      return null;
    }
  }

  /** What a browser needs to sign with a passkey: one of those given, or, if none are, whichever it has for this site. */
  async requestOptions(
    challenge: string,
    { allowed, userVerification }: { allowed?: readonly KnownPasskey[]; userVerification: 'required' | 'preferred' },
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return (await library()).generateAuthenticationOptions({
      rpID: this.rpId,
      challenge: Buffer.from(challenge, 'base64url'),
      timeout: PASSKEY_CHALLENGE_LIFETIME_MS,
      userVerification,
      ...(allowed ? { allowCredentials: allowed.map(descriptorOf) } : {}),
    });
  }

  /** What a passkey signed; null when the answer is not right. The counter is for the caller to compare. */
  async asserted(
    credential: object,
    challenge: string,
    { credentialId, publicKey }: Passkey,
    requireUserVerification: boolean,
  ): Promise<PasskeyAssertion | null> {
    const { verifyAuthenticationResponse } = await library();
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: credential as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: this.origin,
        expectedRPID: this.rpId,
        // The stored counter is compared in the statement that replaces it: of two answers at once, one counts.
        credential: { id: credentialId, publicKey: Uint8Array.from(publicKey), counter: 0 },
        requireUserVerification,
      });
      return verified ? { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp } : null;
    } catch {
      return null;
    }
  }
}

const descriptorOf = ({ credentialId, transports }: KnownPasskey) => ({ id: credentialId, transports: [...transports] });

/** The id by which a browser names the passkey of an answer. */
export function credentialIdOf(credential: object): string | null {
  const { id } = credential as { id?: unknown };
  return typeof id === 'string' && id.length <= 1_400 && !id.includes('\0') ? id : null;
}

/** The challenge that an answer claims to be to, as far as it can be read; the library compares it. */
export function challengeOf(credential: object): string | null {
  const { clientDataJSON } = (credential as { response?: { clientDataJSON?: unknown } }).response ?? {};
  if (typeof clientDataJSON !== 'string') return null;
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as { challenge?: unknown };
    return typeof challenge === 'string' && challenge.length <= 100 ? challenge : null;
  } catch {
    return null;
  }
}

/** Whether an answer names this user, or none: discoverable passkeys name the one for whom they were made. */
export function namesUser(credential: object, userId: string): boolean {
  const { userHandle } = (credential as { response?: { userHandle?: unknown } }).response ?? {};
  if (userHandle === undefined || userHandle === null) return true;
  return userHandle === Buffer.from(userId, 'utf8').toString('base64url');
}

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

export const PASSKEY_CHALLENGE_LIFETIME_MS = 5 * 60_000;

export type RegisteredPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'backedUp'>;

/** The properties of a passkey that a response updates. */
export interface PasskeyAssertion {
  readonly counter: number;
  readonly backedUp: boolean;
}

type KnownPasskey = Pick<Passkey, 'credentialId' | 'transports'>;

/** Imports the library at the first use, because the import would slow down the start. */
const library = () => import('@simplewebauthn/server');

/** Creates options and verifies responses of Web Authentication (W3C, level 3), for the base URL of the service. */
@Injectable()
export class WebAuthnService {
  /** The address for which passkeys are created. */
  readonly rpId: string;
  private readonly origin: string;

  constructor({ baseUrl }: AppConfig) {
    const { origin, hostname } = new URL(baseUrl);
    this.origin = origin;
    this.rpId = hostname;
  }

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

  /** Returns the created passkey, or null if the response is wrong. */
  async verifyRegistration(credential: object, challenge: string): Promise<RegisteredPasskey | null> {
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

  /** Returns the options for a signature with an allowed passkey or, without `allowed`, with any passkey for this site. */
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

  /** Returns the updated properties of the passkey, or null if the response is wrong. The caller must compare the counter. */
  async verifyAssertion(
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
        // The update statement compares the counters, so that only one of two concurrent responses is accepted.
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

export function credentialIdOf(credential: object): string | null {
  const { id } = credential as { id?: unknown };
  return typeof id === 'string' && id.length <= 1_400 && !id.includes('\0') ? id : null;
}

/** Returns the unverified challenge in a response, or null if the response can't be parsed. */
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

/** Returns whether a response contains this user id or none. Responses of discoverable passkeys contain a user id. */
export function namesUser(credential: object, userId: string): boolean {
  const { userHandle } = (credential as { response?: { userHandle?: unknown } }).response ?? {};
  if (userHandle === undefined || userHandle === null) return true;
  return userHandle === Buffer.from(userId, 'utf8').toString('base64url');
}

import { canonicalLocale, webUri } from '#platform/common';
import { findLineError, isMailAddress } from '#platform/http';
import type { IDToken, UserInfoResponse } from 'openid-client';

export interface IdentityClaims {
  readonly subject: string;
  /** Null if the provider sent no valid email address. */
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly displayName?: string;
  readonly picture?: string;
  readonly locale?: string;
  /** The methods with which the provider authenticated the person (RFC 8176). */
  readonly methods: readonly string[];
}

/** OpenID Connect Core 1.0, section 2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

export const isSubject = (subject: string): boolean => SUBJECT.test(subject);

/** Returns the claims that the service uses, without invalid values. */
export function identityClaims(idToken: IDToken, userInfo: UserInfoResponse | undefined): IdentityClaims {
  // The address and `email_verified` come from the same source, so that `email_verified` can't apply to another address.
  // Only the boolean `true` counts, because some providers send the text "false".
  const { email, email_verified: verified } = (idToken['email'] === undefined ? userInfo : idToken) ?? {};
  const claims: Partial<Record<string, unknown>> = { ...userInfo, ...idToken };
  const address = text(email, 254);
  return {
    subject: idToken.sub,
    email: address !== undefined && isMailAddress(address) ? address : null,
    emailVerified: verified === undefined ? isVerifiedByEntra(idToken) : verified === true,
    ...present({
      firstName: text(claims['given_name'], 100),
      lastName: text(claims['family_name'], 100),
      displayName: text(claims['name'], 200),
      picture: webAddress(claims['picture']),
      locale: languageTag(claims['locale']),
    }),
    methods: Array.isArray(idToken.amr) ? idToken.amr.filter((method) => typeof method === 'string') : [],
  };
}

/** Microsoft Entra ID sends no `email_verified`, but whether the domain of the address is verified: as a boolean, a number or a text. */
const isVerifiedByEntra = ({ email, xms_edov: verified }: IDToken): boolean =>
  email !== undefined && [true, 1, '1', 'true'].some((value) => value === verified);

function text(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const trimmed = value.normalize('NFC').trim();
  return findLineError(trimmed, { maxLength }) ? undefined : trimmed;
}

function webAddress(value: unknown): string | undefined {
  const address = text(value, 2048);
  // The normalized URI can be longer than the claim.
  return address === undefined ? undefined : text(webUri(address), 2048);
}

/** Replaces underscores, which OpenID Connect Core 1.0, section 5.1, allows. */
const languageTag = (value: unknown): string | undefined =>
  typeof value === 'string' ? canonicalLocale(value.replaceAll('_', '-')) : undefined;

const present = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

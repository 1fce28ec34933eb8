import { canonicalLocale, emailKey, webUri } from '#platform/common';
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

type Claims = Partial<Record<string, unknown>>;
/** The claims of an ID token, or what GitHub states about a person. */
type SubjectClaims = Claims & { readonly sub: string };

/** The claims about the person with their conversions. An invalid value counts as absent. */
const CLAIMS = {
  given_name: (value: unknown) => text(value, 100),
  family_name: (value: unknown) => text(value, 100),
  name: (value: unknown) => text(value, 200),
  picture: webAddress,
  locale: languageTag,
  // Only a boolean counts, because some providers send the text "false".
  email_verified: (value: unknown) => (typeof value === 'boolean' ? value : undefined),
};

/** Returns whether a claim has no value. Some providers send `null` or "" for a person without the claim. */
export const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

/**
 * Returns whether the user info is not needed: the ID token has an email address, and no claim with an unusable value (`null`, "", a wrong
 * type) instead of none.
 */
export const hasUsableClaims = (idToken: IDToken): boolean =>
  mailAddress(idToken['email']) !== undefined &&
  Object.keys(CLAIMS).every((name) => {
    const value = idToken[name];
    if (value === undefined) return true;
    return name === 'email_verified' ? typeof value === 'boolean' : typeof value === 'string' && value.trim() !== '';
  });

/** Returns the claims that the service uses. Takes each claim from the ID token or, if absent or invalid there, from the user info. */
export function identityClaims(idToken: SubjectClaims, userInfo: UserInfoResponse | undefined): IdentityClaims {
  const { amr } = idToken;
  const sources: Claims[] = [idToken, ...(userInfo ? [userInfo] : [])];
  const first = <Name extends keyof typeof CLAIMS>(name: Name, from = sources): ReturnType<(typeof CLAIMS)[Name]> => {
    const values = from.map((claims) => CLAIMS[name](claims[name]));
    return values.find((value) => value !== undefined) as ReturnType<(typeof CLAIMS)[Name]>;
  };
  const email = sources.map((claims) => mailAddress(claims['email'])).find((address) => address !== undefined);
  // `email_verified` can't apply to the address of another source.
  const withAddress = sources.filter((claims) => email !== undefined && isSameAddress(mailAddress(claims['email']), email));
  return {
    subject: idToken.sub,
    email: email ?? null,
    emailVerified: first('email_verified', withAddress) ?? (withAddress.includes(idToken) && isVerifiedByEntra(idToken)),
    ...present({
      firstName: first('given_name'),
      lastName: first('family_name'),
      displayName: first('name'),
      picture: first('picture'),
      locale: first('locale'),
    }),
    methods: Array.isArray(amr) ? amr.filter((method) => typeof method === 'string') : [],
  };
}

/** Microsoft Entra ID sends no `email_verified`, but whether the domain of the address is verified: as a boolean, a number or a text. */
const isVerifiedByEntra = ({ email_verified: stated, xms_edov: verified }: Claims): boolean =>
  isAbsent(stated) && [true, 1, '1', 'true'].some((value) => value === verified);

const isSameAddress = (first: string | undefined, second: string): boolean =>
  first !== undefined && emailKey(first) === emailKey(second);

function mailAddress(value: unknown): string | undefined {
  const address = text(value, 254);
  return address !== undefined && isMailAddress(address) ? address : undefined;
}

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
function languageTag(value: unknown): string | undefined {
  return typeof value === 'string' ? canonicalLocale(value.replaceAll('_', '-')) : undefined;
}

const present = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

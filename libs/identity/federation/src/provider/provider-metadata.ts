import { parseUrlAsWritten } from '#platform/common';
import { URL_MAX_LENGTH } from '#platform/outbound';
import type { ServerMetadata } from 'openid-client';

/** A field of the discovery document has no valid value. */
export class MetadataInvalid extends Error {
  constructor(
    readonly field: string,
    readonly expected: string,
  ) {
    super(`The discovery document has no valid ${field}.`);
  }
}

type Document = Partial<Record<string, unknown>>;

/**
 * Returns the fields of a discovery document that the service uses (OpenID Connect Discovery 1.0, section 3). `null` and "" count as absent.
 * The service redirects browsers to `authorization_endpoint`, so the scheme matters. @throws MetadataInvalid
 */
export function providerMetadata(document: Document, issuer: string): ServerMetadata & { jwks_uri: string } {
  const schemes = issuer.startsWith('http:') ? ['http:', 'https:'] : ['https:'];
  const required = (field: string): string => {
    const url = endpoint(document, field, schemes);
    if (url === undefined) throw new MetadataInvalid(field, URL_EXPECTED);
    return url;
  };
  const userInfo = endpoint(document, 'userinfo_endpoint', schemes);
  const authMethods = texts(document, 'token_endpoint_auth_methods_supported');
  const algorithms = texts(document, 'id_token_signing_alg_values_supported');
  return {
    issuer,
    authorization_endpoint: required('authorization_endpoint'),
    token_endpoint: required('token_endpoint'),
    jwks_uri: required('jwks_uri'),
    ...(userInfo === undefined ? {} : { userinfo_endpoint: userInfo }),
    ...(authMethods === undefined ? {} : { token_endpoint_auth_methods_supported: authMethods }),
    ...(algorithms === undefined ? {} : { id_token_signing_alg_values_supported: algorithms }),
    authorization_response_iss_parameter_supported: flag(document, 'authorization_response_iss_parameter_supported'),
  };
}

const URL_EXPECTED = 'an https URL without user name, password and fragment';

const valueOf = (document: Document, field: string): unknown =>
  document[field] === '' ? undefined : (document[field] ?? undefined);

function endpoint(document: Document, field: string, schemes: readonly string[]): string | undefined {
  const value = valueOf(document, field);
  if (value === undefined) return undefined;
  const url = typeof value === 'string' && value.length <= URL_MAX_LENGTH ? parseUrlAsWritten(value) : undefined;
  if (!url || !schemes.includes(url.protocol) || url.username !== '' || url.password !== '' || url.hash !== '')
    throw new MetadataInvalid(field, URL_EXPECTED);
  return url.href;
}

function texts(document: Document, field: string): string[] | undefined {
  const value = valueOf(document, field);
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string'))
    throw new MetadataInvalid(field, 'a list of texts');
  return value;
}

function flag(document: Document, field: string): boolean {
  const value = valueOf(document, field) ?? false;
  if (typeof value !== 'boolean') throw new MetadataInvalid(field, 'true or false');
  return value;
}

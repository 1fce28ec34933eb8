import type { FieldProblem, FieldProblemCode } from '#platform/common';
import type { JSONWebKeySet } from 'jose';
import { CONFIDENTIAL_GRANTS, DEVICE_CODE_GRANT, type OAuthClient } from './oauth-client.entity.js';

export const MAX_URI_LENGTH = 2_048;

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Members of a JSON Web Key that only private and symmetric keys have (RFC 7518). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
/** A private-use scheme is a domain name in reverse order (RFC 8252, section 7.1), so that no other application uses it. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

type Settings = Pick<
  OAuthClient,
  | 'type'
  | 'redirectUris'
  | 'postLogoutRedirectUris'
  | 'backchannelLogoutUri'
  | 'backchannelLogoutSessionRequired'
  | 'origins'
  | 'grantTypes'
  | 'scopes'
  | 'authentication'
  | 'jwks'
  | 'jwksUri'
  | 'logoUri'
  | 'homePageUri'
  | 'termsUri'
  | 'privacyUri'
>;

const problem = (pointer: string, code: FieldProblemCode, message: string): FieldProblem => ({
  pointer,
  in: 'body',
  code,
  message,
});

/** Returns the problems of the settings of a client, which depend on its type (RFC 9700, RFC 8252). */
export function problemsOfClient(client: Settings): FieldProblem[] {
  return [
    ...problemsOfUris('redirectUris', client),
    ...problemsOfUris('postLogoutRedirectUris', client),
    ...problemsOfOrigins(client),
    ...problemsOfLogout(client),
    ...problemsOfGrants(client),
    ...problemsOfAuthentication(client),
    ...problemsOfLinks(client),
  ];
}

/** Returns why a text can't be a redirect URI of a client of this type, or undefined. Redirect URIs are compared exactly. */
export function redirectUriProblem(uri: string, type: Settings['type']): string | undefined {
  if (/[^\x21-\x7e]|\\/.test(uri)) return 'must contain only printable ASCII characters without spaces and backslashes';
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url) return 'must be an absolute URI';
  if (uri.includes('#')) return 'must have no fragment';
  if (url.username !== '' || url.password !== '') return 'must have no user name and password';
  if (uri.includes('*')) return 'must have no wildcard, because redirect URIs are compared exactly';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:')
    return LOOPBACK_HOSTS.has(url.hostname) ? undefined : 'must use https, except for localhost, 127.0.0.1 and [::1]';
  if (type === 'native' && PRIVATE_SCHEME.test(url.protocol)) return undefined;
  return type === 'native'
    ? 'must use https, http to a loopback address, or a private-use scheme such as com.example.app:'
    : 'must use https';
}

function problemsOfUris(field: 'redirectUris' | 'postLogoutRedirectUris', client: Settings): FieldProblem[] {
  return client[field].flatMap((uri, index) => {
    const found = redirectUriProblem(uri, client.type);
    return found === undefined ? [] : [problem(`/${field}/${index}`, 'invalid_uri', `${field} ${found}.`)];
  });
}

function problemsOfOrigins({ origins }: Settings): FieldProblem[] {
  return origins.flatMap((origin, index) => {
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname));
    if (url && isSecure && url.origin === origin) return [];
    const message = 'origins must be https origins without a path, such as https://app.example.com.';
    return [problem(`/origins/${index}`, 'invalid_origin', message)];
  });
}

/** The service calls the address itself, so it is as strict as for other addresses that it calls. */
function problemsOfLogout({ type, backchannelLogoutUri: uri, backchannelLogoutSessionRequired }: Settings): FieldProblem[] {
  const pointer = '/backchannelLogoutUri';
  if (uri === null) {
    const message = 'A client without backchannelLogoutUri receives no logout tokens, so they can name no session.';
    return backchannelLogoutSessionRequired ? [problem('/backchannelLogoutSessionRequired', 'invalid_choice', message)] : [];
  }
  if (type === 'machine')
    return [problem(pointer, 'invalid_choice', 'A machine client signs no users in, so it receives no logout tokens.')];
  if (uri.includes('#')) return [problem(pointer, 'invalid_url', 'backchannelLogoutUri must have no fragment.')];
  return problemsOfHttps(pointer, uri);
}

function problemsOfGrants({ type, grantTypes, redirectUris, scopes }: Settings): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const usesCode = grantTypes.includes('authorization_code');
  const usesDevices = grantTypes.includes(DEVICE_CODE_GRANT);
  const signsIn = usesCode || usesDevices;
  const add = (pointer: string, code: FieldProblemCode, message: string) => problems.push(problem(pointer, code, message));
  const addChoice = (message: string) => add('/grantTypes', 'invalid_choice', message);
  if (type === 'machine' && (signsIn || grantTypes.includes('refresh_token')))
    addChoice(
      `A machine client signs no users in, so it can't use the grant types authorization_code, refresh_token and ${DEVICE_CODE_GRANT}.`,
    );
  if (type !== 'machine' && !signsIn)
    addChoice(`A client that signs users in needs the grant type authorization_code or ${DEVICE_CODE_GRANT}.`);
  if (type === 'single_page' && usesDevices)
    addChoice(`A single-page client runs in a browser, so the grant type ${DEVICE_CODE_GRANT} is not for it.`);
  if ((type === 'single_page' || type === 'native') && CONFIDENTIAL_GRANTS.some((grant) => grantTypes.includes(grant)))
    addChoice(
      `A client that runs on devices of users has no secret, so it can't use these grant types: ${CONFIDENTIAL_GRANTS.join(', ')}.`,
    );
  if (usesCode && redirectUris.length === 0)
    add('/redirectUris', 'too_few', 'A client with the grant type authorization_code needs at least one redirect URI.');
  if (signsIn && !scopes.includes('openid'))
    add('/scopes', 'invalid_choice', 'A client that signs users in needs the scope openid.');
  return problems;
}

function problemsOfAuthentication({ type, authentication, jwks, jwksUri }: Settings): FieldProblem[] {
  const isPublic = type === 'single_page' || type === 'native';
  if (isPublic !== (authentication === 'none')) {
    const message = isPublic
      ? 'A single-page or native client must have the authentication "none", because users can read its secrets.'
      : 'A web or machine client must authenticate with a secret or a private key.';
    return [problem('/authentication', 'invalid_choice', message)];
  }
  const needsKeys = authentication === 'private_key_jwt';
  if (needsKeys !== (jwks !== null || jwksUri !== null) || (jwks !== null && jwksUri !== null)) {
    const message = 'jwks or jwksUri, but not both, must be set if and only if the authentication is private_key_jwt.';
    return [problem('/jwks', 'invalid_choice', message)];
  }
  if (jwks) return problemsOfKeys(jwks);
  return jwksUri === null ? [] : problemsOfHttps('/jwksUri', jwksUri);
}

function problemsOfKeys({ keys }: JSONWebKeySet): FieldProblem[] {
  const isValid =
    Array.isArray(keys) &&
    keys.length > 0 &&
    keys.every((key) => typeof key === 'object' && key !== null && ['RSA', 'EC', 'OKP'].includes(String(key.kty)));
  if (!isValid) return [problem('/jwks', 'invalid_format', 'jwks must be a JSON Web Key Set with at least one public key.')];
  const hasPrivate = keys.some((key) => PRIVATE_MEMBERS.some((member) => member in key));
  return hasPrivate ? [problem('/jwks', 'invalid_format', 'jwks must contain only public keys. Remove the private parts.')] : [];
}

function problemsOfLinks(client: Settings): FieldProblem[] {
  return (['logoUri', 'homePageUri', 'termsUri', 'privacyUri'] as const).flatMap((field) =>
    client[field] === null ? [] : problemsOfHttps(`/${field}`, client[field]),
  );
}

function problemsOfHttps(pointer: string, uri: string): FieldProblem[] {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname));
  if (url && isSecure && url.username === '' && url.password === '') return [];
  return [problem(pointer, 'invalid_url', `${pointer.slice(1)} must be an absolute https URL.`)];
}

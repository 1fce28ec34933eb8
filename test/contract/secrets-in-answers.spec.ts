import { describe, expect, it } from '@jest/globals';
import { generatedDocument, operationsOf, plainSchema, resolved, type Schema } from '../support/operations.js';

const document = await generatedDocument();

const SECRET_NAME =
  /secret|password|token|credential|otp|seed|hash|sealed|cipher|private|^key$|codes$|authorizationUrl|^ur[il]$/i;

/** Operations that must return a secret, by field. The caller creates the secret or is allowed to create a new secret. */
const ISSUED_SECRETS: Record<string, string> = {
  'data.key': 'createApiKey rotateApiKey',
  'data.secret': 'beginTotp createWebhook getWebhookSecret rotateWebhookSecret',
  'data.nextSecret': 'getWebhookSecret rotateWebhookSecret',
  'data.recoveryCodes': 'confirmEmailCodes confirmSmsCodes confirmTotp registerPasskey renewRecoveryCodes',
  'data.sessionToken':
    'login loginWithPasskey verifyMfa completeOidcSignIn completeOidcSignInWithToken confirmEmailCodes confirmSmsCodes confirmTotp registerPasskey',
  'data.challengeToken': 'login loginWithPasskey verifyMfa completeOidcSignIn completeOidcSignInWithToken beginReauthentication',
  'data.accessToken': 'issueAccessToken',
  'data.authorizationUrl': 'startOidcSignIn',
  'data.bindingToken': 'startOidcSignIn',
  'data.uri': 'beginTotp',
  'data.token': 'createScimToken rotateScimToken',
  'data.url': 'createOperatorLink createSetupLink',
};

/** Fields that match `SECRET_NAME` but are not secret: masked values, public values, times, and addresses of webhooks. */
const HARMLESS = new Set([
  ...['createWebhook', 'getWebhook', 'listWebhooks', 'updateWebhook'].map((id) => `${id} data.url`),
  ...['getReachableWebhook', 'listReachableWebhooks', 'updateReachableWebhook'].map((id) => `${id} data.url`),
  'getDelivery data.attempts.request.url',
  ...['getWebhook', 'listWebhooks', 'updateWebhook'].map((id) => `${id} data.secret`),
  ...['getReachableWebhook', 'listReachableWebhooks', 'updateReachableWebhook'].map((id) => `${id} data.secret`),
  ...['getEvent', 'listEvents'].map((id) => `${id} data.chainHash`),
  ...['anchors', 'from', 'head', 'to'].map((path) => `verifyEvents data.${path}.hash`),
  ...['getMe', 'getUser'].map((id) => `${id} data.lastPasswordChangeAt`),
  // Ids, times and counts.
  ...['exportMyData', 'exportUserData'].flatMap((id) =>
    ['passkeys.credentialId', 'passwords', 'profile.lastPasswordChangeAt', 'recoveryCodes'].map((path) => `${id} ${path}`),
  ),
  'issueAccessToken data.tokenType',
]);

/** Returns the paths of the strings and arrays in a schema whose names match `SECRET_NAME`. */
function secretPathsOf(schema: Schema, at = '', ancestors: readonly Schema[] = []): string[] {
  const target = schema.$ref ? resolved(document, schema) : schema;
  if (ancestors.includes(target)) return [];
  const schemasInPath = [...ancestors, target];
  const properties = Object.entries(target.properties ?? {}).flatMap(([name, property]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const isValue = ['string', 'array'].includes(plainSchema(document, property).type);
    return [...(SECRET_NAME.test(name) && isValue ? [path] : []), ...secretPathsOf(property, path, schemasInPath)];
  });
  const others = [...(target.allOf ?? []), ...(target.oneOf ?? []), ...(target.items ? [target.items] : [])];
  return [...properties, ...others.flatMap((other) => secretPathsOf(other, at, schemasInPath))];
}

describe('a response', () => {
  it('contains a secret only if the operation issues the secret', () => {
    const found = operationsOf(document).flatMap(({ id, responses }) =>
      Object.values(responses).flatMap(({ content }) =>
        Object.values(content ?? {}).flatMap(({ schema }) => secretPathsOf(schema).map((path) => `${id} ${path}`)),
      ),
    );
    const issued = Object.entries(ISSUED_SECRETS).flatMap(([path, ids]) => ids.split(' ').map((id) => `${id} ${path}`));
    expect([...new Set(found)].filter((each) => !HARMLESS.has(each)).toSorted()).toEqual(issued.toSorted());
  });
});

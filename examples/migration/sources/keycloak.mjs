import { base32, readJson, unpadded } from './shared.mjs';

/** `keycloak realm.json…`: the output of `kc.sh export --realm … --users realm_file`, or the files with users of `--users different_files`. */
export function keycloak(files, { link, note }) {
  const users = files.flatMap((file) => readJson(file).users);
  return users.map((user) => {
    const credentials = (user.credentials ?? []).map(({ credentialData, secretData, ...rest }) => ({
      ...rest,
      data: JSON.parse(credentialData),
      secret: JSON.parse(secretData),
    }));
    const find = (type) => credentials.find((each) => each.type === type);
    return {
      externalId: user.id,
      email: user.email,
      emailVerified: user.emailVerified,
      firstName: user.firstName,
      lastName: user.lastName,
      displayName: user.username,
      metadata: user.attributes,
      passwordHash: hashOf(find('password')),
      totpSecret: totpOf(find('otp'), () =>
        note(`${user.id}: the authenticator app has other codes than SHA-1, 6 digits, 30 seconds`),
      ),
      passkeys: credentials.filter(({ type }) => type.startsWith('webauthn')).map(passkeyOf),
      identities: (user.federatedIdentities ?? []).map(({ identityProvider, userId }) => link(identityProvider, userId)),
      status: user.enabled ? undefined : 'suspended',
      suspendedReason: user.enabled ? undefined : 'Disabled at Keycloak',
    };
  });
}

function hashOf(credential) {
  if (!credential) return undefined;
  const { algorithm, hashIterations: rounds, additionalParameters: more = {} } = credential.data;
  const { salt, value } = credential.secret;
  if (algorithm !== 'argon2') return `$${algorithm === 'pbkdf2' ? 'pbkdf2-sha1' : algorithm}$i=${rounds}$${salt}$${value}`;
  const parameters = `m=${more.memory[0]},t=${rounds},p=${more.parallelism[0]}`;
  return `$argon2${more.type[0]}$v=19$${parameters}$${unpadded(salt)}$${unpadded(value)}`;
}

function totpOf(credential, onOther) {
  if (!credential) return undefined;
  const { subType, digits, period, algorithm, secretEncoding } = credential.data;
  if (subType !== 'totp' || digits !== 6 || period !== 30 || algorithm !== 'HmacSHA1') return onOther();
  const { value } = credential.secret;
  return secretEncoding === 'BASE32' ? value : base32(Buffer.from(value));
}

const passkeyOf = ({ data, userLabel }) => ({
  credentialId: data.credentialId,
  publicKey: data.credentialPublicKey,
  counter: data.counter,
  transports: (data.transports ?? []).map((each) => each.toLowerCase()),
  name: userLabel || undefined,
});

import { read, readJson } from './shared.mjs';

/** `firebase users.json parameters.txt`: the output of `firebase auth:export users.json`, and the password hash parameters of the console. */
export function firebase([file, parametersFile], { link, note }) {
  const { users } = readJson(file);
  const hashOf = parametersFile ? hasher(read(parametersFile)) : () => undefined;
  const hashes = users.filter(({ passwordHash }) => passwordHash).length;
  if (!parametersFile && hashes > 0)
    note(`Left out: ${hashes} passwords, because the file with the password hash parameters is missing`);
  return users.map((user) => {
    const providers = user.providerUserInfo ?? [];
    return {
      externalId: user.localId,
      email: user.email,
      emailVerified: user.emailVerified,
      displayName: user.displayName,
      picture: user.photoUrl,
      phoneNumber: user.phoneNumber,
      // Firebase stores a number only after its confirmation with a code.
      phoneVerified: user.phoneNumber ? true : undefined,
      metadata: user.customAttributes && JSON.parse(user.customAttributes),
      passwordHash: user.passwordHash && hashOf(user),
      identities: providers
        .filter(({ providerId }) => providerId !== 'password' && providerId !== 'phone')
        .map(({ providerId, rawId }) => link(providerId, rawId)),
      status: user.disabled ? 'suspended' : undefined,
      suspendedReason: user.disabled ? 'Disabled at Firebase' : undefined,
    };
  });
}

/** Reads `hash_config { algorithm: SCRYPT, base64_signer_key: …, … }`. */
function hasher(text) {
  const value = (name) => new RegExp(`${name}:\\s*([^,\\s}]+)`).exec(text)?.[1];
  if (value('algorithm') !== 'SCRYPT') throw new Error(`The algorithm ${value('algorithm')} is not supported.`);
  const [key, separator, rounds, cost] = ['base64_signer_key', 'base64_salt_separator', 'rounds', 'mem_cost'].map(value);
  const standard = (base64) => base64.replaceAll('-', '+').replaceAll('_', '/');
  return ({ salt, passwordHash }) =>
    `$firebase-scrypt$ln=${cost},r=${rounds},p=1$${[salt, separator, key, passwordHash].map(standard).join('$')}`;
}

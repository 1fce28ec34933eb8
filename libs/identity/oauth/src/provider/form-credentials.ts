const BASIC = /^Basic ([A-Za-z0-9+/]+={0,2})$/i;
/** A client id and a secret that need no encoding. */
const CREDENTIALS = /^([\w-]+):([\w-]+)$/;

interface Credentials {
  readonly id: string;
  readonly secret: string;
}

/** Returns the id and the secret of the client from the form or the header, or undefined if there are none, or two. */
export function credentialsOf(
  { client_id, client_secret }: Readonly<Record<string, string>>,
  authorization: string | undefined,
): Credentials | undefined {
  if (authorization === undefined) return client_id && client_secret ? { id: client_id, secret: client_secret } : undefined;
  const encoded = BASIC.exec(authorization)?.[1] ?? '';
  const decoded = Buffer.from(encoded, 'base64');
  const [, id, secret] = CREDENTIALS.exec(decoded.toString()) ?? [];
  const isSame = decoded.toString('base64') === encoded && (client_id ?? id) === id;
  return isSame && id && secret && client_secret === undefined ? { id, secret } : undefined;
}

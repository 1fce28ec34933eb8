/** Returns the encryption context of the client secret of an identity provider. */
export const clientSecretContext = (id: string): string => `identity_providers|client_secret|${id}`;

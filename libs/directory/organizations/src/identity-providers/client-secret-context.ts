/** What the sealed client secret of an identity provider is bound to. */
export const clientSecretContext = (id: string): string => `identity_providers|client_secret|${id}`;

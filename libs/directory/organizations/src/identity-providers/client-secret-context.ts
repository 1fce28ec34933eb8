export const clientSecretContext = (id: string): string => `identity_providers|client_secret|${id}`;

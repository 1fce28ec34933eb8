/** Returns the OpenAPI document without the endpoints of OAuth. */
export function apiDocument(): {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
};

/** The values that the response of the provider must match. */
export interface ResponseChecks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

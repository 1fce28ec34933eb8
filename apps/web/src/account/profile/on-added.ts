/** Called with the recovery codes that come with the first factor. */
export type OnAdded = (recoveryCodes: readonly string[] | undefined) => void;

/** Called after a factor was added. Recovery codes are created only for the first factor. */
export type OnAdded = (recoveryCodes: readonly string[] | undefined) => void;

/** Called after a factor was added. The first factor comes with recovery codes. */
export type OnAdded = (recoveryCodes: readonly string[] | undefined) => void;

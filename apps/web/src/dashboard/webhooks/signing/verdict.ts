import type { TextId } from '../../../texts';

export const TOLERANCE_SECONDS = 300;

/** A verdict that has a title and a text. */
export type VerdictName = TextId extends infer Id
  ? Id extends `webhookSigning.verdicts.${infer Name}.title`
    ? Name
    : never
  : never;

/** One thing that was looked at. */
export type Check =
  | { readonly kind: 'timestamp'; readonly ageSeconds: number; readonly isGood: boolean }
  | {
      readonly kind: 'own' | 'standard';
      readonly headerName?: string;
      readonly isGood: boolean;
      readonly isAbsent?: boolean;
      readonly isIncomplete?: boolean;
    };

/** What is to be said of a signature. */
export interface Verdict {
  readonly name: VerdictName;
  readonly isValid: boolean;
  readonly checks: readonly Check[];
  readonly detail?: { readonly position?: number; readonly tail?: string };
}

/** What is known beside what was received. */
export interface Hints {
  /** The webhook's secret as it is shown everywhere: its last characters tell another one. */
  readonly maskedSecret?: string;
  /** What was sent, where it is known. */
  readonly sentBody?: string;
}

/** Receivers refuse what is too old; ahead of the clock by as much, one of the clocks is wrong. */
export function timeCheck(ageSeconds: number): 'good' | 'old' | 'early' {
  if (ageSeconds > TOLERANCE_SECONDS) return 'old';
  return ageSeconds < -TOLERANCE_SECONDS ? 'early' : 'good';
}

import type { TextId } from '../../../texts';

export const TOLERANCE_SECONDS = 300;

/** The name of a verdict, which has a title and a text in the catalog. */
export type VerdictName = TextId extends infer Id
  ? Id extends `webhookSigning.verdicts.${infer Name}.title`
    ? Name
    : never
  : never;

export type Check =
  | { readonly kind: 'timestamp'; readonly ageSeconds: number; readonly isGood: boolean }
  | {
      readonly kind: 'own' | 'standard';
      readonly headerName?: string;
      readonly isGood: boolean;
      readonly isAbsent?: boolean;
      readonly isIncomplete?: boolean;
    };

export interface Verdict {
  readonly name: VerdictName;
  readonly isValid: boolean;
  readonly checks: readonly Check[];
  readonly detail?: { readonly position?: number; readonly tail?: string };
}

/** Further data that helps to find the cause of an invalid signature. */
export interface VerificationHints {
  /** The masked secret. The last characters show whether the entered secret is wrong. */
  readonly maskedSecret?: string;
  /** The sent body, if known. */
  readonly sentBody?: string;
}

/** Compares the age with the tolerance. Receivers reject old timestamps; a timestamp in the future means a wrong clock. */
export function timeCheck(ageSeconds: number): 'good' | 'old' | 'early' {
  if (ageSeconds > TOLERANCE_SECONDS) return 'old';
  return ageSeconds < -TOLERANCE_SECONDS ? 'early' : 'good';
}

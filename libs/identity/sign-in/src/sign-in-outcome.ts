import type { Session } from '#directory/sessions';

export type FirstFactor = 'password' | 'passkey' | 'oidc';

/** The result of a verified factor. */
export type SignInOutcome =
  | {
      readonly kind: 'session';
      readonly session: Session;
      readonly token: string;
      /** Whether the user must add a second factor before any other use of the session. */
      readonly mfaEnrolmentRequired: boolean;
    }
  | {
      readonly kind: 'mfa_required';
      readonly challengeToken: string;
      readonly methods: readonly string[];
      readonly expiresAt: Date;
    };

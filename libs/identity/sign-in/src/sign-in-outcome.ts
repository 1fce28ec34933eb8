import type { Session } from '#directory/sessions';

/** The first method with which a person signs in. */
export type FirstFactor = 'password' | 'passkey' | 'oidc';

/** The result of a verified factor. */
export type SignInOutcome =
  | {
      readonly kind: 'session';
      readonly session: Session;
      readonly token: string;
      /** Whether the session can only be used to add a second factor. */
      readonly mfaEnrolmentRequired: boolean;
    }
  | {
      readonly kind: 'mfa_required';
      readonly challengeToken: string;
      readonly methods: readonly string[];
      readonly expiresAt: Date;
    };

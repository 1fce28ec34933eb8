import type { Session } from '#directory/sessions';

/** How somebody proved who they are in the first place. */
export type FirstFactor = 'password' | 'passkey' | 'oidc';

/** What comes of a proven first factor. */
export type SignInOutcome =
  | {
      readonly kind: 'session';
      readonly session: Session;
      readonly token: string;
      /** The session can do nothing but add a second factor. */
      readonly mfaEnrolmentRequired: boolean;
    }
  | {
      readonly kind: 'mfa_required';
      readonly challengeToken: string;
      readonly methods: readonly string[];
      readonly expiresAt: Date;
    };

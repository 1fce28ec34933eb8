import { ChoiceField, ExactTextField } from '#platform/http';
import { MFA_METHOD_NAMES, SecondFactorProofRequest } from '#identity/mfa';

const CHALLENGE_TOKEN = {
  description: 'The `challengeToken` from the first step of the sign-in.',
  required: true,
  maxLength: 64,
  example: 'dGhpcyBpcyBhIGNoYWxsZW5nZSwgbm90IGEgc2Vzc2k',
} as const;

/** The methods whose verification requires a code or options from a previous request. */
const PREPARED_METHODS = ['passkey', 'email', 'sms'] as const;
export type PreparedMethod = (typeof PREPARED_METHODS)[number];

export class MfaChallengeRequest {
  @ExactTextField({
    ...CHALLENGE_TOKEN,
    description: 'The `challengeToken` from the first step of the sign-in, or from `POST /v1/auth/reauthentication`.',
  })
  challengeToken!: string;

  @ChoiceField({
    description:
      'One of the `methods` of the challenge. If the method is `email` or `sms`, the service sends a code. If the method is `passkey`, the response contains the options for the passkey.',
    choices: PREPARED_METHODS,
    required: true,
    example: 'passkey',
  })
  method!: PreparedMethod;
}

export class MfaVerifyRequest extends SecondFactorProofRequest {
  @ExactTextField(CHALLENGE_TOKEN)
  challengeToken!: string;

  @ChoiceField({
    description: 'One of the `methods` of the challenge.',
    choices: MFA_METHOD_NAMES,
    required: true,
    example: 'totp',
  })
  method!: (typeof MFA_METHOD_NAMES)[number];
}

import { ChoiceField, ExactTextField } from '#http';
import { MFA_METHOD_NAMES, SecondFactorProofRequest } from '#mfa';

const CHALLENGE_TOKEN = {
  description: 'The `challengeToken` of the step before.',
  required: true,
  maxLength: 64,
  example: 'dGhpcyBpcyBhIGNoYWxsZW5nZSwgbm90IGEgc2Vzc2k',
} as const;

/** What of a challenge has to be asked for before it can be met. */
const ASKED_FOR = ['passkey', 'email', 'sms'] as const;
export type AskedFor = (typeof ASKED_FOR)[number];

export class MfaChallengeRequest {
  @ExactTextField(CHALLENGE_TOKEN)
  challengeToken!: string;

  @ChoiceField({
    description: 'One of the `methods` of the challenge: a code is sent, or what the passkey is to sign is given.',
    choices: ASKED_FOR,
    required: true,
    example: 'passkey',
  })
  method!: AskedFor;
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

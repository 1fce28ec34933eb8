import { ChoiceField, ExactTextField, JsonObjectField, TextField } from '#http';
import { MFA_METHOD_NAMES } from '../mfa-method.js';

export class ReauthenticateWithPasswordRequest {
  @ExactTextField({ description: 'Your password.', required: true, maxLength: 1024, example: 'lantern orbit velvet quarry' })
  password!: string;
}

/** The proof itself, at a sign-in and within a session. */
export class SecondFactorProofRequest {
  @TextField({
    description: 'The code that the app shows, that was sent, or a recovery code. Left out with `passkey`.',
    maxLength: 64,
    example: '287082',
  })
  code?: string;

  @JsonObjectField({
    description:
      'With `passkey`: what `navigator.credentials.get()` gave, as its `toJSON()` writes it (`AuthenticationResponseJSON`).',
    example: { id: 'AQID', rawId: 'AQID', type: 'public-key', response: {}, clientExtensionResults: {} },
  })
  credential?: object;
}

export class ReauthenticateWithSecondFactorRequest extends SecondFactorProofRequest {
  @ExactTextField({
    description: 'The `challengeToken` of `POST /v1/auth/reauthentication`.',
    required: true,
    maxLength: 64,
    example: 'dGhpcyBpcyBhIGNoYWxsZW5nZSwgbm90IGEgc2Vzc2k',
  })
  challengeToken!: string;

  @ChoiceField({ description: 'One of its `methods`.', choices: MFA_METHOD_NAMES, required: true, example: 'totp' })
  method!: (typeof MFA_METHOD_NAMES)[number];
}

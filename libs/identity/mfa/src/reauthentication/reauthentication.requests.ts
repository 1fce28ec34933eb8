import { ChoiceField, ExactTextField, JsonObjectField, TextField } from '#platform/http';
import { MFA_METHOD_NAMES } from '../mfa-method.js';

export class ReauthenticateWithPasswordRequest {
  @ExactTextField({ description: 'Your password.', required: true, maxLength: 1024, example: 'lantern orbit velvet quarry' })
  password!: string;
}

/** The proof of a second factor, for a sign-in or a reauthentication. */
export class SecondFactorProofRequest {
  @TextField({
    description:
      'Code from the authenticator app, the email or the text message, or a recovery code. Not used if `method` is `passkey`.',
    maxLength: 64,
    example: '287082',
  })
  code?: string;

  @JsonObjectField({
    description:
      'Result of `navigator.credentials.get()`, serialized with its `toJSON()` method (`AuthenticationResponseJSON`). Used only if `method` is `passkey`.',
    example: { id: 'AQID', rawId: 'AQID', type: 'public-key', response: {}, clientExtensionResults: {} },
  })
  credential?: object;
}

export class ReauthenticateWithSecondFactorRequest extends SecondFactorProofRequest {
  @ExactTextField({
    description: 'The `challengeToken` from `POST /v1/auth/reauthentication`.',
    required: true,
    maxLength: 64,
    example: 'dGhpcyBpcyBhIGNoYWxsZW5nZSwgbm90IGEgc2Vzc2k',
  })
  challengeToken!: string;

  @ChoiceField({
    description: 'One of the `methods` of the challenge.',
    choices: MFA_METHOD_NAMES,
    required: true,
    example: 'totp',
  })
  method!: (typeof MFA_METHOD_NAMES)[number];
}

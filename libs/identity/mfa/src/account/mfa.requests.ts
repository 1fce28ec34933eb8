import { ExactTextField, JsonObjectField, TextField } from '#platform/http';

const CURRENT_PASSWORD = { description: 'Your password.', maxLength: 1024, example: 'lantern orbit velvet quarry' } as const;
const CODE = { required: true, maxLength: 64, example: '287082' } as const;
const NAME = { maxLength: 100, example: "Ada's phone" } as const;

/** A request to add a factor. The password is optional within 10 minutes after an authentication. */
export class ReauthenticatedRequest {
  @ExactTextField({
    ...CURRENT_PASSWORD,
    description: 'Your password. Optional within 10 minutes after you signed in or confirmed your identity.',
  })
  currentPassword?: string;
}

/** A request for a change that makes the account less secure. */
export class ConfirmedRequest {
  @ExactTextField({
    ...CURRENT_PASSWORD,
    description:
      'Your password. If your account has no password, confirm your identity instead (`POST /v1/auth/reauthentication`).',
  })
  currentPassword?: string;
}

export class BeginSmsRequest extends ReauthenticatedRequest {
  @TextField({
    description:
      'Phone number with country code. When you confirm the code, this phone number becomes your verified phone number.',
    required: true,
    maxLength: 16,
    pattern: /^\+[1-9][0-9]{6,14}$/,
    patternMessage: 'must be a phone number in the form +4915112345678.',
    example: '+4915112345678',
  })
  phoneNumber!: string;
}

export class ConfirmCodeRequest {
  @TextField({ ...CODE, description: 'Code from the authenticator app, the email or the text message.' })
  code!: string;
}

export class RegisterPasskeyRequest {
  @JsonObjectField({
    description:
      'Result of `navigator.credentials.create()`, serialized with its `toJSON()` method (`RegistrationResponseJSON`).',
    required: true,
    example: { id: 'AQID', rawId: 'AQID', type: 'public-key', response: {}, clientExtensionResults: {} },
  })
  credential!: object;

  @TextField({ ...NAME, description: 'Name to distinguish your passkeys. Default: `Passkey`.' })
  name?: string;
}

export class RenamePasskeyRequest {
  @TextField({ ...NAME, description: 'New name of the passkey.', required: true })
  name!: string;
}

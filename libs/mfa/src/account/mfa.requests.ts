import { ExactTextField, JsonObjectField, TextField } from '#http';

const CURRENT_PASSWORD = { description: 'Your password.', maxLength: 1024, example: 'lantern orbit velvet quarry' } as const;
const CODE = { required: true, maxLength: 64, example: '287082' } as const;
const NAME = { maxLength: 100, example: "Ada's telephone" } as const;

/** A change of the account's protection: the password, or nothing shortly after signing in. */
export class ReauthenticatedRequest {
  @ExactTextField({
    ...CURRENT_PASSWORD,
    description: 'Your password. It may be left out within ten minutes of signing in.',
  })
  currentPassword?: string;
}

/** A change that weakens the account's protection. */
export class ConfirmedRequest {
  @ExactTextField({
    ...CURRENT_PASSWORD,
    description:
      'Your password. An account without a password needs a proof of the last ten minutes instead (`POST /v1/auth/reauthentication`).',
  })
  currentPassword?: string;
}

export class BeginSmsRequest extends ReauthenticatedRequest {
  @TextField({
    description: 'Telephone number with its country code. Once a code sent there is confirmed, it is yours, verified.',
    required: true,
    maxLength: 16,
    pattern: /^\+[1-9][0-9]{6,14}$/,
    patternMessage: 'must be a telephone number in the form +4915112345678.',
    example: '+4915112345678',
  })
  phoneNumber!: string;
}

export class ConfirmCodeRequest {
  @TextField({ ...CODE, description: 'The code that the app shows, or that was sent.' })
  code!: string;
}

export class RegisterPasskeyRequest {
  @JsonObjectField({
    description: 'What `navigator.credentials.create()` gave, as its `toJSON()` writes it (`RegistrationResponseJSON`).',
    required: true,
    example: { id: 'AQID', rawId: 'AQID', type: 'public-key', response: {}, clientExtensionResults: {} },
  })
  credential!: object;

  @TextField({ ...NAME, description: 'How you call it, to tell your passkeys apart. Default `Passkey`.' })
  name?: string;
}

export class RenamePasskeyRequest {
  @TextField({ ...NAME, description: 'How you call it.', required: true })
  name!: string;
}

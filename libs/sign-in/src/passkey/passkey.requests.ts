import { JsonObjectField, TextField } from '#http';

const ORGANIZATION = {
  description: 'The organization to sign in to, by its slug or id.',
  required: true,
  maxLength: 63,
  example: 'acme',
} as const;

export class PasskeyOptionsRequest {
  @TextField(ORGANIZATION)
  organization!: string;
}

export class PasskeyLoginRequest {
  @TextField(ORGANIZATION)
  organization!: string;

  @JsonObjectField({
    description: 'What `navigator.credentials.get()` gave, as its `toJSON()` writes it (`AuthenticationResponseJSON`).',
    required: true,
    example: { id: 'AQID', rawId: 'AQID', type: 'public-key', response: {}, clientExtensionResults: {} },
  })
  credential!: object;
}

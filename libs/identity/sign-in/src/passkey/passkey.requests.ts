import { JsonObjectField } from '#platform/http';
import { OrganizationField } from '../organization-field.js';

export class PasskeyOptionsRequest {
  @OrganizationField()
  organization!: string;
}

export class PasskeyLoginRequest {
  @OrganizationField()
  organization!: string;

  @JsonObjectField({
    description: 'Result of `navigator.credentials.get()`, serialized with its `toJSON()` method (`AuthenticationResponseJSON`).',
    required: true,
    example: { id: 'AQID', rawId: 'AQID', type: 'public-key', response: {}, clientExtensionResults: {} },
  })
  credential!: object;
}

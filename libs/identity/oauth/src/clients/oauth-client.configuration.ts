import { OmitType } from '@nestjs/swagger';
import { ChoiceField, TextField } from '#platform/http';
import { CLIENT_TYPES, type OAuthClientType } from './oauth-client.entity.js';
import { NAME, UpdateOauthClientRequest } from './oauth-client.requests.js';

/** An OAuth client in the configuration of an organization, without its id and secrets. */
export class OauthClientConfiguration extends OmitType(UpdateOauthClientRequest, ['name'] as const) {
  @TextField({ ...NAME, required: true })
  name!: string;

  @ChoiceField({
    description: "Type of the client, as in the creation of an OAuth client. The type can't be changed.",
    choices: CLIENT_TYPES,
    required: true,
    example: 'machine',
  })
  type!: OAuthClientType;
}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PageQuery, TextField } from '#platform/http';
import { InteractionOrganizationResponse, OauthApplicationResponse } from '../interactions/interaction.responses.js';
import { AllowedResourceResponse } from '../resources/oauth-resource.responses.js';
import type { ListedGrant } from './grant-lists.service.js';

const USER_ID = 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw';
const TIME = '2026-01-15T09:00:00.000Z';

export class ListOauthGrantsQuery extends PageQuery {
  @TextField({ description: 'Only grants of this user.', maxLength: 64, example: USER_ID })
  userId?: string;

  @TextField({ description: 'Only grants of this client.', maxLength: 64, example: 'app_01kf2bav4hf7r8v2m5n9q1c3ek' })
  clientId?: string;
}

/** What a user allowed an application to do in an organization. */
export class OauthGrantResponse {
  @ApiProperty({ example: 'ogr_01kf2bav4hf7r8v2m5n9q1c3ek' }) id!: string;
  @ApiPropertyOptional({ description: 'The application. Absent if it was deleted.', type: OauthApplicationResponse })
  application?: OauthApplicationResponse;
  @ApiProperty({ type: InteractionOrganizationResponse }) organization!: InteractionOrganizationResponse;
  @ApiProperty({ description: 'Id of the user.', example: USER_ID }) userId!: string;
  @ApiProperty({
    description: 'Email address of the user. Null if the user is not a member of the organization itself.',
    type: String,
    nullable: true,
    example: 'ada@example.com',
  })
  userEmail!: string | null;
  @ApiProperty({ description: 'Scopes of OpenID Connect.', type: [String], example: ['openid', 'email'] }) scopes!: string[];
  @ApiProperty({ description: 'Resources with scopes.', type: [AllowedResourceResponse] })
  resources!: AllowedResourceResponse[];
  @ApiProperty({ format: 'date-time', example: TIME }) createdAt!: string;
  @ApiProperty({
    description: 'Time of the last sign-in at the application.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: TIME,
  })
  lastUsedAt!: string | null;

  static from(this: void, { grant, organization, client, email, resources }: ListedGrant): OauthGrantResponse {
    const { id, userId, scopes, createdAt, lastUsedAt } = grant;
    return {
      id,
      ...(client ? { application: OauthApplicationResponse.from(client) } : {}),
      organization: { id: organization.id, name: organization.name, slug: organization.slug },
      userId,
      userEmail: email,
      scopes,
      resources: resources.map(AllowedResourceResponse.from),
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    };
  }
}

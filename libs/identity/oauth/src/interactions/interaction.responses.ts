import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TextField } from '#platform/http';
import { ClientResourceResponse, CLIENT_ID } from '../clients/oauth-client.responses.js';
import { resourceList } from '../clients/oauth-client.entity.js';
import type { KnownClient } from '../clients/oauth-client.query.js';
import type { OpenInteraction } from './interactions.service.js';

const NULLABLE_URI = { type: String, nullable: true, example: null } as const;
const ORGANIZATION_ID = 'org_01kf2b7m9ze4k8s1t6w3a5y0pd';

/** The application, as its users see it. */
export class OauthApplicationResponse {
  @ApiProperty({ example: CLIENT_ID }) id!: string;
  @ApiProperty({ description: 'Name of the application.', example: 'Billing' }) name!: string;
  @ApiProperty({
    description: 'Name of the organization of the application. Null for an application of the platform.',
    type: String,
    nullable: true,
    example: 'Acme',
  })
  organizationName!: string | null;
  @ApiProperty({ description: 'URL of the logo.', ...NULLABLE_URI }) logoUri!: string | null;
  @ApiProperty({ description: 'URL of the home page.', ...NULLABLE_URI }) homePageUri!: string | null;
  @ApiProperty({ description: 'URL of the terms of service.', ...NULLABLE_URI }) termsUri!: string | null;
  @ApiProperty({ description: 'URL of the privacy policy.', ...NULLABLE_URI }) privacyUri!: string | null;

  static from(this: void, client: KnownClient): OauthApplicationResponse {
    const { id, name, organization, logoUri, homePageUri, termsUri, privacyUri } = client;
    return { id, name, organizationName: organization?.name ?? null, logoUri, homePageUri, termsUri, privacyUri };
  }
}

export class InteractionOrganizationResponse {
  @ApiProperty({ example: ORGANIZATION_ID }) id!: string;
  @ApiProperty({ example: 'Acme' }) name!: string;
  @ApiProperty({ example: 'acme' }) slug!: string;
}

export class OauthInteractionResponse {
  @ApiProperty({ description: 'Id of the interaction.', example: 'V1StGXR8Z5jdHi6BmyTAbCdEfGhIjKlMnOpQrStUvWx' }) id!: string;
  @ApiProperty({
    description: 'What the request asks for.',
    enum: ['login', 'create', 'select_account', 'organization', 'consent'],
    example: 'consent',
  })
  prompt!: string;
  @ApiProperty({ type: OauthApplicationResponse }) application!: OauthApplicationResponse;
  @ApiPropertyOptional({ description: 'The organization, if it is known.', type: InteractionOrganizationResponse })
  organization?: InteractionOrganizationResponse;
  @ApiProperty({ description: 'Organizations from which the user can choose.', type: [InteractionOrganizationResponse] })
  organizations!: InteractionOrganizationResponse[];
  @ApiProperty({ description: 'Scopes of OpenID Connect that the user has not allowed yet.', type: [String], example: ['email'] })
  scopes!: string[];
  @ApiProperty({ description: 'Resources with scopes that the user has not allowed yet.', type: [ClientResourceResponse] })
  resources!: ClientResourceResponse[];

  static from(this: void, open: OpenInteraction): OauthInteractionResponse {
    const { interaction, client, candidates, organization, asked } = open;
    return {
      id: interaction.jti,
      prompt: interaction.prompt.name,
      application: OauthApplicationResponse.from(client),
      ...(organization ? { organization: organizationOf(organization) } : {}),
      organizations: candidates.map(organizationOf),
      scopes: [...asked.scopes],
      resources: resourceList(asked.resourceScopes),
    };
  }
}

const organizationOf = ({ id, name, slug }: InteractionOrganizationResponse): InteractionOrganizationResponse => ({
  id,
  name,
  slug,
});

export class ChooseInteractionOrganizationRequest {
  @TextField({ description: 'Id of the organization.', required: true, maxLength: 64, example: ORGANIZATION_ID })
  organizationId!: string;
}

export class ContinuedInteractionResponse {
  @ApiProperty({
    description: 'Address to which the browser must go, as a navigation.',
    example: 'https://iam.example.com/oauth/authorize/V1StGXR8Z5jdHi6BmyTAbCdEfGhIjKlMnOpQrStUvWx',
  })
  redirectTo!: string;
}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TextField } from '#platform/http';
import { domainOf } from '../approval/application-rule.js';
import { CLIENT_ID } from '../clients/oauth-client.responses.js';
import type { KnownClient } from '../clients/oauth-client.query.js';
import { AllowedResourceResponse } from '../resources/oauth-resource.responses.js';
import type { ShownInteraction } from './interactions.service.js';

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
  @ApiProperty({
    description:
      '`metadata_document`: the application describes itself at `metadataHost`. `dynamic`: the application registered itself. Nobody has checked its name. Null for an application that the organization or the operator created.',
    type: String,
    enum: ['metadata_document', 'dynamic', null],
    nullable: true,
    example: null,
  })
  registration!: 'metadata_document' | 'dynamic' | null;
  @ApiProperty({
    description: 'Host of the metadata document of the application.',
    type: String,
    nullable: true,
    example: null,
  })
  metadataHost!: string | null;
  @ApiProperty({ description: 'Whether `GET /v1/auth/application-logos/{clientId}` returns a logo.', example: true })
  hasLogo!: boolean;
  @ApiProperty({ description: 'URL of the home page.', ...NULLABLE_URI }) homePageUri!: string | null;
  @ApiProperty({ description: 'URL of the terms of service.', ...NULLABLE_URI }) termsUri!: string | null;
  @ApiProperty({ description: 'URL of the privacy policy.', ...NULLABLE_URI }) privacyUri!: string | null;

  static from(this: void, client: KnownClient): OauthApplicationResponse {
    const { id, name, organization, registration, metadataUri, logoUri, homePageUri, termsUri, privacyUri } = client;
    const hasLogo = logoUri !== null;
    const metadataHost = metadataUri === null ? null : domainOf(metadataUri);
    const organizationName = organization?.name ?? null;
    return { id, name, organizationName, registration, metadataHost, hasLogo, homePageUri, termsUri, privacyUri };
  }
}

export class InteractionOrganizationResponse {
  @ApiProperty({ example: ORGANIZATION_ID }) id!: string;
  @ApiProperty({ example: 'Acme' }) name!: string;
  @ApiProperty({ example: 'acme' }) slug!: string;
}

export class InteractionApprovalResponse {
  @ApiProperty({
    description: 'Whether the user can ask the owners. False if only owners can use the application.',
    example: true,
  })
  canAsk!: boolean;
  @ApiProperty({
    description: '`pending`: the user has asked. `denied`: an owner denied the application. Null without a request.',
    type: String,
    enum: ['pending', 'denied', null],
    nullable: true,
    example: null,
  })
  status!: 'pending' | 'denied' | null;
}

export class OauthInteractionResponse {
  @ApiProperty({ description: 'Id of the interaction.', example: 'V1StGXR8Z5jdHi6BmyTAbCdEfGhIjKlMnOpQrStUvWx' }) id!: string;
  @ApiProperty({
    description: 'What the request asks for.',
    enum: ['login', 'create', 'select_account', 'organization', 'approval', 'consent'],
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
  @ApiProperty({ description: 'Resources with scopes that the user has not allowed yet.', type: [AllowedResourceResponse] })
  resources!: AllowedResourceResponse[];
  @ApiProperty({
    description:
      'Host to which the browser returns after the answer. For a native client with a scheme of its own, the scheme with a colon, such as `com.example.app:`.',
    example: 'billing.example.com',
  })
  redirectHost!: string;
  @ApiProperty({
    description:
      'Domain of `redirectHost` that the organization of the application or an ancestor has verified. Null without a verified domain, and for an application of the platform.',
    type: String,
    nullable: true,
    example: 'example.com',
  })
  verifiedDomain!: string | null;
  @ApiPropertyOptional({
    description: "Present if the user can't use the application in the organization before an owner approves it.",
    type: InteractionApprovalResponse,
  })
  approval?: InteractionApprovalResponse;

  static from(this: void, shown: ShownInteraction): OauthInteractionResponse {
    const { interaction, client, candidates, organization, asked, resources, destination, approval } = shown;
    return {
      id: interaction.jti,
      prompt: interaction.prompt.name,
      application: OauthApplicationResponse.from(client),
      ...(organization ? { organization: organizationOf(organization) } : {}),
      organizations: candidates.map(organizationOf),
      scopes: [...asked.scopes],
      resources: resources.map(AllowedResourceResponse.from),
      redirectHost: destination.host,
      verifiedDomain: destination.verifiedDomain,
      ...(approval ? { approval: { ...approval } } : {}),
    };
  }
}

export const organizationOf = ({ id, name, slug }: InteractionOrganizationResponse): InteractionOrganizationResponse => ({
  id,
  name,
  slug,
});

export class ChooseInteractionOrganizationRequest {
  @TextField({ description: 'Id of the organization.', required: true, maxLength: 64, example: ORGANIZATION_ID })
  organizationId!: string;
}

export class AskForApprovalRequest {
  @TextField({
    description: 'Why the user needs the application. The owners of the organization receive this text by email.',
    required: true,
    maxLength: 500,
    multiline: true,
    example: 'To see our invoices in the calendar',
  })
  reason!: string;
}

export class ContinuedInteractionResponse {
  @ApiProperty({
    description: 'Address to which the browser must go, as a navigation.',
    example: 'https://iam.example.com/oauth/authorize/V1StGXR8Z5jdHi6BmyTAbCdEfGhIjKlMnOpQrStUvWx',
  })
  redirectTo!: string;
}

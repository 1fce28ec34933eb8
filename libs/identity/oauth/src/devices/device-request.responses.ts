import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TextField } from '#platform/http';
import {
  InteractionOrganizationResponse,
  OauthApplicationResponse,
  organizationOf,
} from '../interactions/interaction.responses.js';
import { AllowedResourceResponse } from '../resources/oauth-resource.responses.js';
import type { ShownDeviceRequest } from './device-answers.service.js';
import { shownUserCode } from './user-code.js';

const USER_CODE = {
  description: 'Code that the device shows. Lowercase letters, spaces and hyphens make no difference.',
  required: true,
  maxLength: 32,
  example: 'WDJB-MJHT',
} as const;
const ORGANIZATION_ID = { description: 'Id of the organization in which the device acts.', maxLength: 64 };
const ORGANIZATION_EXAMPLE = 'org_01kf2b7m9ze4k8s1t6w3a5y0pd';

export class OpenOauthDeviceRequestRequest {
  @TextField(USER_CODE)
  userCode!: string;

  @TextField({ ...ORGANIZATION_ID, example: ORGANIZATION_EXAMPLE })
  organizationId?: string;
}

export class AllowOauthDeviceRequestRequest {
  @TextField(USER_CODE)
  userCode!: string;

  @TextField({ ...ORGANIZATION_ID, required: true, example: ORGANIZATION_EXAMPLE })
  organizationId!: string;
}

export class DenyOauthDeviceRequestRequest {
  @TextField(USER_CODE)
  userCode!: string;
}

export class OauthDeviceRequestResponse {
  @ApiProperty({ description: 'Code that the device shows.', example: 'WDJB-MJHT' }) userCode!: string;
  @ApiProperty({ type: OauthApplicationResponse }) application!: OauthApplicationResponse;
  @ApiPropertyOptional({ description: 'The organization, if it is known.', type: InteractionOrganizationResponse })
  organization?: InteractionOrganizationResponse;
  @ApiProperty({ description: 'Organizations from which the user can choose.', type: [InteractionOrganizationResponse] })
  organizations!: InteractionOrganizationResponse[];
  @ApiProperty({ description: 'Scopes of OpenID Connect that the device asks for.', type: [String], example: ['openid'] })
  scopes!: string[];
  @ApiProperty({ description: 'Resources with the scopes that the device asks for.', type: [AllowedResourceResponse] })
  resources!: AllowedResourceResponse[];
  @ApiProperty({ description: 'Time at which the device asked.', format: 'date-time', example: '2026-01-15T09:00:00.000Z' })
  requestedAt!: string;
  @ApiProperty({
    description: 'IP address from which the device asked. Null if it is unknown.',
    type: String,
    nullable: true,
    example: '203.0.113.7',
  })
  ipAddress!: string | null;
  @ApiProperty({
    description: 'Host of the home page of the application, or of its first redirect URI. Null if it has neither.',
    type: String,
    nullable: true,
    example: 'billing.example.com',
  })
  websiteHost!: string | null;
  @ApiProperty({
    description: 'Domain of `websiteHost` that the organization of the application or an ancestor has verified, or null.',
    type: String,
    nullable: true,
    example: 'example.com',
  })
  verifiedDomain!: string | null;
  @ApiProperty({
    description: 'Whether the user must sign in again, possibly with a second factor, before allowing the access.',
    example: false,
  })
  signInRequired!: boolean;

  static from(this: void, shown: ShownDeviceRequest): OauthDeviceRequestResponse {
    const { request, choice, asked, resources, website, needsNewSignIn } = shown;
    const { iat, deviceInfo } = request.payload;
    return {
      userCode: shownUserCode(request.userCode),
      application: OauthApplicationResponse.from(request.client),
      ...(choice.organization ? { organization: organizationOf(choice.organization) } : {}),
      organizations: choice.candidates.map(organizationOf),
      scopes: [...asked.scopes],
      resources: resources.map(AllowedResourceResponse.from),
      requestedAt: new Date(iat * 1_000).toISOString(),
      ipAddress: deviceInfo?.ipAddress ?? null,
      websiteHost: website?.host ?? null,
      verifiedDomain: website?.verifiedDomain ?? null,
      signInRequired: needsNewSignIn,
    };
  }
}

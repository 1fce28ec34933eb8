import { SignInBrandingResponse } from '#directory/organizations';
import { ApiProperty } from '@nestjs/swagger';
import { SETUP_STEPS, type SetupStep } from '#platform/common';
import type { SetupPage } from './setup-pages.service.js';
import type { SetupLink } from './setup-link.entity.js';
import type { IssuedSetupLink } from './setup-links.service.js';

const ID = { example: 'sl_01kf2bav4hf7r8v2m5n9q1c3ek' };
const STEPS = { enum: SETUP_STEPS, isArray: true, example: ['domain', 'sso'] };
const EXPIRES_AT = { format: 'date-time', description: 'Time at which the link expires.', example: '2026-01-22T10:00:00.000Z' };

export const SETUP_LINK_STATUSES = ['active', 'expired'] as const;

export class SetupLinkResponse {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) organizationId!: string;
  @ApiProperty({ ...STEPS, description: 'What the link can set up.' }) steps!: SetupStep[];
  @ApiProperty({ enum: SETUP_LINK_STATUSES, example: 'active' }) status!: (typeof SETUP_LINK_STATUSES)[number];
  @ApiProperty(EXPIRES_AT) expiresAt!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Time at which the link was first opened, or null.',
    example: '2026-01-15T11:30:00.000Z',
  })
  openedAt!: string | null;
  @ApiProperty({ format: 'date-time', example: '2026-01-15T10:00:00.000Z' }) createdAt!: string;

  static from({ id, organizationId, steps, expiresAt, openedAt, createdAt }: SetupLink, now: Date): SetupLinkResponse {
    return {
      id,
      organizationId,
      steps,
      status: expiresAt > now ? 'active' : 'expired',
      expiresAt: expiresAt.toISOString(),
      openedAt: openedAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
    };
  }
}

export class CreatedSetupLinkResponse extends SetupLinkResponse {
  @ApiProperty({
    format: 'uri',
    description: 'The link. Only this response contains it.',
    example: 'http://localhost:3000/setup#token=setup.kH3v9QxT0bLr2mYc7WnZp5sEaJf8UgDi1oRtKqXy4Vw',
  })
  url!: string;

  static of({ setupLink, url }: IssuedSetupLink, now: Date): CreatedSetupLinkResponse {
    return { ...SetupLinkResponse.from(setupLink, now), url };
  }
}

export class SetupOrganizationResponse {
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) id!: string;
  @ApiProperty({ example: 'Acme' }) name!: string;
  @ApiProperty({
    type: SignInBrandingResponse,
    description: 'Branding of the organization, or of its nearest ancestor that has branding.',
  })
  branding!: SignInBrandingResponse;
}

export class OpenedSetupLinkResponse {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ type: SetupOrganizationResponse }) organization!: SetupOrganizationResponse;
  @ApiProperty(STEPS) steps!: SetupStep[];
  @ApiProperty(EXPIRES_AT) expiresAt!: string;

  static from({ link: { id, organization, steps, expiresAt }, branding }: SetupPage): OpenedSetupLinkResponse {
    return {
      id,
      organization: { id: organization.id, name: organization.name, branding: SignInBrandingResponse.from(branding) },
      steps: [...steps],
      expiresAt: expiresAt.toISOString(),
    };
  }
}

import { ApiProperty } from '@nestjs/swagger';
import type { Branding } from '../organization.entity.js';

/** The branding of pages that people see before they sign in. */
export class SignInBrandingResponse {
  @ApiProperty({ type: String, nullable: true, description: 'Primary color, or null.', example: '#1a2b3c' })
  primaryColor!: string | null;

  @ApiProperty({ description: 'Whether `GET /v1/auth/branding/{organizationId}/logo` returns a logo.', example: true })
  hasLogo!: boolean;

  static from({ primaryColor, logo }: Branding): SignInBrandingResponse {
    return { primaryColor: primaryColor ?? null, hasLogo: Boolean(logo) };
  }
}

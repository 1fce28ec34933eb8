import { ApiProperty } from '@nestjs/swagger';
import type { IdentityProvider } from './identity-provider.entity.js';

const TIME = { format: 'date-time', example: '2026-01-15T09:00:00.000Z' };

export class IdentityProviderResponse {
  @ApiProperty({ example: 'idp_01kf2b7m9ze4k8s1t6w3a5y0pd' }) id!: string;
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) organizationId!: string;
  @ApiProperty({ example: 'Company login' }) name!: string;
  @ApiProperty({ enum: ['oidc'] }) type!: string;
  @ApiProperty() enabled!: boolean;
  @ApiProperty({ format: 'uri', example: 'https://login.example.com' }) issuer!: string;
  @ApiProperty({ example: '0oa1b2c3d4' }) clientId!: string;
  @ApiProperty({ description: 'Whether a client secret is kept; it is never shown.' }) hasClientSecret!: boolean;
  @ApiProperty({ type: [String], example: ['openid', 'email', 'profile'] }) scopes!: string[];
  @ApiProperty({ type: [String], description: 'E-mail domains for which the provider is trusted.', example: ['example.com'] })
  trustedDomains!: string[];
  @ApiProperty({ description: "Whether the provider's second factor counts here." }) mfaTrusted!: boolean;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty(TIME) updatedAt!: string;

  static from(provider: IdentityProvider): IdentityProviderResponse {
    const { id, organizationId, name, type, enabled, configuration, clientSecretSealed } = provider;
    const { trustedDomains, mfaTrusted, createdAt, updatedAt } = provider;
    return {
      id,
      organizationId,
      name,
      type,
      enabled,
      issuer: configuration.issuer,
      clientId: configuration.clientId,
      hasClientSecret: clientSecretSealed !== null,
      scopes: configuration.scopes,
      trustedDomains,
      mfaTrusted,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}

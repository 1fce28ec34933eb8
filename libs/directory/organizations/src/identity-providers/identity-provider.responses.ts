import { unicodeDomain } from '#platform/common';
import { ApiProperty } from '@nestjs/swagger';
import type { IdentityProvider } from './identity-provider.entity.js';
import { PROVIDER_TYPES } from './provider-types.js';

const TIME = { format: 'date-time', example: '2026-01-15T09:00:00.000Z' };

export class IdentityProviderResponse {
  @ApiProperty({ example: 'idp_01kf2b7m9ze4k8s1t6w3a5y0pd' }) id!: string;
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) organizationId!: string;
  @ApiProperty({ example: 'Acme SSO' }) name!: string;
  @ApiProperty({ description: 'Protocol of the identity provider.', enum: PROVIDER_TYPES }) type!: string;
  @ApiProperty({ description: 'Whether users can sign in with the identity provider.' }) enabled!: boolean;
  @ApiProperty({
    description: 'Issuer URL of the provider. For `github`: address of the server.',
    format: 'uri',
    example: 'https://login.example.com',
  })
  issuer!: string;
  @ApiProperty({ description: 'Client id that the provider issued for this service.', example: '0oa1b2c3d4' }) clientId!: string;
  @ApiProperty({ description: 'Whether the identity provider has a client secret. The secret is never returned.' })
  hasClientSecret!: boolean;
  @ApiProperty({ type: [String], description: 'OAuth 2.0 scopes to request.', example: ['openid', 'email', 'profile'] })
  scopes!: string[];
  @ApiProperty({
    type: [String],
    description: 'Email domains for which the service trusts the provider, in Unicode.',
    example: ['example.com'],
  })
  trustedDomains!: string[];
  @ApiProperty({
    type: [String],
    description:
      'Domains in `trustedDomains` that neither the organization nor an ancestor has verified. The provider is not trusted for them, unless they were trusted before domains could be verified.',
    example: [],
  })
  unverifiedDomains!: string[];
  @ApiProperty({ description: 'Whether the service trusts the MFA of the provider.' }) mfaTrusted!: boolean;
  @ApiProperty({
    type: [String],
    description: 'Ids of OAuth clients that get access for users of the provider with assertions of the provider.',
    example: [],
  })
  allowedClients!: string[];
  @ApiProperty({
    ...TIME,
    type: String,
    nullable: true,
    description:
      'Time of the first sign-in with the current `issuer`, `clientId`, `clientSecret` and `scopes`. `null` if nobody has signed in with them.',
  })
  testedAt!: string | null;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty(TIME) updatedAt!: string;

  static from(provider: IdentityProvider, unverified: ReadonlySet<string>): IdentityProviderResponse {
    const { id, organizationId, name, type, enabled, configuration, clientSecretSealed } = provider;
    const { trustedDomains, mfaTrusted, testedAt, createdAt, updatedAt } = provider;
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
      trustedDomains: trustedDomains.map(unicodeDomain),
      unverifiedDomains: trustedDomains.filter((name) => unverified.has(name)).map(unicodeDomain),
      mfaTrusted,
      allowedClients: configuration.allowedClients ?? [],
      testedAt: testedAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}

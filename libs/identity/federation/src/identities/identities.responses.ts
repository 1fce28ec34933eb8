import { ApiProperty } from '@nestjs/swagger';
import type { UserIdentity } from '#directory/users';

/** A linked identity: an account at an identity provider. */
export class IdentityResponse {
  @ApiProperty({ example: 'idp_01kf2bh8r6e1v5y9k3m7p2t4wn' }) identityProviderId!: string;
  @ApiProperty({ description: 'Name that the identity provider had when the identity was linked.', example: 'Acme SSO' })
  provider!: string;
  @ApiProperty({
    description: 'Issuer of the provider. For GitHub: address of the server.',
    example: 'https://login.example.com',
  })
  issuer!: string;
  @ApiProperty({
    description: 'Id of the user at the identity provider: `sub` in the ID token, or the numeric id at GitHub.',
    example: '248289761001',
  })
  externalId!: string;
  @ApiProperty({ format: 'date-time', example: '2026-01-15T09:00:00.000Z' }) linkedAt!: string;

  static from({ identityProviderId, provider, issuer, externalId, createdAt }: UserIdentity): IdentityResponse {
    return { identityProviderId, provider, issuer, externalId, linkedAt: createdAt.toISOString() };
  }
}

export class IdentitiesResponse {
  @ApiProperty({ type: [IdentityResponse], description: 'Linked identities, oldest first.' }) identities!: IdentityResponse[];

  static from(identities: readonly UserIdentity[]): IdentitiesResponse {
    return { identities: identities.map((identity) => IdentityResponse.from(identity)) };
  }
}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ExactTextField } from '#platform/http';

export class IssueAccessTokenRequest {
  @ExactTextField({
    description:
      'Audience of the token (`aud` claim): the service that accepts it. By default, the base URL of this service. Neither the identifier of an OAuth resource nor the id of an OAuth client.',
    maxLength: 255,
    pattern: /^[\x21-\x7e]+$/,
    patternMessage: 'must be printable ASCII without spaces, such as https://app.example.com.',
    example: 'https://app.example.com',
  })
  audience?: string;
}

export class AccessTokenResponse {
  @ApiProperty({ description: 'Access token: a JWT that is signed with ES256.', example: 'eyJhbGciOiJFUzI1NiIsImtpZCI6…' })
  accessToken!: string;
  @ApiProperty({ description: 'Type of the token.', enum: ['Bearer'], example: 'Bearer' }) tokenType!: string;
  @ApiProperty({ description: 'Lifetime of the token in seconds.', type: 'integer', example: 300 }) expiresIn!: number;
  @ApiProperty({ description: 'Time at which the token expires.', format: 'date-time', example: '2026-01-15T09:05:00.000Z' })
  expiresAt!: string;
}

/** A public key (RFC 7517). */
export class PublicKeyResponse {
  @ApiProperty({ description: 'Key type.', enum: ['EC', 'RSA'], example: 'EC' }) kty!: string;
  @ApiPropertyOptional({ description: 'Elliptic curve of an EC key.', example: 'P-256' }) crv?: string;
  @ApiPropertyOptional({ description: 'X coordinate of an EC key.', example: 'WKn-ZIGevcwGIyyrzFoZNBdaq9_TsqzGl96oc0CWuis' })
  x?: string;
  @ApiPropertyOptional({ description: 'Y coordinate of an EC key.', example: 'y77t-RvAHRKTsSGdIYUfweuOvwrvDD-Q3Hv5J0fSKbE' })
  y?: string;
  @ApiPropertyOptional({ description: 'Modulus of an RSA key.', example: 'vkJ9nYQ0xg…' }) n?: string;
  @ApiPropertyOptional({ description: 'Exponent of an RSA key.', example: 'AQAB' }) e?: string;
  @ApiProperty({
    description: 'Key id, as in the header of the tokens that the key signs.',
    example: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
  })
  kid!: string;
  @ApiProperty({ description: 'Signature algorithm.', enum: ['ES256', 'RS256'], example: 'ES256' }) alg!: string;
  @ApiProperty({ description: 'Use of the key: signatures.', enum: ['sig'], example: 'sig' }) use!: string;
}

export class PublicKeySetResponse {
  @ApiProperty({ type: [PublicKeyResponse], description: 'Public keys that verify access tokens.' }) keys!: PublicKeyResponse[];
}

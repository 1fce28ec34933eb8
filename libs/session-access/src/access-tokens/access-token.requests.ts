import { ApiProperty } from '@nestjs/swagger';
import { ExactTextField } from '#http';

export class IssueAccessTokenRequest {
  @ExactTextField({
    description: 'The service that is to accept the token, as it calls itself (`aud`). Without it, the address of this service.',
    maxLength: 255,
    pattern: /^[\x21-\x7e]+$/,
    patternMessage: 'must be printable ASCII without spaces, such as https://app.example.com.',
    example: 'https://app.example.com',
  })
  audience?: string;
}

export class AccessTokenResponse {
  @ApiProperty({ description: 'A JWT, signed with ES256.', example: 'eyJhbGciOiJFUzI1NiIsImtpZCI6…' }) accessToken!: string;
  @ApiProperty({ enum: ['Bearer'], example: 'Bearer' }) tokenType!: string;
  @ApiProperty({ description: 'For how many seconds it is good.', type: 'integer', example: 300 }) expiresIn!: number;
  @ApiProperty({ format: 'date-time', example: '2026-01-15T09:05:00.000Z' }) expiresAt!: string;
}

/** A public key (RFC 7517). */
export class PublicKeyResponse {
  @ApiProperty({ example: 'EC' }) kty!: string;
  @ApiProperty({ example: 'P-256' }) crv!: string;
  @ApiProperty({ example: 'WKn-ZIGevcwGIyyrzFoZNBdaq9_TsqzGl96oc0CWuis' }) x!: string;
  @ApiProperty({ example: 'y77t-RvAHRKTsSGdIYUfweuOvwrvDD-Q3Hv5J0fSKbE' }) y!: string;
  @ApiProperty({ example: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs' }) kid!: string;
  @ApiProperty({ enum: ['ES256'], example: 'ES256' }) alg!: string;
  @ApiProperty({ enum: ['sig'], example: 'sig' }) use!: string;
}

export class PublicKeySetResponse {
  @ApiProperty({ type: [PublicKeyResponse] }) keys!: PublicKeyResponse[];
}

import { unicodeDomain } from '#platform/common';
import { ApiProperty } from '@nestjs/swagger';
import { recordOf } from './domain-record.js';
import { DOMAIN_CHECK_ERRORS, DOMAIN_STATUSES, type Domain, type DomainCheckError, type DomainStatus } from './domain.entity.js';

const TIME_OR_NULL = { type: String, format: 'date-time', nullable: true, example: '2026-01-15T10:00:00.000Z' } as const;

export class DomainRecordResponse {
  @ApiProperty({ enum: ['TXT'], example: 'TXT' }) type!: string;
  @ApiProperty({ description: 'Name of the DNS record.', example: '_identity-verification.example.com' }) name!: string;
  @ApiProperty({ description: 'Value of the DNS record.', example: 'identity-verification=c2VjcmV0LW9mLXRoZS1yZWNvcmQ' })
  value!: string;
}

export class DomainResponse {
  @ApiProperty({ example: 'dmn_01kf2bav4hf7r8v2m5n9q1c3ek' }) id!: string;
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) organizationId!: string;
  @ApiProperty({ description: 'Domain name in ASCII.', example: 'xn--bcher-kva.example' }) name!: string;
  @ApiProperty({ description: 'Domain name in Unicode.', example: 'bücher.example' }) unicodeName!: string;

  @ApiProperty({
    enum: DOMAIN_STATUSES,
    description:
      '`pending`: not verified yet. `verified`: this organization owns the domain in this installation. `failed`: the record was missing for three days.',
    example: 'verified',
  })
  status!: DomainStatus;

  @ApiProperty({ type: DomainRecordResponse, description: 'The DNS record that verifies the domain.' })
  record!: DomainRecordResponse;

  @ApiProperty({
    type: String,
    enum: DOMAIN_CHECK_ERRORS,
    nullable: true,
    description:
      'Problem of the last check: the record does not exist, DNS did not answer, or another organization has verified the domain.',
    example: null,
  })
  lastError!: DomainCheckError | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Time of the verification.' }) verifiedAt!: string | null;
  @ApiProperty({ ...TIME_OR_NULL, description: 'Time of the last check.' }) checkedAt!: string | null;
  @ApiProperty({ format: 'date-time', example: '2026-01-15T10:00:00.000Z' }) createdAt!: string;

  static from(domain: Domain): DomainResponse {
    const { id, organizationId, name, status, lastError, verifiedAt, checkedAt, createdAt } = domain;
    return {
      id,
      organizationId,
      name,
      unicodeName: unicodeDomain(name),
      status,
      record: { type: 'TXT', ...recordOf(domain) },
      lastError,
      verifiedAt: verifiedAt?.toISOString() ?? null,
      checkedAt: checkedAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
    };
  }
}

import { ApiProperty } from '@nestjs/swagger';
import type { Domain } from './domain.entity.js';

export class DomainResponse {
  @ApiProperty({ example: 'dmn_01kf2bav4hf7r8v2m5n9q1c3ek' }) id!: string;
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) organizationId!: string;
  @ApiProperty({ example: 'First' }) name!: string;
  @ApiProperty({ type: String, nullable: true, example: 'The first of its kind' }) description!: string | null;
  @ApiProperty({ format: 'date-time', example: '2026-01-15T10:00:00.000Z' }) createdAt!: string;
  @ApiProperty({ format: 'date-time', example: '2026-01-15T10:00:00.000Z' }) updatedAt!: string;

  static from({ id, organizationId, name, description, createdAt, updatedAt }: Domain): DomainResponse {
    return { id, organizationId, name, description, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  }
}

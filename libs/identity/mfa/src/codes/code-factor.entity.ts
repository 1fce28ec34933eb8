import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CodeMethod } from '../mfa-method.js';

/** An email address or phone number that receives codes. A user has at most one email address and one phone number. */
@Entity('code_factors')
export class CodeFactor {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  @PrimaryColumn('text') method!: CodeMethod;
  @Column('text') destination!: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
}

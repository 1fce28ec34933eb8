import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The response to the first request with an `Idempotency-Key`. */
@Entity('idempotency_records')
export class IdempotencyRecord {
  @PrimaryColumn('text', { name: 'caller_id' }) callerId!: string;
  /** HTTP method and path. */
  @PrimaryColumn('text') operation!: string;
  @PrimaryColumn('text') key!: string;
  /** SHA-256 of the query and the JSON value of the body. */
  @Column('bytea', { name: 'request_hash' }) requestHash!: Buffer;
  @Column('integer', { name: 'response_status' }) responseStatus!: number;
  /** The encrypted JSON of the response, which can contain an API key or a secret. */
  @Column('text', { name: 'response_sealed' }) responseSealed!: string;
  /** The permissions of the caller at the first request. Null for records of a previous version. */
  @Column('text', { array: true, nullable: true }) permissions!: string[] | null;
  /** Whether the first request required a recent authentication. */
  @Column('boolean', { name: 'proof_required' }) proofRequired!: boolean;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}

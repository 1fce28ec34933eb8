import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';

export const DELIVERY_METHODS = ['push', 'poll'] as const;
export type DeliveryMethod = (typeof DELIVERY_METHODS)[number];

export const STREAM_STATUSES = ['enabled', 'paused', 'disabled'] as const;
export type StreamStatus = (typeof STREAM_STATUSES)[number];

export const SUBJECT_FORMATS = ['iss_sub', 'email'] as const;
export type SubjectFormat = (typeof SUBJECT_FORMATS)[number];

/** A stream of security events to one receiver. */
@Entity('ssf_streams')
export class SsfStream {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  /** The OAuth client that receives the events. Null for the stream of the API keys of the organization. */
  @Column('text', { name: 'client_id', nullable: true }) clientId!: string | null;
  @Column('text', { name: 'delivery_method' }) deliveryMethod!: DeliveryMethod;
  /** Where events are sent. Null for `poll`. */
  @Column('text', { name: 'endpoint_url', nullable: true }) endpointUrl!: string | null;
  /** The value of the header `Authorization`, encrypted. */
  @Column('text', { name: 'authorization_sealed', nullable: true }) authorizationSealed!: string | null;
  /** As the receiver sent them, including events that are not supported. */
  @Column('text', { name: 'events_requested', array: true }) eventsRequested!: string[];
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text', { name: 'subject_format' }) subjectFormat!: SubjectFormat;
  @Column('text') status!: StreamStatus;
  @Column('text', { name: 'status_reason', nullable: true }) statusReason!: string | null;
  @Column('timestamptz', { name: 'verification_requested_at', nullable: true }) verificationRequestedAt!: Date | null;
  /** Position in the sequence of events, set by the database. The stream contains later events only. */
  @Column({ type: 'bigint', name: 'created_seq', insert: false, update: false }) createdSeq!: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}

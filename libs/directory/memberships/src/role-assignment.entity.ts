import type { Actor, RequestContext } from '#platform/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A role of a user in an organization: the role of the membership, or an additional role (`explicit`), or both. */
@Entity('role_assignments')
export class RoleAssignment {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'organization_id' }) organizationId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  @PrimaryColumn('text', { name: 'role_id' }) roleId!: string;
  @Column('boolean') explicit!: boolean;
  @Column('text', { name: 'user_status' }) userStatus!: string;
  @Column('timestamptz', { name: 'assigned_at' }) assignedAt!: Date;
  /** The actor who assigned the role. Null if the role was assigned before this column existed. */
  @Column('text', { name: 'assigned_by_type', nullable: true }) assignedByType!: Actor['type'] | null;
  @Column('text', { name: 'assigned_by_id', nullable: true }) assignedById!: string | null;
}

/** Returns the columns of the actor who assigns a role. */
export const assignedBy = ({ actor }: RequestContext): Pick<RoleAssignment, 'assignedByType' | 'assignedById'> => ({
  assignedByType: actor.type,
  assignedById: actor.id ?? null,
});

import { Injectable } from '@nestjs/common';
import { emailKey, type RequestContext } from '#platform/common';
import { DomainVerification } from '#directory/organizations';
import {
  type User,
  UserAdoptionService,
  UserDeletionService,
  UserLifecycleService,
  UsersService,
  UserUpdateService,
} from '#directory/users';
import type { Connection } from '../access/scim-connection.js';
import type { UserFields } from './scim-user-fields.js';
import type { UserRecord } from './scim-users.query.js';

const FIELD_NAMES = ['email', 'firstName', 'lastName', 'displayName', 'phoneNumber'] as const;
/** Users choose these fields themselves, so only a change of the attribute changes them. */
const PREFERENCE_NAMES = ['locale', 'picture'] as const;

/** Changes users with the services of the API, in the transaction of the caller. */
@Injectable()
export class ScimProvisioningService {
  constructor(
    private readonly creation: UsersService,
    private readonly adoption: UserAdoptionService,
    private readonly updates: UserUpdateService,
    private readonly lifecycle: UserLifecycleService,
    private readonly deletion: UserDeletionService,
    private readonly domains: DomainVerification,
  ) {}

  /** Updates the fields that differ. Takes the language and the picture only if the connection changes them. */
  async update(
    ctx: RequestContext,
    connection: Connection,
    record: UserRecord,
    before: UserFields,
    after: UserFields,
  ): Promise<void> {
    const changed = [
      ...FIELD_NAMES.filter((name) => after[name] !== record[name]),
      ...PREFERENCE_NAMES.filter((name) => after[name] !== before[name] && after[name] !== record[name]),
    ];
    if (changed.length === 0) return;
    const request = Object.fromEntries(changed.map((name) => [name, after[name]]));
    const emailVerified = changed.includes('email') && (await this.isVerified(ctx, connection, after.email));
    await this.updates.update(ctx, record.id, request, { emailVerified });
  }

  /** Takes over the user with the address if the connection allows it, or creates a user. @throws EmailTaken (409) */
  async createOrAdopt(ctx: RequestContext, connection: Connection, fields: UserFields): Promise<User> {
    const isVerified = await this.isVerified(ctx, connection, fields.email);
    if (connection.adoptExistingUsers && isVerified) {
      const adopted = await this.adoption.adopt(ctx, fields.email, connection.id);
      if (adopted) {
        const changed = FIELD_NAMES.filter((name) => fields[name] !== null && fields[name] !== adopted[name]);
        const request = Object.fromEntries(changed.map((name) => [name, fields[name]]));
        return changed.length === 0 ? adopted : this.updates.update(ctx, adopted.id, request, { emailVerified: true });
      }
    }
    const { email, ...optional } = fields;
    const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null));
    // The directory vouches for the user, so no invitation is needed.
    return this.creation.create(
      ctx,
      { email, ...present },
      { status: 'active', emailVerified: isVerified, managedBy: connection.id },
    );
  }

  async activate(ctx: RequestContext, id: string): Promise<void> {
    await this.lifecycle.activate(ctx, id);
  }

  /** Deletes a user, who can be restored. */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.deletion.delete(ctx, id, false);
  }

  /** Suspends a user and revokes all sessions. */
  async suspend(ctx: RequestContext, { name }: Connection, id: string): Promise<void> {
    await this.lifecycle.suspend(ctx, id, {
      reason: `Deactivated by the SCIM connection "${name}".`,
      revokeActiveSessions: true,
    });
  }

  private async isVerified(ctx: RequestContext, { organization }: Connection, email: string): Promise<boolean> {
    const domain = emailKey(email).slice(email.lastIndexOf('@') + 1);
    return (await this.domains.listUnverified(ctx, organization, [domain])).length === 0;
  }
}

import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { EffectiveSettingsService } from '#directory/organizations';
import { assertDomainAllowed, EmailTaken, type User, UserSelfService, UsersService, UserUpdateService } from '#directory/users';
import type { Connection } from '../access/scim-connection.js';
import { ScimResourceNotFound } from '../protocol/scim-errors.js';
import { ScimAdoptionService } from './scim-adoption.service.js';
import type { UserFields } from './scim-user-fields.js';
import type { UserRecord } from './scim-users.query.js';

const FIELD_NAMES = ['email', 'firstName', 'lastName', 'displayName', 'phoneNumber'] as const;
/** Users choose these fields themselves, so only a change of the attribute changes them. */
const PREFERENCE_NAMES = ['locale', 'picture'] as const;

/** A user whose id a preview has announced to the directory. */
export interface AnnouncedUser {
  readonly id: string;
  /** Whether the connection takes over an existing user. */
  readonly isExisting: boolean;
}

/** Changes users with the services of the API, in the transaction of the caller. */
@Injectable()
export class ScimProvisioningService {
  constructor(
    private readonly creation: UsersService,
    private readonly adoptions: ScimAdoptionService,
    private readonly updates: UserUpdateService,
    private readonly settings: EffectiveSettingsService,
    private readonly accounts: UserSelfService,
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
    const emailVerified = changed.includes('email') && (await this.adoptions.isVerified(ctx, connection, after.email));
    await this.updates.update(ctx, record.id, request, { emailVerified });
  }

  /**
   * Takes over the user with the address if the connection allows it, or creates a user. `wasUsable` is false for a user who could not use
   * the account before.
   * @throws EmailTaken (409), ScimResourceNotFound (404) when the announced user is not the one to take over
   */
  async createOrAdopt(
    ctx: RequestContext,
    connection: Connection,
    fields: UserFields,
    announced?: AnnouncedUser,
  ): Promise<{ user: User; wasUsable: boolean }> {
    const isVerified = await this.adoptions.isVerified(ctx, connection, fields.email);
    if (connection.adoptExistingUsers && isVerified) {
      const adopted = await this.adoptions.adopt(ctx, connection, fields.email);
      if (adopted) {
        const { user, wasPending } = adopted;
        if (announced && announced.id !== user.id) throw new EmailTaken(fields.email);
        const changed = FIELD_NAMES.filter((name) => fields[name] !== null && fields[name] !== user[name]);
        const request = Object.fromEntries(changed.map((name) => [name, fields[name]]));
        if (changed.length === 0) return { user, wasUsable: !wasPending };
        return { user: await this.updates.update(ctx, user.id, request, { emailVerified: true }), wasUsable: !wasPending };
      }
    }
    if (announced?.isExisting) throw new ScimResourceNotFound('User', announced.id);
    const { email, ...optional } = fields;
    const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null));
    // The directory vouches for the user, so no invitation is needed.
    const user = await this.creation.create(
      ctx,
      { email, ...present },
      { status: 'active', emailVerified: isVerified, managedBy: connection.id, ...(announced ? { id: announced.id } : {}) },
    );
    return { user, wasUsable: false };
  }

  /**
   * Returns the user whom the connection would take over, or null if it would create a user with the address. Changes nothing.
   * @throws EmailTaken (409), DomainNotAllowed (422)
   */
  async findAdoptable(ctx: RequestContext, connection: Connection, email: string): Promise<User | null> {
    const { values } = await this.settings.get(ctx, connection.organization);
    assertDomainAllowed(email, values);
    const user = await this.accounts.findByEmail(ctx, connection.tenantId, email);
    if (!user) return null;
    const isAdoptable = user.organizationId === connection.organization.id && user.managedBy === null;
    if (isAdoptable && connection.adoptExistingUsers && (await this.adoptions.isVerified(ctx, connection, email))) return user;
    throw new EmailTaken(email);
  }

  /** @throws EmailTaken (409) when another user of the tenant has the address */
  async assertEmailFree(ctx: RequestContext, { tenantId }: Connection, email: string, exceptId: string): Promise<void> {
    const user = await this.accounts.findByEmail(ctx, tenantId, email);
    if (user && user.id !== exceptId) throw new EmailTaken(email);
  }
}

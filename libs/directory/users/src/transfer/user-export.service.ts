import { Injectable } from '@nestjs/common';
import { assertRecentlyAuthenticated, organizationOf, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { DirectoryListQuery, MemberListService } from '#directory/memberships';
import { type AuthorizeAgain, csvLines } from '#platform/http';
import type { VisibleRole } from '#directory/roles';
import { UserQueriesService } from '../user-queries.service.js';
import type { ExportUsersQuery } from '../user.requests.js';
import type { User } from '../user.entity.js';
import { fieldValues, USER_FIELD_NAMES } from '../user-fields.js';
import { UsersQuery } from '../users.query.js';
import { EXPORT_COLUMNS } from './user-columns.js';
import { listCell } from './csv-cells.js';

/** Number of users in a batch. Garbage collection frees small batches in the young generation of the heap. */
const BATCH_SIZE = 200;

/** A user in an export. An import uses or ignores each field. */
type ExportedUser = Partial<Record<(typeof EXPORT_COLUMNS)[number], unknown>>;

/** Exports the users of a directory in batches, newest first. */
@Injectable()
export class UserExportService {
  constructor(
    private readonly users: UsersQuery,
    private readonly directoryList: DirectoryListQuery,
    private readonly members: MemberListService,
    private readonly queries: UserQueriesService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Returns the export in pieces of up to 200 users. A CSV export begins with the header row. Authorizes the caller again before each
   * piece.
   */
  async *run(ctx: RequestContext, query: ExportUsersQuery, authorizeAgain: AuthorizeAgain): AsyncGenerator<string> {
    assertRecentlyAuthenticated(ctx, this.work.now());
    const organization = organizationOf(ctx);
    const filter = await this.queries.filterOf(ctx, query);
    const { format = 'ndjson', ...filters } = query;
    await this.work.run(ctx, (ctx) => this.work.publish(ctx, 'user.exported', organization, { format, filters }));
    const isCsv = format === 'csv';
    if (isCsv) yield csvLines([EXPORT_COLUMNS]);
    for (let after: string | undefined; ;) {
      if (after !== undefined) await authorizeAgain();
      const ids = await this.directoryList.listIds(ctx, organization, filter, BATCH_SIZE, after);
      if (ids.length === 0) return;
      const exported = await this.read(ctx, ids);
      yield isCsv ? csvLines(exported.map(cellsOf)) : exported.map((user) => `${JSON.stringify(user)}\n`).join('');
      if (ids.length < BATCH_SIZE) return;
      after = ids.at(-1);
    }
  }

  private async read(ctx: RequestContext, ids: readonly string[]): Promise<ExportedUser[]> {
    const users = await this.users.mapById(ctx, organizationOf(ctx), ids);
    const roles = await this.members.mapRolesByUser(ctx, ids);
    // A user can be purged between the two reads.
    return ids.flatMap((id) => {
      const user = users.get(id);
      return user ? [exportedUser(user, roles.get(id) ?? [])] : [];
    });
  }
}

function exportedUser(user: User, roles: readonly VisibleRole[]): ExportedUser {
  const fields: ExportedUser = {
    id: user.id,
    email: user.email,
    emailVerified: user.emailVerified,
    ...fieldValues(USER_FIELD_NAMES, user),
    status: user.status,
    suspendedReason: user.suspendedReason || null,
    roles: roles.map(({ name }) => name),
    metadata: user.metadata,
    lastLoginAt: user.lastLoginAt?.toISOString() ?? null,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

const cellsOf = (user: ExportedUser): string[] => EXPORT_COLUMNS.map((column) => cellOf(user[column]));

function cellOf(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return listCell(value as string[]);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0 ? '' : JSON.stringify(value);
  return String(value);
}

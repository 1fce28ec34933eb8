import { listCell, neutralized } from '#directory/users';
import { stringify } from 'csv-stringify/sync';
import type { AccessReportRowResponse } from './access-report.responses.js';
import type { REPORT_FORMATS } from './access-report.requests.js';

export type ReportFormat = (typeof REPORT_FORMATS)[number];

const COLUMNS: Readonly<Record<string, (row: AccessReportRowResponse) => string | null>> = {
  kind: ({ kind }) => kind,
  id: ({ id }) => id,
  email: ({ email }) => email,
  name: ({ name }) => name,
  status: ({ status }) => status,
  roleId: ({ roleId }) => roleId,
  role: ({ role }) => role,
  permissions: ({ permissions }) => listCell(permissions),
  source: ({ source }) => source,
  inherited: ({ inherited }) => String(inherited),
  organizationId: ({ organizationId }) => organizationId,
  organizationName: ({ organizationName }) => organizationName,
  assignedByType: ({ assignedBy }) => assignedBy?.type ?? null,
  assignedById: ({ assignedBy }) => assignedBy?.id ?? null,
  assignedByEmail: ({ assignedBy }) => assignedBy?.email ?? null,
  assignedAt: ({ assignedAt }) => assignedAt,
  expiresAt: ({ expiresAt }) => expiresAt,
  lastUsedAt: ({ lastUsedAt }) => lastUsedAt,
  groupId: ({ groupId }) => groupId,
  group: ({ group }) => group,
};

/** Lines end with CR and LF (RFC 4180). */
const CSV = { record_delimiter: 'windows' } as const;

/** Returns the start of a file: the header row of a CSV file. */
export const reportHeader = (format: ReportFormat): string => (format === 'csv' ? stringify([Object.keys(COLUMNS)], CSV) : '');

/** Returns the lines of a report. Spreadsheets run no cell of a CSV file as a formula. */
export function reportLines(rows: readonly AccessReportRowResponse[], format: ReportFormat): string {
  if (format === 'ndjson') return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return stringify(
    rows.map((row) => Object.values(COLUMNS).map((cellOf) => neutralized(cellOf(row) ?? ''))),
    CSV,
  );
}

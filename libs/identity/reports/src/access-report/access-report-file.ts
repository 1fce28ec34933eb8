import { csvLines } from '#platform/http';
import { listCell } from '#directory/users';
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

/** Returns the start of a file: the header row of a CSV file. */
export const reportHeader = (format: ReportFormat): string => (format === 'csv' ? csvLines([Object.keys(COLUMNS)]) : '');

/** Returns the lines of a report. */
export function reportLines(rows: readonly AccessReportRowResponse[], format: ReportFormat): string {
  if (format === 'ndjson') return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return csvLines(rows.map((row) => Object.values(COLUMNS).map((cellOf) => cellOf(row) ?? '')));
}

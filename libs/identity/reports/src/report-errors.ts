import { DomainError, hasPermission, type ServicePermission } from '#platform/common';

/** 403: a report contains data of several kinds, so the caller needs the permissions to read each of them. */
export class ReportPermissionsRequired extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor(missing: readonly string[]) {
    const permissions = missing.map((permission) => `"${permission}"`).join(', ');
    super(
      `This operation also requires ${missing.length === 1 ? 'the permission' : 'the permissions'} ${permissions}. The caller does not have ${missing.length === 1 ? 'this permission' : 'these permissions'}.`,
    );
  }
}

/** @throws ReportPermissionsRequired (403) */
export function assertAllPermissions(granted: readonly string[], required: readonly ServicePermission[]): void {
  const missing = required.filter((permission) => !hasPermission(granted, permission));
  if (missing.length > 0) throw new ReportPermissionsRequired(missing);
}

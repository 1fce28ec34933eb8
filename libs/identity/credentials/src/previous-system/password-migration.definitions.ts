import type { Changes } from '#platform/common';
import { defineEvents } from '#platform/events';
import type { PasswordMigration } from './password-migration.entity.js';

/** The configuration of a password migration in the `data` of events. The secret is never part of it. */
export interface PasswordMigrationData {
  url: string;
  endsAt: string;
}

declare module '#platform/events' {
  interface EventCatalog {
    'password_migration.updated': PasswordMigrationData & { signatureRenewed: boolean; changes: Changes };
    'password_migration.deleted': PasswordMigrationData;
  }
}

const EXAMPLE: PasswordMigrationData = {
  url: 'https://auth.example.com/verify-password',
  endsAt: '2026-07-01T00:00:00.000Z',
};

defineEvents({
  'password_migration.updated': {
    description:
      'The previous system that confirms passwords was set or changed. Who controls `url` learns the passwords of users who sign in for the first time.',
    example: { ...EXAMPLE, signatureRenewed: true, changes: { url: { from: null, to: EXAMPLE.url } } },
  },
  'password_migration.deleted': {
    description: 'The previous system no longer confirms passwords.',
    example: EXAMPLE,
  },
});

export const passwordMigrationData = ({ url, endsAt }: PasswordMigration): PasswordMigrationData => ({
  url,
  endsAt: endsAt.toISOString(),
});

import { createHash, randomBytes } from 'node:crypto';
import { readVariable, VARIABLES } from '#platform/config';
import { newId, systemContext } from '#platform/common';
import type { OperatorLinkQuery } from './operator-link.query.js';

/**
 * Prints a link that opens the dashboard once, with the permissions of a platform key. This is no privilege escalation, because
 * the command needs write access to the database.
 */
export async function dashboardLink(links: OperatorLinkQuery): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  await links.insert(systemContext(newId('request')), createHash('sha256').update(token).digest());
  const port = readVariable(process.env, 'PORT') || VARIABLES.PORT.default;
  const baseUrl = (readVariable(process.env, 'BASE_URL') || `http://localhost:${port}`).replace(/(?<!\/)\/+$/, '');
  console.log(`Dashboard link (works once, expires in one hour): ${baseUrl}/dashboard/getting-started#token=${token}`);
}

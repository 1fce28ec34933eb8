import { domainToASCII } from 'node:url';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeRows, searchKey } from './folding/folding.js';

/**
 * Adds the folded form to search texts with letters such as "ł" and "ß", and prepares the user names of SCIM users as RFC 8265 says. Search texts keep
 * their previous form, too, by which the previous release finds them. Runs without a transaction, in batches: a run that stopped starts again.
 */
export class FoldNamesAgain1796710000000 implements MigrationInterface {
  readonly name = 'FoldNamesAgain1796710000000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Only texts with other characters than ASCII have more bytes than characters.
    const where = 'octet_length(search_text) > length(search_text)';
    const columns = ['search_text'];
    const change = ({ search_text: text }: Record<string, unknown>) => {
      const folded = withFoldedLines(String(text));
      return folded === text ? undefined : { search_text: folded };
    };
    await changeRows(queryRunner, { table: 'directory_entries', key: ['user_id', 'organization_id'], columns, where, change });
    await changeRows(queryRunner, { table: 'organizations', key: ['id'], columns, where, change });
    for (const [table, key] of [
      ['scim_users', ['user_id']],
      ['scim_preview_users', ['user_id', 'connection_id']],
    ] as const)
      await changeRows(queryRunner, {
        table,
        key,
        columns: ['user_name', 'email_keys'],
        where: `octet_length(user_name || array_to_string(email_keys, ' ')) > length(user_name || array_to_string(email_keys, ' '))`,
        change: ({ user_name: userName, email_keys: emails }) => ({
          user_name_key: userNameKey(String(userName)),
          email_keys: [...new Set((emails as string[]).flatMap((email) => [email, asciiAddress(email)]))],
        }),
      });
  }

  /** The previous release finds the rows as they are. */
  async down(): Promise<void> {
    await Promise.resolve();
  }
}

/** Adds the folded form of each line. The space before a line marks the beginning of a word. */
function withFoldedLines(text: string): string {
  const lines = text.split('\n');
  const folded = lines.map((line) => (line.startsWith(' ') ? ' ' : '') + searchKey(line));
  return [...new Set([...lines, ...folded])].join('\n');
}

/** Other texts after an "@", such as a name without a dot, stay as they are. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function asciiAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const text = email.slice(at + 1);
  const domain = at < 0 || text.length > 253 || /[\s/:@?#\\%[\]]/.test(text) ? '' : domainToASCII(text);
  return domain.length <= 253 && DOMAIN.test(domain) ? `${email.slice(0, at)}@${domain}` : email;
}

const userNameKey = (userName: string): string =>
  asciiAddress(
    userName
      .replace(/[\uff01-\uffef\u3000]/g, (character) => character.normalize('NFKC'))
      .toLowerCase()
      .replace(/ς/g, 'σ')
      .normalize('NFC'),
  );

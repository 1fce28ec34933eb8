import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDir } from '../project-dir.js';
import { htmlOf } from './markdown.js';

const CODE_FORM = /^[a-z][a-z0-9_]{0,63}$/;

const errorsDir = join(projectDir, 'docs/errors');

/** Returns the explanation of an error code as HTML, or undefined for an unknown code. */
export async function errorPage(code: string): Promise<string | undefined> {
  if (!CODE_FORM.test(code)) return undefined;
  const markdown = await readFile(join(errorsDir, `${code}.md`), 'utf8').catch(() => undefined);
  return markdown === undefined ? undefined : htmlOf(markdown);
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDir } from '../project-dir.js';
import { escapeHtml, htmlOf } from './markdown.js';

const CODE_FORM = /^[a-z][a-z0-9_]{0,63}$/;

const errorsDir = join(projectDir, 'docs/errors');

/** Returns the HTML page about an error code, or undefined for an unknown code. */
export async function errorPage(code: string): Promise<string | undefined> {
  if (!CODE_FORM.test(code)) return undefined;
  const markdown = await readFile(join(errorsDir, `${code}.md`), 'utf8').catch(() => undefined);
  return markdown === undefined ? undefined : page(code, htmlOf(markdown));
}

function page(title: string, content: string): string {
  const style =
    'body{font:16px/1.6 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color:#1c2430}code,pre{background:#f2f4f7;padding:.1em .3em}pre{padding:1em;overflow:auto}';
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body>
${content}<p><a href="/docs">API documentation</a></p>
</body>
</html>
`;
}

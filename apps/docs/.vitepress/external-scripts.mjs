import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const INLINE = /<script\b((?![^>]*\bsrc=)[^>]*)>([\s\S]+?)<\/script>/g;

/** Moves inline scripts of VitePress into files, because the content security policy blocks inline scripts. */
export function externalScripts() {
  const codes = new Map();
  const fileOf = (code) => `assets/inline.${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
  return {
    extract: (html) =>
      html.replaceAll(INLINE, (_, attributes, code) => {
        codes.set(fileOf(code), code);
        return `<script${attributes} src="/docs/guide/${fileOf(code)}"></script>`;
      }),
    write(outDir) {
      mkdirSync(join(outDir, 'assets'), { recursive: true });
      for (const [name, code] of codes) writeFileSync(join(outDir, name), code);
    },
  };
}

/** Removes the inline styles of VitePress; `theme.css` has the same rules. */
export const withoutInlineStyles = (html) => html.replaceAll(/ style="(?:position:relative|--vp-vh:0px);"/g, '');

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const INLINE = /<script\b((?![^>]*\bsrc=)[^>]*)>([\s\S]+?)<\/script>/g;

/** Scripts that VitePress writes into its pages become files: the server's policy lets no inline script run. */
export function outerScripts() {
  const codes = new Map();
  const fileOf = (code) => `assets/inline.${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
  return {
    moveOut: (html) =>
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

/** The two that VitePress writes say what `theme.css` says as well. */
export const withoutInlineStyles = (html) => html.replaceAll(/ style="(?:position:relative|--vp-vh:0px);"/g, '');

import { createHash } from 'node:crypto';
import { escapeHtml } from '#platform/common';
import type { AppConfig } from '#platform/config';
import type { Response } from 'express';

interface HtmlPage {
  readonly title: string;
  /** The content as HTML. */
  readonly content: string;
  /** Default: `en`. */
  readonly language?: string;
  /** Reloads the page after this time. */
  readonly reloadSeconds?: number | undefined;
}

const STYLE = `:root{color-scheme:light dark;--line:light-dark(#dee2e6,#424242);--link:light-dark(#2d4b81,#b9c7e2)}
body{margin:0;font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere;background:light-dark(#fff,#242424);color:light-dark(#000,#c9c9c9)}
a{color:var(--link)}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.2rem 1.2rem;min-height:55px;padding:0 1rem;border-bottom:1px solid var(--line)}
header a{text-decoration:none}
nav{display:flex;gap:1rem}
header>a{display:flex;align-items:center;gap:10px;font-weight:700;color:inherit}
main{max-width:44rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;line-height:1.3}
code,pre{background:light-dark(#f1f3f5,#2e2e2e);padding:.1em .3em;border-radius:4px}
pre{padding:1em;overflow:auto}
pre code{padding:0}`;

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sends a page that needs no script, with the head of the dashboard. The status of the response must be set. */
export function sendHtmlPage(
  response: Response,
  { docs }: Pick<AppConfig, 'docs'>,
  { title, content, language = 'en', reloadSeconds }: HtmlPage,
): void {
  const links = docs ? '<a href="/docs">API</a><a href="/docs/guide/">Guide</a>' : '';
  const reload = reloadSeconds === undefined ? '' : `<meta http-equiv="refresh" content="${reloadSeconds}">`;
  response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  response.type('html').send(`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${reload}<title>${escapeHtml(title)} · Identity</title><link rel="icon" type="image/svg+xml" href="/favicon.svg"><style>${STYLE}</style></head>
<body>
<header><a href="/"><img src="/favicon.svg" alt="" width="26" height="26">Identity</a><nav>${links}</nav></header>
<main>
${content}</main>
</body>
</html>
`);
}

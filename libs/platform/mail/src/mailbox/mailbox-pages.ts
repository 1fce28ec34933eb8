import { escapeHtml } from '#platform/common';
import type { MailboxMessage } from './development-mailbox.js';

const STYLE = `body{margin:0 auto;max-width:60rem;padding:1.5rem;font:16px/1.5 system-ui,sans-serif;color:#1c1c1e;background:#fff}
table{width:100%;border-collapse:collapse}th,td{padding:.4rem .6rem;border-bottom:1px solid #d1d1d6;text-align:left;vertical-align:top}
pre{padding:1rem;background:#f2f2f7;white-space:pre-wrap;overflow-wrap:anywhere}iframe{width:100%;height:32rem;border:1px solid #8e8e93}
dt{font-weight:bold}dd{margin:0 0 .4rem}a{color:#1a4fb4}`;

const page = (title: string, body: string): string => `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main>
${body}
</main></body>
</html>
`;

export function mailboxPage(messages: readonly MailboxMessage[]): string {
  const rows = messages.map(
    ({ id, channel, to, subject, text, status, createdAt }) => `<tr>
<td><time datetime="${createdAt}">${createdAt.slice(0, 19).replace('T', ' ')}</time></td>
<td>${escapeHtml(channel)}</td><td>${escapeHtml(to)}</td>
<td><a href="/dev/mailbox/${encodeURIComponent(id)}">${escapeHtml(subject ?? text.slice(0, 80))}</a></td><td>${escapeHtml(status)}</td>
</tr>`,
  );
  const table = `<table><thead><tr><th>Time (UTC)</th><th>Channel</th><th>To</th><th>Message</th><th>Status</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
  return page(
    'Development mailbox',
    `<h1>Development mailbox</h1>
<p>Emails and SMS messages of this service, newest first. For scripts: <a href="/dev/mailbox.json">/dev/mailbox.json</a>, filtered by recipient with <code>?to=</code>.</p>
${messages.length > 0 ? table : '<p>No messages yet.</p>'}`,
  );
}

/** Returns the page of one message. The HTML of a mail is in a sandboxed frame without scripts. */
export function messagePage(message: MailboxMessage): string {
  const { id, channel, template, to, subject, text, html, status, attemptCount, lastError, createdAt } = message;
  const details = {
    To: to,
    Channel: channel,
    Template: template,
    Time: createdAt,
    Status: status,
    Attempts: String(attemptCount),
    ...(lastError ? { Error: lastError } : {}),
  };
  const list = Object.entries(details).map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`);
  const frame = `<h2>HTML version</h2>
<iframe title="HTML version of the email" src="/dev/mailbox/${encodeURIComponent(id)}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`;
  return page(
    subject ?? 'SMS',
    `<p><a href="/dev/mailbox">All messages</a></p>
<h1>${escapeHtml(subject ?? 'SMS')}</h1>
<dl>${list.join('')}</dl>
<h2>Plain text</h2>
<pre>${linked(text)}</pre>
${html === null ? '' : frame}`,
  );
}

/** Returns the HTML of a mail with links that open outside the frame. */
export const framedHtml = (html: string): string => html.replace('<head>', '<head><base target="_blank">');

const linked = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) => (index % 2 === 1 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part)))
    .join('');

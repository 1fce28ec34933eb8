import { buttonColors, escapeHtml, momentText, pictureAddress, singleLine } from '#mail';
import type { InvitationOffer } from './invitation-acceptance.service.js';

/** What the form shows again after a refusal; passwords are never sent back. */
export interface FormRefusal {
  readonly message: string;
  /** One sentence for each broken rule. */
  readonly problems: readonly string[];
}

interface Look {
  readonly organizationName?: string | undefined;
  readonly primaryColor?: string | null | undefined;
  readonly logo?: string | null | undefined;
}

/** Where the form goes: beside the page itself, whatever path a proxy serves it under. */
const ACTION = 'accept-invitation';

/** The form in which an invited person sets a password. It works without any script. */
export function invitationForm(offer: InvitationOffer, token: string, nonce: string, refusal?: FormRefusal): string {
  const { email, organizationName, expiresAt, rules } = offer;
  const heading = `Join ${singleLine(organizationName)}`;
  const invalid = refusal ? ' aria-invalid="true"' : '';
  const describedBy = refusal ? 'problems rules' : 'rules';
  const body = `${refusal ? refusalHtml(refusal) : ''}<p>Set a password to activate your account. The link that brought you here works once, until ${momentText(expiresAt)}.</p>
<form method="post" action="${ACTION}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<p><label for="email">E-mail address</label><input id="email" type="email" value="${escapeHtml(email)}" autocomplete="username" readonly></p>
<div id="rules"><p>The password needs:</p><ul>${rules.map((rule) => `<li>${escapeHtml(rule)}</li>`).join('')}</ul></div>
<p><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="new-password" required${invalid} aria-describedby="${describedBy}"></p>
<p><label for="repeated">The same password again</label><input id="repeated" name="repeated" type="password" autocomplete="new-password" required${invalid}></p>
<p><button type="submit">Set password and join</button></p>
</form>`;
  return page(refusal ? `Error: ${heading}` : heading, heading, body, nonce, offer);
}

/** Nothing more to do, or nothing that can be done here. */
export function invitationNotice(heading: string, text: string, nonce: string, look: Look = {}): string {
  return page(heading, heading, `<p>${escapeHtml(singleLine(text))}</p>`, nonce, look);
}

const refusalHtml = ({ message, problems }: FormRefusal): string =>
  `<div id="problems" class="refusal" role="alert"><p>${escapeHtml(message)}</p>${
    problems.length > 0 ? `<ul>${problems.map((problem) => `<li>${escapeHtml(problem)}</li>`).join('')}</ul>` : ''
  }</div>
`;

function page(title: string, heading: string, body: string, nonce: string, look: Look): string {
  const picture = pictureAddress(look.logo);
  const alt = escapeHtml(singleLine(look.organizationName ?? ''));
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${styleWith(look)}</style>
</head>
<body>
<main>
${picture ? `<p><img src="${escapeHtml(picture)}" alt="${alt}" height="40"></p>\n` : ''}<h1>${escapeHtml(heading)}</h1>
${body}
</main>
</body>
</html>
`;
}

function styleWith({ primaryColor }: Look): string {
  const { background, color } = buttonColors(primaryColor);
  return `body{margin:0;padding:1.5rem;font:16px/1.5 system-ui,sans-serif;color:#1c1c1e;background:#fff}
main{max-width:30rem;margin:0 auto}h1{font-size:1.5rem;line-height:1.3}img{max-width:100%}label{display:block;font-weight:bold}
input{box-sizing:border-box;width:100%;padding:.6rem;font:inherit;color:inherit;background:#fff;border:1px solid #6e6e73;border-radius:6px}
input[readonly]{background:#f2f2f7}input[aria-invalid]{border-color:#b3261e}
button{padding:.75rem 1.25rem;font:inherit;font-weight:bold;border:1px solid #1c1c1e;border-radius:6px;background:${background};color:${color};cursor:pointer}
input:focus-visible,button:focus-visible{outline:3px solid #1a4fb4;outline-offset:2px}
.refusal{padding:.25rem 1rem;border-left:4px solid #b3261e;background:#fdecea}`;
}

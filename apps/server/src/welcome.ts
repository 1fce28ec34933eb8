import { type IssuedOperatorLink, operatorLinkPath } from '#identity/auth';
import type { AppConfig } from '#platform/config';

/** The key and the link that this start created. The service prints both once. */
export interface CreatedAtStart {
  readonly newKey?: string | undefined;
  /** Opens the dashboard before the first user exists. */
  readonly link?: IssuedOperatorLink | undefined;
}

/** Returns the message that the service prints when it is ready. */
export function welcome(config: AppConfig, baseUrl: string, { newKey, link }: CreatedAtStart): string {
  if (config.role === 'worker') return `\nThe worker is ready. Health: ${baseUrl}/health/ready\n\n`;
  const lines = ['', `The service is ready:  ${baseUrl}`];
  if (config.docs) lines.push(`API documentation:     ${baseUrl}/docs`, `Guide:                 ${baseUrl}/docs/guide`);
  const dashboard = `${baseUrl}${link ? operatorLinkPath(link) : '/dashboard'}`;
  lines.push(
    link
      ? `Dashboard link (works once, expires an hour after the first start): ${dashboard}`
      : `Dashboard:             ${dashboard}`,
  );
  if (config.smtpUrl === undefined) lines.push(`Emails (not sent):     ${baseUrl}/dev/mailbox`);
  return `${[...lines, ...keyLines(config, baseUrl, newKey), ''].join('\n')}\n`;
}

function keyLines({ platformApiKey }: AppConfig, baseUrl: string, newKey: string | undefined): string[] {
  if (platformApiKey !== undefined) return ['Platform API key:      PLATFORM_API_KEY'];
  if (newKey === undefined)
    return ['Platform API key:      shown at the first start. If you lost it, set PLATFORM_API_KEY to a new key.'];
  return [
    '',
    'Platform API key, shown only once (only its hash is stored); keep it in a safe place:',
    '',
    `  ${newKey}`,
    '',
    'Try it:',
    '',
    `  curl -H "Authorization: Bearer ${newKey}" ${baseUrl}/v1/organizations`,
  ];
}

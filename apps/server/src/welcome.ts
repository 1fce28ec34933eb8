import type { AppConfig } from '#config';

/** What the operator sees when the service is ready; `newKey` is the platform key that this very start has made. */
export function welcome(config: AppConfig, baseUrl: string, newKey: string | undefined): string {
  if (config.role === 'worker') return `\nThe worker is ready. Health: ${baseUrl}/health/ready\n\n`;
  const lines = ['', `The service is ready:  ${baseUrl}`, `API documentation:     ${baseUrl}/docs`];
  if (config.smtpUrl === undefined) lines.push(`Mails, not sent out:   ${baseUrl}/dev/mailbox`);
  return `${[...lines, ...keyLines(config, baseUrl, newKey), ''].join('\n')}\n`;
}

function keyLines({ platformApiKey }: AppConfig, baseUrl: string, newKey: string | undefined): string[] {
  if (platformApiKey !== undefined) return ['Platform API key:      PLATFORM_API_KEY'];
  if (newKey === undefined)
    return ['Platform API key:      the one that the first start showed. If it is lost, set PLATFORM_API_KEY to another.'];
  return [
    '',
    'Platform API key, shown this once (only its hash is kept); store it in a safe place:',
    '',
    `  ${newKey}`,
    '',
    'Try it:',
    '',
    `  curl -H "Authorization: Bearer ${newKey}" ${baseUrl}/v1/organizations`,
  ];
}

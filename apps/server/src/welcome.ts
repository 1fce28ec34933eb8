import type { Role } from '#config';

/** What the operator sees when the service is ready; `newKey` is the platform key that this very start has made. */
export function welcome(baseUrl: string, role: Role, newKey: string | undefined): string {
  if (role === 'worker') return `\nThe worker is ready. Health: ${baseUrl}/health/ready\n\n`;
  const lines = ['', `The service is ready:  ${baseUrl}`, `API documentation:     ${baseUrl}/docs`, ''];
  if (newKey !== undefined) {
    lines.push(
      'Platform API key, shown this once (only its hash is kept); store it in a safe place:',
      '',
      `  ${newKey}`,
      '',
      'Try it:',
      '',
      `  curl -H "Authorization: Bearer ${newKey}" ${baseUrl}/v1/organizations`,
      '',
    );
  }
  return `${lines.join('\n')}\n`;
}

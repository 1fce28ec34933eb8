import type { AppConfig } from '#platform/config';

/**
 * The cookie that lets only the browser that started an interaction answer it, so that nobody can send a consent page of their own request
 * to another person. Each interaction has its own cookie, because a browser can have several at once. `lax`, because the request comes from
 * the pages of the application.
 */
export function interactionCookie({ baseUrl, serviceName }: Pick<AppConfig, 'baseUrl' | 'serviceName'>, id: string) {
  const secure = baseUrl.startsWith('https:');
  return {
    name: `${secure ? '__Host-' : ''}${serviceName}-oauth-${id}`,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
  } as const;
}

import { api, unwrap } from '../../../api/client';

/** Denies the request of an application. Works before the sign-in, too. */
export const denyRequest = (id: string) => unwrap(api.POST('/v1/oauth/interactions/{id}/denial', { params: { path: { id } } }));

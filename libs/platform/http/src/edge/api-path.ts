import type { Request } from 'express';

/** Matches the paths of the API and of SCIM. Routes are case-insensitive. */
const API_PATH = /^\/(?:v1|scim\/v2)(?:\/|$)/i;

/** Returns whether a request is addressed to the API, and not to a page, a document or a probe. */
export const isApiPath = (request: Request): boolean => API_PATH.test(request.path);

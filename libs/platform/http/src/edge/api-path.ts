import type { Request } from 'express';

/** Matches API paths. Routes are case-insensitive. */
const API_PATH = /^\/v1(?:\/|$)/i;

/** Returns whether a request is addressed to the API, and not to a page, a document or a probe. */
export const isApiPath = (request: Request): boolean => API_PATH.test(request.path);

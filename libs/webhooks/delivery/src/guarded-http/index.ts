export { GuardedHttpClient, type GuardedHttpClientOptions, type PostRequest } from './guarded-http-client.js';
export { type HttpErrorKind, type HttpFailure, type HttpOutcome, type HttpResponse } from './http-outcome.js';

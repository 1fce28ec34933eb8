/** Returns the context in which the header `Authorization` of a stream is encrypted. */
export const authorizationContext = (streamId: string): string => `ssf_streams|authorization|${streamId}`;

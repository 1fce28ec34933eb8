/** Events about the status of a stream. They are sent while the stream is paused or disabled, because they say so. */
export const STREAM_EVENT_TYPES: readonly string[] = ['ssf_stream.updated'];

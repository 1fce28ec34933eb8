export type { EventFormat, SentEvent } from './format.js';
export { EVENT_FORMATS, findFormat, FORMAT_NAMES, type FormatName, SERVICE_FORMAT } from './formats.js';

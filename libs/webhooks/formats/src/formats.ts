import { cloudEvents } from './cloud-events.js';
import { datadog } from './datadog.js';
import { elastic } from './elastic.js';
import type { EventFormat } from './format.js';
import { ocsf } from './ocsf.js';
import { securityEventToken } from './security-event-token.js';
import { splunkHec } from './splunk-hec.js';

/** The formats beside `service`. A new format is a file and a line here. */
const FORMATS = [cloudEvents, securityEventToken, splunkHec, datadog, elastic, ocsf] as const;

export const EVENT_FORMATS: readonly EventFormat[] = FORMATS;

/** The format of the service: the stored text of the event. */
export const SERVICE_FORMAT = 'service';

/** The name of a format. */
export type FormatName = typeof SERVICE_FORMAT | (typeof FORMATS)[number]['name'];

/** The names of all formats. */
export const FORMAT_NAMES: readonly FormatName[] = [SERVICE_FORMAT, ...FORMATS.map(({ name }) => name)];

const byName = new Map<string, EventFormat>(FORMATS.map((format) => [format.name, format]));

/** Returns a format, or undefined for `service` and for a format that only a later release has. */
export const findFormat = (name: string): EventFormat | undefined => byName.get(name);

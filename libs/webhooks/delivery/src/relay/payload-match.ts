import { Logger } from '@nestjs/common';
import { meetsFilter, type PayloadFilter } from '#webhooks/webhooks';

const logger = new Logger('PayloadFilter');

/** Returns whether the data of an event matches the filter of a webhook. An unusable filter matches all events, so that no event is lost. */
export function payloadMatches(filter: PayloadFilter, payload: string): boolean {
  try {
    return meetsFilter(filter, (JSON.parse(payload) as { data: unknown }).data);
  } catch (error) {
    logger.error({ err: error }, 'A payload filter could not be evaluated; the event is sent.');
    return true;
  }
}

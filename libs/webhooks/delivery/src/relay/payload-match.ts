import { Logger } from '@nestjs/common';
import { meetsFilter, type PayloadFilter } from '#webhooks/webhooks';

const logger = new Logger('PayloadFilter');

/** Whether an event's data meets a webhook's filter. A filter that can't be used lets everything pass: nothing is lost by it. */
export function payloadMeets(filter: PayloadFilter, payload: string): boolean {
  try {
    return meetsFilter(filter, (JSON.parse(payload) as { data: unknown }).data);
  } catch (error) {
    logger.error({ err: error }, 'A payload filter could not be evaluated; the event is sent.');
    return true;
  }
}

import { DomainError } from '#platform/common';

/** The history does not reach back to a moment. */
export class HistoryUnavailable extends DomainError {
  readonly code = 'history_unavailable';
  readonly kind = 'gone';
  constructor(override readonly earliest: Date) {
    super(`The history begins at ${earliest.toISOString()}. Choose this moment or a later one.`);
  }
}

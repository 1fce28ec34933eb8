import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type { LogLevel } from '#platform/config';
import { type Outage, outageOf } from '#platform/database';
import { OutageLog } from './outage-log.js';
import { isError, redactFields, redactText } from './redaction.js';

/** Fields of a log line, in addition to time, level and message. All lines of a request have the same `requestId`. */
export interface LogFields {
  requestId?: string;
  err?: unknown;
  [field: string]: unknown;
}

/**
 * Logs JSON lines without credentials. Also Nest's logger: objects with more fields and an error can come after the message, in any order.
 * A text as the last parameter is the source of the message. Lines with an error that PostgreSQL is not available become one line for the
 * whole outage.
 *
 * `logger.log('Webhook disabled', { requestId, webhookId }, 'DeliveryAttempt')`
 */
export class AppLogger implements LoggerService {
  constructor(
    private readonly lines: Logger,
    readonly outages = new OutageLog(),
  ) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Returns a logger that adds these fields to each line. */
  with(fields: LogFields): AppLogger {
    return new AppLogger(this.lines.child(redactFields(fields)), this.outages);
  }

  private write(level: Exclude<LogLevel, 'silent'>, message: unknown, rest: unknown[]): void {
    // Outages are recorded at any level.
    const canBeOutage = level === 'warn' || level === 'error';
    if (!canBeOutage && !this.lines.isLevelEnabled(level)) return;
    const fields: LogFields = {};
    const texts: string[] = [];
    for (const part of [message, ...rest]) {
      if (isError(part)) fields.err = part;
      else if (typeof part === 'object' && part !== null) Object.assign(fields, part);
      else if (isStack(part)) fields.stack = part;
      else if (part !== undefined) texts.push(String(part));
    }
    const [text = messageOf(fields.err), context] = texts.length > 1 ? [texts.slice(0, -1).join(' '), texts.at(-1)] : texts;
    if (context !== undefined) fields.context = context;
    const outage = canBeOutage ? outageOf(fields.err) : undefined;
    if (outage === undefined) this.lines[level](fields, text);
    else this.writeOutage(outage, fields, text);
  }

  private writeOutage(outage: Outage, fields: LogFields, text: string | undefined): void {
    const line = this.outages.record(outage);
    if (line) this.lines.error({ ...fields, failed: text, omittedLines: line.omittedLines }, line.message);
  }
}

/**
 * Creates the logger of a process.
 *
 * @param level the lowest level that is logged
 * @param destination default: standard output
 */
export function createLogger(level: LogLevel, destination?: DestinationStream): AppLogger {
  const options = {
    level,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: redactFields },
    hooks: { streamWrite: redactText },
    // `redactFields` has already converted errors to plain objects.
    serializers: { err: (err: unknown) => err },
  };
  return new AppLogger(destination ? pino(options, destination) : pino(options));
}

/** Returns whether a parameter is the stack of an error, which Nest passes as text. */
function isStack(part: unknown): boolean {
  return typeof part === 'string' && /\n[^\S\n]+at /.test(part);
}

function messageOf(error: unknown): string {
  return isError(error) ? error.message : '';
}

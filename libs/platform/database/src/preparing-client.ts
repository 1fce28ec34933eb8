import { Client } from 'pg';
import { repeatedStatementName, statementOf } from './statement-names.js';

/**
 * A connection that prepares repeated statements whose text and values are separate parameters, as TypeORM sends them. For `Client` in the
 * options of a pool.
 */
export class PreparingClient extends Client {}

PreparingClient.prototype.query = function query(this: Client, ...parameters: unknown[]) {
  const [text, values, ...others] = parameters;
  const name = typeof text === 'string' && Array.isArray(values) ? repeatedStatementName(text, values) : undefined;
  const statement = name === undefined ? parameters : [statementOf(text as string, values as unknown[], name), ...others];
  return (Client.prototype.query as (...all: unknown[]) => unknown).apply(this, statement);
} as typeof Client.prototype.query;

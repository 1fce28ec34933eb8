import pg from 'pg';
import { DataSource } from 'typeorm';
import { IGNORE_LOST_CONNECTIONS } from './lost-connections.js';

/** Connects to the database without Nest's modules, for command-line tools. The caller must destroy the data source. */
export async function openDataSource(url: string, applicationName: string): Promise<DataSource> {
  const extra = { connectionTimeoutMillis: 10_000, ...IGNORE_LOST_CONNECTIONS };
  return new DataSource({ type: 'postgres', driver: pg, url, applicationName, poolSize: 1, extra }).initialize();
}

import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** The connections that a data source shares among all who ask; it is there once the data source is connected. */
export const poolOf = ({ driver }: DataSource): Pool => (driver as PostgresDriver).master as Pool;

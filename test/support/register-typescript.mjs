import 'reflect-metadata';
import { register } from 'node:module';

// For a process that runs our TypeScript sources, like the tests: node --import ./test/support/register-typescript.mjs file.ts
register('./typescript-loader.mjs', import.meta.url);

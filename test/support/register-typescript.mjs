import { register } from 'node:module';

// For a process of its own that runs our sources: node --import ./test/support/register-typescript.mjs file.ts
register('./typescript-loader.mjs', import.meta.url);

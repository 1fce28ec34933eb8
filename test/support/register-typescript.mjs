import 'reflect-metadata';
import { register } from 'node:module';

// Makes Node.js run the TypeScript sources: node --import ./test/support/register-typescript.mjs file.ts
register('./typescript-loader.mjs', import.meta.url);

import 'reflect-metadata';
import { register } from 'node:module';

// Lets Node.js run our TypeScript sources: node --import ./test/support/register-typescript.mjs file.ts
register('./typescript-loader.mjs', import.meta.url);

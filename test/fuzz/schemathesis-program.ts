import { join } from 'node:path';
import { pythonPrograms } from '../support/python-programs.js';

/** Returns the path of Schemathesis. */
export const schemathesisProgram = async (): Promise<string> =>
  join(await pythonPrograms('schemathesis', join(import.meta.dirname, 'requirements.txt')), 'schemathesis');

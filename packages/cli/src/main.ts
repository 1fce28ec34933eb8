import { VERSION } from '@identity-service/client';
import { CommanderError } from 'commander';
import { EXIT, failureOf } from './failures.js';
import { note } from './output.js';
import { makeProgram } from './program.js';

// The program that reads a pipe can close the pipe at any time, for example head.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await makeProgram(VERSION).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed the error or the requested help.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage;
  } else {
    const { lines, exitCode } = failureOf(error);
    for (const line of lines) note(line);
    process.exitCode = exitCode;
  }
}

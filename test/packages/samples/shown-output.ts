import { SAMPLES } from './blocks.js';
import { isAmong } from './shown.js';

/** Returns the lines that a page shows as the output of a command, and that the command did not print. Only for blocks with `checked-by`. */
export function missingInOutput(page: string, command: string, output: string): string[] {
  const samples = SAMPLES.get(page)!;
  const at = samples.findIndex(({ code, checkedBy }) => checkedBy !== undefined && code.includes(command));
  const shown = samples[at + 1];
  if (at < 0 || shown?.language !== 'text') throw new Error(`${page} shows no output of "${command}".`);
  const printed = output.split('\n');
  return shown.code
    .trim()
    .split('\n')
    .filter((line) => !isAmong(line, printed));
}

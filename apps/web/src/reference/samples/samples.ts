import type { ApiDocument, ApiOperation } from '../document';
import { callOf, isInPackages } from './call';
import { curl } from './curl';
import { go } from './go';
import { python } from './python';
import { typescript } from './typescript';

export interface Sample {
  readonly language: string;
  readonly code: string;
}

/** Returns how to call an operation with curl and with the packages. */
export function samplesOf(document: ApiDocument, operation: ApiOperation): Sample[] {
  const call = callOf(document, operation);
  const ofPackages = [
    { language: 'TypeScript', code: typescript(call) },
    { language: 'Python', code: python(call) },
    { language: 'Go', code: go(call) },
  ];
  return [{ language: 'curl', code: curl(call) }, ...(isInPackages(operation) ? ofPackages : [])];
}

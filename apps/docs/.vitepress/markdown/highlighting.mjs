import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformerStyleToClass } from '@shikijs/transformers';

/** Colours of code by classes: the server's policy lets no `style` attribute through. */
export function highlightWithoutStyles() {
  const transformer = transformerStyleToClass({ classPrefix: 'code-' });
  // Known when all pages are rendered.
  const fileName = () => `assets/code.${createHash('sha256').update(transformer.getCSS()).digest('hex').slice(0, 8)}.css`;
  return {
    transformer,
    fileName,
    write: (outDir) => writeFileSync(join(outDir, fileName()), transformer.getCSS()),
  };
}

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformerStyleToClass } from '@shikijs/transformers';

/** Highlights code with classes, because the content security policy blocks `style` attributes. */
export function highlightWithoutStyles() {
  const transformer = transformerStyleToClass({ classPrefix: 'code-' });
  // The hash in the name is known only after all pages are rendered.
  const fileName = () => `assets/code.${createHash('sha256').update(transformer.getCSS()).digest('hex').slice(0, 8)}.css`;
  return {
    transformer,
    fileName,
    write: (outDir) => writeFileSync(join(outDir, fileName()), transformer.getCSS()),
  };
}

import { escapeHtml } from '#platform/common';

const inline = (text: string): string =>
  escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');

/** Converts Markdown to HTML: headings, paragraphs, lists, fenced code, `code` and **strong**. Escapes all other text. */
export function htmlOf(markdown: string): string {
  const blocks = markdown.replaceAll('\r\n', '\n').split(/(^```[^\n]*\n[\s\S]*?^```$)/m);
  return blocks
    .map((block) =>
      block.startsWith('```')
        ? codeBlock(block)
        : block
            .split(/\n{2,}/)
            .map(textBlock)
            .join(''),
    )
    .join('');
}

const codeBlock = (block: string): string =>
  `<pre tabindex="0"><code>${escapeHtml(block.split('\n').slice(1, -1).join('\n'))}</code></pre>\n`;

function textBlock(block: string): string {
  const text = block.trim();
  if (text === '') return '';
  const heading = /^(#{1,3}) ([^\n]+)(?:\n([\s\S]*))?$/.exec(text);
  if (heading) return `<h${heading[1]!.length}>${inline(heading[2]!)}</h${heading[1]!.length}>\n${textBlock(heading[3] ?? '')}`;
  if (text.startsWith('- ')) {
    const items = text.split(/\n(?=- )/).map((item) => `<li>${inline(item.slice(2).replaceAll(/\n\s*/g, ' '))}</li>`);
    return `<ul>${items.join('')}</ul>\n`;
  }
  return `<p>${inline(text.replaceAll('\n', ' '))}</p>\n`;
}

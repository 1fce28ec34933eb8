import { describe, expect, it } from '@jest/globals';
import { htmlOf } from './markdown.js';

describe('htmlOf', () => {
  it.each([
    ['# Title', '<h1>Title</h1>\n'],
    ['## Title\ntext', '<h2>Title</h2>\n<p>text</p>\n'],
    ['one\ntwo\n\nthree', '<p>one two</p>\n<p>three</p>\n'],
    ['- one `1`\n- **two**\n  more', '<ul><li>one <code>1</code></li><li><strong>two</strong> more</li></ul>\n'],
    [
      '```sh\ncurl "a" <b>\n\n# no title\n```',
      '<pre tabindex="0"><code>curl &quot;a&quot; &lt;b&gt;\n\n# no title</code></pre>\n',
    ],
    ['<script>`<b>`</script>', '<p>&lt;script&gt;<code>&lt;b&gt;</code>&lt;/script&gt;</p>\n'],
  ])('renders %j', (markdown, html) => {
    expect(htmlOf(markdown)).toBe(html);
  });
});

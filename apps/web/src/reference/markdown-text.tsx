import { Code, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shows the Markdown of the OpenAPI document: paragraphs, lists, `code` and **strong**. */
export function MarkdownText({ text }: { text: string }) {
  return (
    <Stack gap="sm">
      {text.split(/\n{2,}/).map((block) => {
        if (!block.startsWith('- ')) return <Text key={block}>{inline(block)}</Text>;
        return (
          <List key={block} spacing={4}>
            {block.split(/\n(?=- )/).map((item) => (
              <List.Item key={item}>{inline(item.slice(2))}</List.Item>
            ))}
          </List>
        );
      })}
    </Stack>
  );
}

const inline = (text: string): ReactNode[] =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    const key = `${index} ${part}`;
    if (part.startsWith('`') && part.length > 2) return <Code key={key}>{part.slice(1, -1)}</Code>;
    if (part.startsWith('**') && part.length > 4) return <strong key={key}>{part.slice(2, -2)}</strong>;
    return part;
  });

/** The same in a line, without blocks. */
export const InlineMarkdown = ({ text }: { text: string }) => <>{inline(text)}</>;

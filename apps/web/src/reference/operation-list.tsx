import { NavLink, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { SearchIcon } from '@primer/octicons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { matchesSearch } from '../app/search';
import { t } from '../texts';
import { type ApiDocument, type ApiOperation, operationsOf } from './document';
import classes from './reference.module.css';

/** The operations by area, and a search over them. */
export function OperationList({ document, onNavigate }: { document: ApiDocument; onNavigate: () => void }) {
  const [search, setSearch] = useState('');
  const { operation: currentId } = useParams({ strict: false });
  const operations = operationsOf(document);
  const isSearching = search.trim() !== '';
  const found = operations.filter(
    ({ summary, path, operationId, tags }) => !isSearching || matchesSearch([summary, path, operationId, ...tags], search),
  );
  const areas = document.tags.flatMap(({ name }) => {
    const ofArea = found.filter(({ tags }) => tags[0] === name);
    return ofArea.length > 0 ? [{ name, operations: ofArea }] : [];
  });
  const links = (ofArea: readonly ApiOperation[]) =>
    ofArea.map((operation) => (
      <OperationLink
        key={operation.operationId}
        {...operation}
        isCurrent={operation.operationId === currentId}
        onNavigate={onNavigate}
      />
    ));
  return (
    <>
      <TextInput
        type="search"
        label={t('reference.search')}
        placeholder={t('reference.searchHint')}
        leftSection={<SearchIcon size={16} />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        mb="sm"
      />
      <Text role="status" size="xs" c="dimmed" mb="xs">
        {isSearching ? t('reference.found', { count: found.length }) : ''}
      </Text>
      <ScrollArea flex={1} viewportProps={{ tabIndex: 0, 'aria-label': t('reference.operations'), role: 'region' }}>
        {areas.map(({ name, operations: ofArea }) =>
          isSearching ? (
            <Stack key={name} gap={0} mb="sm">
              <Text size="sm" fw={650}>
                {name}
              </Text>
              {links(ofArea)}
            </Stack>
          ) : (
            <NavLink
              key={`${name} ${ofArea.some(({ operationId }) => operationId === currentId)}`}
              component="button"
              label={name}
              childrenOffset={8}
              defaultOpened={ofArea.some(({ operationId }) => operationId === currentId)}
            >
              {links(ofArea)}
            </NavLink>
          ),
        )}
      </ScrollArea>
    </>
  );
}

interface LinkProps extends ApiOperation {
  readonly isCurrent: boolean;
  readonly onNavigate: () => void;
}

function OperationLink({ operationId, summary, method, isCurrent, onNavigate }: LinkProps) {
  return (
    <NavLink
      component={Link}
      to={`/docs/operations/${operationId}`}
      label={summary}
      leftSection={<span className={classes['method']}>{method}</span>}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      variant="light"
      onClick={onNavigate}
      py={4}
    />
  );
}

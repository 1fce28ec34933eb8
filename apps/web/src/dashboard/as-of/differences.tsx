import { Alert, Skeleton, Stack, Table, Title } from '@mantine/core';
import { t } from '../../texts';
import { ScrollTable } from '../../ui/scroll-table';
import { formatAsOf } from './format-moment';
import { PresentError } from './present-error';

/** A value as of the past moment and now. An empty text is an absent value. */
export interface ComparedValue {
  readonly label: string;
  readonly past: string;
  readonly present: string;
}

interface Props {
  readonly asOf: string;
  /** Undefined while the present values load. */
  readonly values: readonly ComparedValue[] | undefined;
  /** The error of the request for the present values. */
  readonly error: unknown;
}

/** Lists the values that changed since a past moment. */
export function Differences({ asOf, values, error }: Props) {
  return (
    <Stack gap="sm" mb="lg" maw={1100}>
      <Title order={2}>{t('asOf.differences')}</Title>
      <DifferencesContent asOf={asOf} values={values} error={error} />
    </Stack>
  );
}

function DifferencesContent({ asOf, values, error }: Props) {
  if (error) return <PresentError error={error} />;
  if (!values) return <Skeleton h={120} />;
  const changed = values.filter(({ past, present }) => past !== present);
  if (changed.length === 0) return <Alert color="gray">{t('asOf.noDifferences')}</Alert>;
  return (
    <ScrollTable label={t('asOf.differences')} layout="fixed" horizontalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="32%">{t('asOf.field')}</Table.Th>
          <Table.Th>{formatAsOf(asOf)}</Table.Th>
          <Table.Th>{t('asOf.now')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changed.map(({ label, past, present }) => (
          <Table.Tr key={label}>
            <Table.Th scope="row" fw={500} className="breakable" style={{ hyphens: 'auto' }}>
              {label}
            </Table.Th>
            {[past, present].map((value, index) => (
              <Table.Td key={index} className="breakable" style={{ whiteSpace: 'pre-wrap' }}>
                {value === '' ? t('common.none') : value}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

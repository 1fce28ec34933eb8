import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** A two-column table of names and values, without empty values. */
export function DetailsTable({
  label,
  details,
}: {
  label: string;
  details: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <Table variant="vertical" layout="fixed" aria-label={label}>
      <Table.Tbody>
        {details.map(([name, value]) =>
          value === undefined || value === null || value === '' ? null : (
            <Table.Tr key={name}>
              <Table.Th w={{ base: 130, sm: 200 }} scope="row">
                {name}
              </Table.Th>
              <Table.Td className="breakable">{value}</Table.Td>
            </Table.Tr>
          ),
        )}
      </Table.Tbody>
    </Table>
  );
}

import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ArrowRightIcon, CircleSlashIcon, KebabHorizontalIcon, PencilIcon, PlayIcon, TrashIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Schema } from '../../../api/client';
import { sessionQuery } from '../../../app/session';
import { t } from '../../../texts';
import { useHasPermission } from '../../permissions';
import { DeleteOrganization } from './delete-organization';
import { EditOrganization } from './edit-organization';
import { SuspendOrganization } from './suspend-organization';
import { useActivation } from './use-activation';

/** The actions on an organization that the caller is allowed to perform. */
export function OrganizationActions({ organization }: { organization: Schema<'OrganizationResponse'> }) {
  const { id, parentId, status } = organization;
  const { data: session } = useQuery(sessionQuery);
  const canWrite = useHasPermission('organizations:write');
  const canDelete = useHasPermission('organizations:delete');
  const canActivate = canWrite && (status === 'suspended' || (status === 'pending' && session?.kind === 'operator'));
  const [isEditing, editing] = useDisclosure(false);
  const [isSuspending, suspending] = useDisclosure(false);
  const [isDeleting, deleting] = useDisclosure(false);
  const activate = useActivation(organization);
  return (
    <>
      {canActivate && (
        <Button onClick={activate} leftSection={<PlayIcon size={16} />}>
          {t('common.activate')}
        </Button>
      )}
      {canWrite && status === 'active' && (
        <Button variant="default" onClick={editing.open} leftSection={<PencilIcon size={16} />}>
          {t('common.edit')}
        </Button>
      )}
      {(canWrite || canDelete) && (
        <Menu position="bottom-end" width={220}>
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label={t('organization.menu')}>
              <KebabHorizontalIcon size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {canWrite && parentId !== null && (
              <Menu.Item component={Link} to={`/dashboard/organizations/${id}/move`} leftSection={<ArrowRightIcon size={16} />}>
                {t('organization.move.action')}
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<CircleSlashIcon size={16} />}
              disabled={!canWrite || status === 'pending'}
              onClick={suspending.open}
            >
              {t('common.suspend')}
            </Menu.Item>
            <Menu.Item color="red" leftSection={<TrashIcon size={16} />} disabled={!canDelete} onClick={deleting.open}>
              {t('common.delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <EditOrganization organization={organization} isOpen={isEditing} onClose={editing.close} />
      <SuspendOrganization organization={organization} isOpen={isSuspending} onClose={suspending.close} />
      <DeleteOrganization organization={organization} isOpen={isDeleting} onClose={deleting.close} />
    </>
  );
}

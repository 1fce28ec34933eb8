import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, unwrap } from '../../api/client';
import { formErrors } from '../../api/form-errors';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { useApiMutation } from '../../ui/use-api-mutation';
import { validateMetadata } from './metadata';
import { profileChanges, profileValuesOf, type ProfileValues } from './profile-values';
import { membersKey, type User, userKey, userQuery, usersKey } from './user-queries';
import { useUnsavedChanges } from '../../ui/unsaved-changes';

interface Version {
  readonly user: User;
  readonly etag: string;
}

/**
 * The profile form, with the values of one version of the user. A newer version replaces the values of an unchanged form. For a
 * form with changes, `isOutdated` is true until the user decides which version to keep.
 */
export function useProfileForm(org: string, current: Version) {
  const client = useQueryClient();
  const [base, setBase] = useState(current);
  const form = useForm<ProfileValues>({
    initialValues: profileValuesOf(current.user),
    validate: {
      email: (email) => (email.trim() === '' ? t('users.fields.emailRequired') : null),
      metadata: validateMetadata,
    },
  });
  const rebase = (version: Version) => {
    setBase(version);
    const values = profileValuesOf(version.user);
    form.setInitialValues(values);
    form.setValues(values);
    form.clearErrors();
  };
  const isDirty = form.isDirty();
  useUnsavedChanges(isDirty);
  useEffect(() => {
    if (!isDirty && current.etag !== base.etag) rebase(current);
  }, [current.etag]);

  const key = userKey(org, base.user.id);
  const save = useApiMutation({
    mutationFn: ({ values, ifMatch }: { values: ProfileValues; ifMatch: string }) =>
      unwrap(
        api.PATCH('/v1/organizations/{org}/users/{id}', {
          params: { path: { org, id: base.user.id }, header: { 'If-Match': ifMatch } },
          body: profileChanges(base.user, values),
        }),
      ),
    invalidates: [key, usersKey(org), membersKey(org)],
    successMessage: t('common.saved'),
    onSuccess: () => rebase(client.getQueryData(userQuery(org, base.user.id).queryKey) ?? current),
  });
  const submit = (ifMatch: string) =>
    form.onSubmit((values) =>
      save.mutate(
        { values, ifMatch },
        {
          onError: (error) => {
            if (isOutdatedError(error)) void client.invalidateQueries({ queryKey: key });
            else form.setErrors(formErrors(error, Object.keys(form.values)).fields);
          },
        },
      ),
    )();
  return {
    form,
    base,
    isDirty,
    isOutdated: isDirty && current.etag !== base.etag,
    isSaving: save.isPending,
    /** The error without the messages that the fields show. */
    error: isOutdatedError(save.error) ? undefined : formErrors(save.error, Object.keys(form.values)).rest,
    save: () => submit(base.etag),
    overwrite: () => submit(current.etag),
    discard: () => rebase(current),
  };
}

const isOutdatedError = (error: unknown): boolean => error instanceof ApiProblem && error.status === 412;

import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { deliveryQuery, sentBody, signatureHeaderQuery, useWebhookKey, webhookQuery } from '../webhook-queries';
import { CodeSamples } from './code-samples';
import { SecretCard } from './secret-card';
import { VerifyCard } from './verify-card';

const route = getRouteApi('/dashboard/organizations/$org/webhooks/$webhookId/signing');

export function SigningTab() {
  const key = useWebhookKey();
  const { deliveryId, attempt: number } = route.useSearch();
  const { data: webhook } = useQuery(webhookQuery(key));
  const { data: headerName = 'service-signature' } = useQuery(signatureHeaderQuery(key.org));
  const delivery = useQuery({
    ...deliveryQuery(key, deliveryId ?? ''),
    enabled: deliveryId !== undefined,
    refetchInterval: false,
  });
  if (!webhook || (deliveryId !== undefined && delivery.isPending)) return <Skeleton h={320} />;
  const attempt = delivery.data?.attempts.find((each) => each.number === number) ?? delivery.data?.attempts.at(-1);
  const payload = delivery.data?.payload;
  const body = payload && attempt?.request ? sentBody(attempt.request, payload) : null;
  return (
    <Stack maw={960} gap="lg">
      <SecretCard webhook={webhook} />
      <VerifyCard
        key={attempt?.id}
        maskedSecret={webhook.secret}
        {...(attempt?.request && payload && body !== null
          ? {
              sent: {
                attempt: attempt.number,
                headers: attempt.request.headers,
                body,
                isOriginal: payload.state === 'original',
              },
            }
          : {})}
      />
      <CodeSamples headerName={headerName} />
    </Stack>
  );
}

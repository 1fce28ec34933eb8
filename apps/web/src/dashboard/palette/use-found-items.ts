import {
  AppsIcon,
  FlowchartIcon,
  type Icon,
  KeyIcon,
  OrganizationIcon,
  PersonIcon,
  SearchIcon,
  ShieldLockIcon,
  WebhookIcon,
} from '@primer/octicons-react';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api, type Schema, unwrap } from '../../api/client';
import { type TextId, t } from '../../texts';
import { matchingItems, type PaletteItem } from './palette-items';

type Result = Schema<'SearchResultResponse'>;
type ResultType = Result['type'];

const DEBOUNCE_MS = 150;

interface Shown {
  readonly section: TextId;
  readonly icon: Icon;
  /** The path of a result, relative to the URL of its organization. */
  readonly pathOf: (id: string) => string;
  /** The path of the list with a search, relative to the URL of the current organization. */
  readonly listPath?: string;
}

const SHOWN: Readonly<Record<ResultType, Shown>> = {
  user: { section: 'palette.types.user', icon: PersonIcon, pathOf: (id) => `/users/${id}`, listPath: '/users' },
  organization: { section: 'palette.types.organization', icon: FlowchartIcon, pathOf: () => '' },
  group: { section: 'palette.types.group', icon: OrganizationIcon, pathOf: (id) => `/groups/${id}`, listPath: '/groups' },
  role: { section: 'palette.types.role', icon: ShieldLockIcon, pathOf: (id) => `/roles/${id}` },
  api_key: { section: 'palette.types.api_key', icon: KeyIcon, pathOf: (id) => `/api-keys?key=${id}` },
  webhook: { section: 'palette.types.webhook', icon: WebhookIcon, pathOf: (id) => `/webhooks/${id}` },
  oauth_client: { section: 'palette.types.oauth_client', icon: AppsIcon, pathOf: (id) => `/applications/${id}` },
};

/** Searches people and resources in all organizations of the user. Until new results arrive, the previous ones stay that still match. */
export function useFoundItems(typed: string): { items: PaletteItem[]; isSearching: boolean; error: Error | null } {
  const text = typed.trim();
  const [searched] = useDebouncedValue(text, DEBOUNCE_MS);
  const { org } = useParams({ strict: false });
  const navigate = useNavigate();
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['search', searched],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/search', { params: { query: { q: searched } }, signal }))).data,
    enabled: searched !== '',
    placeholderData: keepPreviousData,
  });
  const isSearching = text !== searched || isFetching;
  if (text === '' || !data) return { items: [], isSearching: text !== '' && isSearching, error };
  const go = (to: string) => void navigate({ to });
  const found = data.results.map((result) => itemOf(result, go));
  const items = isSearching || isPlaceholderData ? matchingItems(found, text) : found;
  return {
    items: [...items, ...(org === undefined || isSearching ? [] : moreItems(data.more, org, text, go))],
    isSearching,
    error,
  };
}

function itemOf({ type, id, name, detail, status, organizationId, path }: Result, go: (to: string) => void): PaletteItem {
  const { section, icon, pathOf } = SHOWN[type];
  // The organization of a result is its path. An organization is its own last one.
  const place = (type === 'organization' ? path.slice(0, -1) : path).map((each) => each.name).join(' / ');
  const state =
    status === null || status === 'active' || status === 'enabled' ? '' : t(`palette.statuses.${status as 'pending'}`);
  return {
    key: id,
    section: t(section),
    label: name,
    detail: [detail === name ? '' : detail, place, state].filter(Boolean).join(' · '),
    icon,
    keywords: [id],
    run: () => go(`/dashboard/organizations/${organizationId}${pathOf(id)}`),
  };
}

/** Returns links to the lists of the current organization for the types with more results. */
const moreItems = (more: readonly ResultType[], org: string, text: string, go: (to: string) => void): PaletteItem[] =>
  more.flatMap((type) => {
    const { section, listPath } = SHOWN[type];
    if (listPath === undefined) return [];
    const run = () => go(`/dashboard/organizations/${org}${listPath}?search=${encodeURIComponent(text)}`);
    return [
      { key: `more ${type}`, section: t(section), label: t(`palette.more.${type as 'user'}`, { text }), icon: SearchIcon, run },
    ];
  });

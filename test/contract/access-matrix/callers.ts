import { SERVICE_PERMISSIONS } from '#common';
import type { Place, World } from './world.js';

/** One column of the matrix. */
export interface MatrixCaller {
  readonly name: string;
  /** Whether the credential is valid at all. */
  readonly known: boolean;
  readonly platform?: true;
  /** Whether it is a signed-in user. */
  readonly session?: true;
  /** Whether the addressed organization lies in what the caller reaches. */
  readonly reaches: boolean;
  readonly holdsPermission: boolean;
  /** The bearer token for a request that addresses `place.own` and needs `permission`; undefined: none is sent. */
  credential(world: World, place: Place, permission: string): Promise<string | undefined>;
}

const allBut = (permission: string): string[] => SERVICE_PERMISSIONS.filter((known) => known !== permission);

/** Permissions of resources that the operation is not about. */
const unrelatedTo = (permission: string): string[] =>
  SERVICE_PERMISSIONS.filter((known) => known.split(':')[0] !== permission.split(':')[0]);

/** Everybody whom the matrix asks about. A further caller is one more entry. */
export const CALLERS: readonly MatrixCaller[] = [
  {
    name: 'nobody',
    known: false,
    reaches: false,
    holdsPermission: false,
    credential: async () => undefined,
  },
  {
    name: 'malformed key',
    known: false,
    reaches: false,
    holdsPermission: false,
    credential: async () => 'service_sk_malformed',
  },
  {
    name: 'revoked key',
    known: false,
    reaches: true,
    holdsPermission: true,
    credential: async (world) => world.revokedKey,
  },
  {
    name: 'platform key',
    known: true,
    platform: true,
    reaches: true,
    holdsPermission: true,
    credential: async (world) => world.app.platformKey,
  },
  {
    name: 'own key with the permission alone',
    known: true,
    reaches: true,
    holdsPermission: true,
    credential: (world, place, permission) => world.key(place.own, [permission]),
  },
  {
    name: 'own key with all but the permission',
    known: true,
    reaches: true,
    holdsPermission: false,
    credential: (world, place, permission) => world.key(place.own, allBut(permission)),
  },
  {
    name: 'own key for other resources',
    known: true,
    reaches: true,
    holdsPermission: false,
    credential: (world, place, permission) => world.key(place.own, unrelatedTo(permission)),
  },
  {
    name: 'key of an organization above, with the permission',
    known: true,
    reaches: true,
    holdsPermission: true,
    credential: (world, _place, permission) => world.key(world.top, [permission]),
  },
  {
    name: 'key of an organization below, with all permissions',
    known: true,
    reaches: false,
    holdsPermission: true,
    credential: (world, place) => world.key(place.below, ['*']),
  },
  {
    name: 'key of another tree, with all permissions',
    known: true,
    reaches: false,
    holdsPermission: true,
    credential: (world) => world.key(world.stranger, ['*']),
  },
];

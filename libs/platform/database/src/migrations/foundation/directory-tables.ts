export const DIRECTORY_TABLES = `
CREATE TABLE organizations (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  parent_id text COLLATE "C",
  ancestor_ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
  name text NOT NULL,
  slug text COLLATE "C" NOT NULL,
  description text,
  type text NOT NULL DEFAULT 'standard',
  status text NOT NULL DEFAULT 'active',
  logo text,
  branding jsonb,
  metadata jsonb NOT NULL DEFAULT '{}',
  settings_overrides jsonb NOT NULL DEFAULT '{}',
  locked_settings text[] NOT NULL DEFAULT '{}',
  search_text text NOT NULL DEFAULT '',
  suspended_at timestamptz,
  suspended_reason text,
  suspended_by text COLLATE "C",
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  deleted_seq bigint,
  deletion_root_id text COLLATE "C",
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT organizations_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT organizations_parent_id_fkey FOREIGN KEY (tenant_id, parent_id) REFERENCES organizations (tenant_id, id),
  CONSTRAINT organizations_type_check CHECK (type IN ('standard', 'enterprise')),
  CONSTRAINT organizations_status_check CHECK (status IN ('active', 'suspended', 'pending')),
  CONSTRAINT organizations_root_check CHECK ((parent_id IS NULL) = (id = tenant_id))
);
CREATE INDEX organizations_id_idx ON organizations (id) WHERE deleted_at IS NULL;
CREATE INDEX organizations_parent_idx ON organizations (tenant_id, parent_id, id) WHERE deleted_at IS NULL;
CREATE INDEX organizations_ancestors_idx ON organizations USING gin (ancestor_ids);
CREATE INDEX organizations_search_idx ON organizations USING gin (search_text gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX organizations_deleted_idx ON organizations (deleted_at) WHERE deleted_at IS NOT NULL;

-- The unique names of an organization across all tenants: its ID and its slug. A slug can't have the format of an ID.
CREATE TABLE organization_handles (
  handle text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  CONSTRAINT organization_handles_pkey PRIMARY KEY (handle)
);

CREATE TABLE identity_providers (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  configuration jsonb NOT NULL DEFAULT '{}',
  client_secret_sealed text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT identity_providers_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT identity_providers_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id)
);
CREATE INDEX identity_providers_organization_idx ON identity_providers (tenant_id, organization_id);

CREATE TABLE users (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  email_verified boolean NOT NULL DEFAULT false,
  first_name text,
  last_name text,
  display_name text,
  picture text,
  phone_number text,
  phone_verified boolean NOT NULL DEFAULT false,
  external_id text COLLATE "C",
  status text NOT NULL DEFAULT 'pending',
  status_before_deletion text,
  mfa_enabled boolean NOT NULL DEFAULT false,
  mfa_methods text[] NOT NULL DEFAULT '{}',
  metadata jsonb NOT NULL DEFAULT '{}',
  suspended_at timestamptz,
  suspended_reason text,
  deleted_at timestamptz,
  last_login_at timestamptz,
  last_password_change_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT users_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT users_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id),
  CONSTRAINT users_status_check CHECK (status IN ('active', 'suspended', 'pending', 'deleted'))
);
CREATE UNIQUE INDEX users_email_key ON users (tenant_id, email_key) WHERE status <> 'deleted';
CREATE UNIQUE INDEX users_external_id_key ON users (tenant_id, external_id) WHERE external_id IS NOT NULL AND status <> 'deleted';
CREATE INDEX users_id_idx ON users (id);
CREATE INDEX users_organization_idx ON users (tenant_id, organization_id);
CREATE INDEX users_deleted_idx ON users (deleted_at) WHERE status = 'deleted';

CREATE TABLE user_identities (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  identity_provider_id text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  external_id text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT user_identities_pkey PRIMARY KEY (tenant_id, identity_provider_id, external_id),
  CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX user_identities_user_idx ON user_identities (tenant_id, user_id);

CREATE TABLE roles (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text,
  permissions text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT roles_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT roles_name_key UNIQUE (tenant_id, organization_id, name),
  CONSTRAINT roles_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id)
);

-- No foreign key to users, because the user of a guest is in another tenant. The purge of a user deletes the memberships.
CREATE TABLE memberships (
  tenant_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  user_tenant_id text COLLATE "C" NOT NULL,
  role_id text COLLATE "C" NOT NULL,
  announced boolean NOT NULL,
  joined_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT memberships_pkey PRIMARY KEY (tenant_id, organization_id, user_id),
  CONSTRAINT memberships_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id)
);
CREATE INDEX memberships_user_idx ON memberships (user_id);

-- All roles of a user in an organization: the role of the membership, and additional ones ("explicit").
CREATE TABLE role_assignments (
  tenant_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  role_id text COLLATE "C" NOT NULL,
  explicit boolean NOT NULL,
  user_status text NOT NULL,
  assigned_at timestamptz NOT NULL,
  CONSTRAINT role_assignments_pkey PRIMARY KEY (tenant_id, organization_id, user_id, role_id),
  CONSTRAINT role_assignments_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id)
);
CREATE INDEX role_assignments_role_idx ON role_assignments (tenant_id, organization_id, role_id, user_id) WHERE user_status <> 'deleted';
CREATE INDEX role_assignments_role_status_idx ON role_assignments (tenant_id, organization_id, role_id, user_status, user_id);
CREATE INDEX role_assignments_user_idx ON role_assignments (user_id);
CREATE INDEX role_assignments_holders_idx ON role_assignments (tenant_id, role_id);

-- One row for each organization and user that belongs to it. Lists, filters, totals and search read only this table.
CREATE TABLE directory_entries (
  tenant_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  user_tenant_id text COLLATE "C" NOT NULL,
  user_organization_id text COLLATE "C" NOT NULL,
  managed boolean NOT NULL,
  member boolean NOT NULL,
  status text NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  search_text text NOT NULL,
  last_login_at timestamptz,
  CONSTRAINT directory_entries_pkey PRIMARY KEY (tenant_id, organization_id, user_id),
  CONSTRAINT directory_entries_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id),
  CONSTRAINT directory_entries_belongs_check CHECK (managed OR member)
);
CREATE INDEX directory_entries_user_idx ON directory_entries (user_id);
CREATE INDEX directory_entries_elsewhere_idx ON directory_entries (user_organization_id) WHERE NOT managed;
CREATE INDEX directory_entries_listed_idx ON directory_entries (tenant_id, organization_id, user_id) WHERE status <> 'deleted';
CREATE INDEX directory_entries_status_idx ON directory_entries (tenant_id, organization_id, status, user_id);
CREATE INDEX directory_entries_members_idx ON directory_entries (tenant_id, organization_id, user_id) WHERE member AND status <> 'deleted';
CREATE INDEX directory_entries_email_idx ON directory_entries (tenant_id, organization_id, email_key, user_id);
CREATE INDEX directory_entries_last_login_idx ON directory_entries
  (tenant_id, organization_id, coalesce(last_login_at, timestamptz '-infinity'), user_id);
CREATE INDEX directory_entries_search_idx ON directory_entries
  USING gin ((ARRAY[organization_id]), search_text gin_trgm_ops) WITH (fastupdate = off);

-- Exact counts without contention: writers insert a delta in their transaction, readers add the deltas to the count, a worker merges them.
-- dimension: 'user' (managed users and members), 'member', or the ID of a role.
CREATE TABLE directory_counts (
  tenant_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  dimension text COLLATE "C" NOT NULL,
  status text NOT NULL,
  amount bigint NOT NULL,
  CONSTRAINT directory_counts_pkey PRIMARY KEY (tenant_id, organization_id, dimension, status)
);
CREATE TABLE directory_count_deltas (
  tenant_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  dimension text COLLATE "C" NOT NULL,
  status text NOT NULL,
  amount integer NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  CONSTRAINT directory_count_deltas_pkey PRIMARY KEY (tenant_id, organization_id, id)
);
`;

export interface OrganizationsSearch {
  readonly tab?: 'deleted';
  readonly search?: string;
  readonly page?: number;
}

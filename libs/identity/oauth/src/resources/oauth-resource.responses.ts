import { ApiProperty } from '@nestjs/swagger';
import type { DescribedResource } from './described-resources.service.js';
import type { OAuthResource } from './oauth-resource.entity.js';

/** The id in the paths of resources. */
export const RESOURCE_PARAM = { name: 'id', description: 'Id of the resource.', example: 'ors_01kf2bav4hf7r8v2m5n9q1c3ek' };

export class ResourceScopeResponse {
  @ApiProperty({ description: 'Name of the scope.', example: 'invoices:read' }) name!: string;
  @ApiProperty({ description: 'What the scope allows.', type: String, nullable: true, example: 'View invoices.' })
  description!: string | null;
}

/** A resource with some of its scopes, for users who allow them. */
export class AllowedResourceResponse {
  @ApiProperty({ description: 'Identifier of the resource.', example: 'https://api.example.com' }) identifier!: string;
  @ApiProperty({ description: 'Name of the API. The identifier if the resource was deleted.', example: 'Invoices API' })
  name!: string;
  @ApiProperty({ description: 'Scopes of the API.', type: [ResourceScopeResponse] }) scopes!: ResourceScopeResponse[];

  static from(this: void, { identifier, name, scopes }: DescribedResource): AllowedResourceResponse {
    return { identifier, name, scopes: [...scopes] };
  }
}

export class OauthResourceResponse {
  @ApiProperty({ example: 'ors_01kf2bav4hf7r8v2m5n9q1c3ek' }) id!: string;
  @ApiProperty({
    description: 'Id of the organization. Null for a resource of the platform.',
    type: String,
    nullable: true,
    example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  })
  organizationId!: string | null;
  @ApiProperty({ description: 'Audience (`aud`) of the access tokens.', example: 'https://api.example.com' }) identifier!: string;
  @ApiProperty({ description: 'Name of the API.', example: 'Invoices API' }) name!: string;
  @ApiProperty({ description: 'Scopes of the API.', type: [ResourceScopeResponse] }) scopes!: ResourceScopeResponse[];
  @ApiProperty({ format: 'date-time', example: '2026-01-15T09:00:00.000Z' }) createdAt!: string;
  @ApiProperty({ format: 'date-time', example: '2026-01-15T10:00:00.000Z' }) updatedAt!: string;

  static from(this: void, resource: OAuthResource): OauthResourceResponse {
    const { id, organizationId, identifier, name, scopes, createdAt, updatedAt } = resource;
    return {
      id,
      organizationId,
      identifier,
      name,
      scopes: [...scopes],
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}

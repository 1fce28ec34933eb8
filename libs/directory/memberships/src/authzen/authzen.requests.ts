import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ChoiceField, JsonObjectField, ObjectField, ObjectListField, TextField } from '#platform/http';
import { GrantingRoleResponse } from '../permission-check.requests.js';

const PROPERTIES = { description: 'Further properties. The decision does not depend on them.', example: {} };
const CONTEXT = { description: 'Properties of the request. The decision does not depend on them.', example: {} };

export class AuthzenSubject {
  @TextField({
    description: 'Type of the subject. Only users have permissions.',
    maxLength: 100,
    required: true,
    example: 'user',
  })
  type!: string;

  @TextField({ description: 'Id of the user.', maxLength: 254, required: true, example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  id!: string;

  @JsonObjectField(PROPERTIES)
  properties?: object;
}

export class AuthzenAction {
  @TextField({
    description: 'Permission to check: a permission of this service or of your own application.',
    maxLength: 100,
    required: true,
    example: 'invoices:read',
  })
  name!: string;

  @JsonObjectField(PROPERTIES)
  properties?: object;
}

export class AuthzenResource {
  @TextField({
    description: 'Type of the resource. Users have permissions in organizations.',
    maxLength: 100,
    required: true,
    example: 'organization',
  })
  type!: string;

  @TextField({ description: 'Id or slug of the organization.', maxLength: 254, required: true, example: 'acme' })
  id!: string;

  @JsonObjectField(PROPERTIES)
  properties?: object;
}

export class EvaluationRequest {
  @ObjectField(() => AuthzenSubject, { description: 'Who wants to do something.', required: true })
  subject!: AuthzenSubject;

  @ObjectField(() => AuthzenAction, { description: 'What the subject wants to do.', required: true })
  action!: AuthzenAction;

  @ObjectField(() => AuthzenResource, { description: 'Where the subject wants to do it.', required: true })
  resource!: AuthzenResource;

  @JsonObjectField(CONTEXT)
  context?: object;
}

export class PartialEvaluation {
  @ObjectField(() => AuthzenSubject, { description: 'Default: `subject` of the request.' })
  subject?: AuthzenSubject;

  @ObjectField(() => AuthzenAction, { description: 'Default: `action` of the request.' })
  action?: AuthzenAction;

  @ObjectField(() => AuthzenResource, { description: 'Default: `resource` of the request.' })
  resource?: AuthzenResource;

  @JsonObjectField(CONTEXT)
  context?: object;
}

export const SEMANTICS = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const;

export class EvaluationOptions {
  @ChoiceField({
    description:
      'Which evaluations the response contains. `execute_all` (default): all. `deny_on_first_deny`: up to the first whose decision is false. `permit_on_first_permit`: up to the first whose decision is true.',
    choices: SEMANTICS,
    example: 'execute_all',
  })
  evaluations_semantic?: (typeof SEMANTICS)[number];
}

export class EvaluationsRequest extends PartialEvaluation {
  @ObjectListField(() => PartialEvaluation, {
    description: 'Evaluations. Without any, the request is a single evaluation, and the response has its `decision`.',
    minItems: 0,
    maxItems: 100,
  })
  evaluations?: PartialEvaluation[];

  @ObjectField(() => EvaluationOptions, { description: 'How the evaluations are executed.' })
  options?: EvaluationOptions;
}

export class EvaluationError {
  @ApiProperty({ description: 'HTTP status that a request for this evaluation alone would have.', example: 404 }) status!: number;
  @ApiProperty({ example: 'There is no organization "acme" to which you have access.' }) message!: string;
}

export class DecisionContext {
  @ApiPropertyOptional({ type: [GrantingRoleResponse], description: 'Roles that grant the permission, if the decision is true.' })
  because?: GrantingRoleResponse[];
  @ApiPropertyOptional({
    description: 'Why the decision is false, with the values of `refusal` of `checkPermission`.',
    example: 'not_granted',
  })
  reason?: string;
  @ApiPropertyOptional({ description: 'Why the evaluation could not be made. The decision is then false.' })
  error?: EvaluationError;
}

export class DecisionResponse {
  @ApiProperty({ description: 'Whether the user has the permission in the organization.' }) decision!: boolean;
  @ApiPropertyOptional() context?: DecisionContext;
}

export class DecisionsResponse {
  @ApiPropertyOptional({ type: [DecisionResponse], description: 'The decisions, in the order of `evaluations`.' })
  evaluations?: DecisionResponse[];
  @ApiPropertyOptional({ description: 'The decision of a request without `evaluations`.' }) decision?: boolean;
  @ApiPropertyOptional({ description: 'The context of the decision of a request without `evaluations`.' })
  context?: DecisionContext;
}

export class AuthzenMetadataResponse {
  @ApiProperty({ description: 'Public URL of the service.', format: 'uri', example: 'https://iam.example.com' })
  policy_decision_point!: string;
  @ApiProperty({ format: 'uri', example: 'https://iam.example.com/access/v1/evaluation' }) access_evaluation_endpoint!: string;
  @ApiProperty({ format: 'uri', example: 'https://iam.example.com/access/v1/evaluations' }) access_evaluations_endpoint!: string;
}

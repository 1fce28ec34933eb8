import { BooleanQuery, TextListField } from '#platform/http';
import { NOTIFICATIONS_MAX } from './notification.query.js';

export class ListNotificationsQuery {
  @BooleanQuery({ description: 'Whether to return the notifications of descendant organizations, too.', default: false })
  includeDescendants?: boolean;
}

export class ReadNotificationsRequest {
  @TextListField({
    description: 'Ids of the notifications. Ids of problems that are solved are ignored.',
    required: true,
    minItems: 1,
    maxItems: NOTIFICATIONS_MAX,
    item: { maxLength: 200 },
    example: ['webhook_failing.wh_01kf2b8v3cf5h9r4n0j7d2q6xw.mk7a1b2c'],
  })
  ids!: string[];
}
